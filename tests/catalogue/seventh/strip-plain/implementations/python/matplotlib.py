"""Plain strip plot, drawn with matplotlib."""

# --- Imports ---
import os

import matplotlib.pyplot as plt
import pandas as pd

# --- Theme ---
THEME = os.getenv("ANYPLOT_THEME", "light")
PAGE, INK = ("#1A1A17", "#F0EFE8") if THEME == "dark" else ("#FAF8F1", "#1A1A17")

# --- Data ---
df = pd.DataFrame({"value": [12, 15, 31, 18], "group": ["North", "South", "South", "North"]})

# --- Options ---
TITLE = "Pebbles"  # above the plot
X_LABEL = "Weight"  # below the x axis
Y_LABEL = "Beach"  # beside the y axis

# --- Plot ---
plt.rcParams.update({"figure.facecolor": PAGE, "axes.facecolor": PAGE, "text.color": INK, "axes.labelcolor": INK})
plt.rcParams.update({"xtick.color": INK, "ytick.color": INK, "axes.edgecolor": INK})
fig, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
groups = df["group"] if "group" in df else pd.Series("all", index=df.index)
ax.plot(df["value"], groups, linestyle="", marker="|", markersize=14, color="#009E73")
ax.set(title=TITLE, xlabel=X_LABEL, ylabel=Y_LABEL)

# --- Save ---
fig.savefig(f"plot-{THEME}.png", dpi=400, facecolor=PAGE)
