"""Small scripts of the shape that the catalogue has, for tests of what runs them."""

SCATTER = """\
import os

import matplotlib.pyplot as plt
import numpy as np

THEME = os.getenv("ANYPLOT_THEME", "light")
PAGE, INK = ("#FAF8F1", "#1A1A17") if THEME == "light" else ("#1A1A17", "#F0EFE8")
rng = np.random.default_rng(42)

fig, ax = plt.subplots(figsize=(8, 4.5))
fig.set_facecolor(PAGE)
ax.set_facecolor(PAGE)
ax.scatter(rng.normal(size=60), rng.normal(size=60), color="#009E73", edgecolor=INK, linewidth=0.4)
ax.set_title("Sixty points", color=INK)
ax.set_xlabel("first", color=INK)
fig.savefig(f"plot-{THEME}.png", dpi=400)
"""

SEABORN = """\
import os

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

THEME = os.getenv("ANYPLOT_THEME", "light")
df = pd.read_csv("data.csv")
sns.set_theme(style="ticks")
fig, ax = plt.subplots(figsize=(6, 6))
sns.barplot(df, x="category", y="value", errorbar=None, ax=ax)
fig.savefig(f"plot-{THEME}.png", dpi=400)
"""
TABLE = b"category,value\nold,3\nnew,4\n"

# A whole render, small and soon done.
SMALL = """\
import os
import matplotlib.pyplot as plt
fig, ax = plt.subplots(figsize=(2, 1))
ax.plot([1, 2])
fig.savefig("plot-" + os.environ["ANYPLOT_THEME"] + ".png", dpi=100)
"""
# Busy until it is ended.
ENDLESS = "while True:\n    pass\n"
