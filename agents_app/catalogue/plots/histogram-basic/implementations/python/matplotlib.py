"""Basic histogram, drawn with matplotlib.

python plot.py                        # writes plot-light.png
ANYPLOT_THEME=dark python plot.py     # writes plot-dark.png
"""

# --- Imports ---
import os
import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, ScalarFormatter, StrMethodFormatter

# --- Theme ---
THEME = os.getenv("ANYPLOT_THEME", "light")
DARK = THEME == "dark"
PAGE = "#1A1A17" if DARK else "#FAF8F1"
ELEVATED = "#242420" if DARK else "#FFFDF6"
INK = "#F0EFE8" if DARK else "#1A1A17"
INK_SOFT = "#B8B7B0" if DARK else "#4A4A44"
INK_MUTED = "#A8A79F" if DARK else "#6B6A63"
RULE = "#3A3A36" if DARK else "#D8D7D0"
# Green, lavender, blue, ochre, red, cyan, rose, lime: always in this order.
PALETTE = ["#009E73", "#C475FD", "#4467A3", "#BD8233", "#AE3030", "#2ABCCD", "#954477", "#99B314"]
# Those that are faint on this page: a mark of such a color gets a thin edge of ink.
FAINT = ["#AE3030", "#954477"] if DARK else ["#C475FD", "#2ABCCD", "#99B314"]
LOOK = {
    "figure.facecolor": PAGE,
    "savefig.facecolor": PAGE,
    "axes.facecolor": PAGE,
    "axes.edgecolor": INK_SOFT,
    "axes.linewidth": 0.8,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "axes.prop_cycle": plt.cycler(color=PALETTE),
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "xtick.color": INK_SOFT,
    "ytick.color": INK_SOFT,
    "xtick.labelcolor": INK_SOFT,
    "ytick.labelcolor": INK_SOFT,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.width": 0.8,
    "ytick.major.width": 0.8,
    "xtick.major.size": 3.5,
    "ytick.major.size": 3.5,
    "legend.fontsize": 8,
    "legend.title_fontsize": 8,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign is a dollar sign
    "font.family": "DejaVu Sans",
    "svg.fonttype": "path",
    "svg.hashsalt": "anyplot",
}
plt.rcdefaults()
plt.rcParams.update(LOOK)

# --- Data ---
# Length of 900 rides with a city's rental bicycles, in minutes.
rng = np.random.default_rng(42)
df = pd.DataFrame({"value": (rng.gamma(3.2, 5.2, 900) + 1.5).round(1)})

# --- Options ---
TITLE = "How long people ride a rental bicycle"  # above the plot; empty for none
X_LABEL = "Length of the ride (minutes)"  # below the x axis
Y_LABEL = "Number of rides"  # beside the y axis
X_SCALE = "linear"  # linear or log
Y_SCALE = "linear"  # linear, log or symlog
BINS = 0  # number of bins; 0 = from the data, with round edges
TITLE_SIZE = 12  # points
LABEL_ROTATION = 0  # degrees that the x labels are turned by
LABEL_EVERY = 1  # every n-th x label is written
MARGINS = [0.02, 0.02, 0.02, 0.02]  # left, bottom, right, top: free shares of the picture

# --- Plot ---
fig, ax = plt.subplots(figsize=(8, 4.5), dpi=400, layout="constrained")
values = df["value"]
low, high = values.min(), values.max()
whole = bool((values % 1 == 0).all())
count = BINS or int(np.clip(len(np.histogram_bin_edges(values, "auto")) - 1, 6, 40))
if low == high:
    edges = np.array([low - 0.5, low + 0.5])
elif X_SCALE == "log" and low > 0:
    edges = np.geomspace(low, high, count + 1)
elif BINS:
    edges = np.linspace(low, high, BINS + 1)
elif whole and high - low <= 40:
    edges = np.arange(low - 0.5, high + 1)
else:
    edges = MaxNLocator(count, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
ax.hist(values, bins=edges, color=PALETTE[0], edgecolor=INK, linewidth=0.5)
ax.set_xscale(X_SCALE)
ax.set_yscale(Y_SCALE)
if X_SCALE == "linear":
    ax.xaxis.set_major_locator(MaxNLocator(9, integer=whole, steps=[1, 2, 2.5, 5, 10]))
elif X_SCALE == "log" and high < low * 1000:
    ax.xaxis.set_major_locator(LogLocator(subs=[1, 2, 5]))
    ax.xaxis.set_minor_formatter("")
if low == high:
    ax.set_xlim(low - 2, low + 2)
if Y_SCALE == "linear":
    ax.yaxis.set_major_locator(MaxNLocator(7, integer=True, steps=[1, 2, 2.5, 5, 10]))
title = ax.set_title(TITLE, fontsize=TITLE_SIZE)
ax.set_xlabel(X_LABEL)
ax.set_ylabel(Y_LABEL)
ax.yaxis.grid(True)
number_axes = [ax.xaxis, ax.yaxis]
label_axes = [ax.xaxis]

# --- Fit ---
# Numbers with thousands separators; very large and very small ones in powers of ten.
for axis in number_axes:
    largest = np.abs(axis.get_view_interval()).max()
    if axis.get_scale() == "linear" and not 10_000 <= largest < 1e10:
        formatter = ScalarFormatter(useOffset=False)
        formatter.set_powerlimits((-4, 10))
        axis.set_major_formatter(formatter)
    else:
        axis.set_major_formatter(StrMethodFormatter("{x:,.12g}"))
# Labels turned and thinned as the options say.
for axis in label_axes:
    for number, label in enumerate(axis.get_ticklabels()):
        label.set_visible(number % LABEL_EVERY == 0)
        if LABEL_ROTATION:
            label.set(rotation=LABEL_ROTATION, rotation_mode="anchor", horizontalalignment="right")
            label.set(verticalalignment="center" if axis is ax.yaxis or LABEL_ROTATION > 75 else "top")
# Margins kept free, and a title or axis label that is longer than its room broken into lines.
left, bottom, right, top = MARGINS
fig.get_layout_engine().set(rect=(left, bottom, 1 - left - right, 1 - bottom - top))
fig.draw_without_rendering()
for text, room in (
    (title, fig.bbox.width * (1 - right) - title.get_window_extent().x0),
    (ax.xaxis.label, ax.bbox.width),
    (ax.yaxis.label, ax.bbox.height),
):
    length = text.get_window_extent().height if text is ax.yaxis.label else text.get_window_extent().width
    if length > room:
        text.set_text(textwrap.fill(text.get_text(), max(8, int(len(text.get_text()) * 0.96 * room / length))))
fig.draw_without_rendering()
fig.set_layout_engine("none")

# --- Save ---
fig.savefig(f"plot-{THEME}.png", dpi=400)
