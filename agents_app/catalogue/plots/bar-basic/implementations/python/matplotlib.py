"""Basic bar chart, drawn with matplotlib.

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
# Visitors of a city's museums in a year.
df = pd.DataFrame(
    {
        "category": ["Natural History", "Fine Arts", "Technology", "City History", "Photography", "Toys"],
        "value": [412_300, 355_800, 298_450, 176_900, 121_750, 64_200],
    }
)

# --- Options ---
TITLE = "Museum visitors in a year"  # above the plot; empty for none
X_LABEL = "Museum"  # below the x axis
Y_LABEL = "Visitors"  # beside the y axis
HORIZONTAL = False  # bars lie, categories stand on the y axis
VALUE_SCALE = "linear"  # linear, log or symlog
TITLE_SIZE = 12  # points
LABEL_WRAP = 14  # characters in a line of a category's label; 0 = never broken
LABEL_ROTATION = 0  # degrees that the category labels are turned by
LABEL_EVERY = 1  # every n-th category label is written
MARGINS = [0.02, 0.02, 0.02, 0.02]  # left, bottom, right, top: free shares of the picture

# --- Plot ---
fig, ax = plt.subplots(figsize=(8, 4.5), dpi=400, layout="constrained")
positions = np.arange(len(df))
edge = 0.5 if len(df) <= 60 else 0.2
if HORIZONTAL:
    ax.barh(positions, df["value"], height=0.7, color=PALETTE[0], edgecolor=INK, linewidth=edge)
else:
    ax.bar(positions, df["value"], width=0.7, color=PALETTE[0], edgecolor=INK, linewidth=edge)
category_axis, value_axis = (ax.yaxis, ax.xaxis) if HORIZONTAL else (ax.xaxis, ax.yaxis)
middle, half = (len(df) - 1) / 2, max(len(df), 4) / 2
if HORIZONTAL:
    ax.set_ylim(middle + half, middle - half)
    ax.set_xscale(VALUE_SCALE)
else:
    ax.set_xlim(middle - half, middle + half)
    ax.set_yscale(VALUE_SCALE)
if VALUE_SCALE == "linear":
    value_axis.set_major_locator(MaxNLocator(7, integer=bool((df["value"] % 1 == 0).all()), steps=[1, 2, 2.5, 5, 10]))
elif VALUE_SCALE == "log":
    value_axis.set_major_locator(LogLocator(subs=[1, 2, 5] if df["value"].max() < 1000 * df["value"].min() else [1]))
    value_axis.set_minor_formatter("")
if (df["value"] < 0).any():
    (ax.axvline if HORIZONTAL else ax.axhline)(0, color=INK_SOFT, linewidth=0.8)
category_axis.set_ticks(
    positions,
    [textwrap.fill(str(name), LABEL_WRAP or 1000, break_long_words=False) for name in df["category"]],
)
category_axis.set_tick_params(length=0)
title = ax.set_title(TITLE, fontsize=TITLE_SIZE)
ax.set_xlabel(X_LABEL)
ax.set_ylabel(Y_LABEL)
value_axis.grid(True)
number_axes = [value_axis]
label_axes = [category_axis]

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
