"""Basic box plot, drawn with seaborn.

python plot.py                        # writes plot-light.png
ANYPLOT_THEME=dark python plot.py     # writes plot-dark.png
"""

# --- Imports ---
import os
import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
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
sns.set_theme(style="ticks", palette=PALETTE, rc=LOOK)

# --- Data ---
# Hours from order to door for parcels of four carriers.
rng = np.random.default_rng(42)
hours = {"Bike courier": (9, 0.6), "Van": (14, 1.6), "Parcel locker": (12, 2.2), "Post": (10, 3.6)}
df = pd.DataFrame(
    {
        "category": np.repeat(list(hours), 80),
        "value": np.concatenate([rng.gamma(shape, scale, 80).round(1) for shape, scale in hours.values()]),
    }
)

# --- Options ---
TITLE = "Delivery time by carrier"  # above the plot; empty for none
X_LABEL = "Carrier"  # below the x axis
Y_LABEL = "Hours from order to door"  # beside the y axis
HORIZONTAL = False  # boxes lie, categories stand on the y axis
VALUE_SCALE = "linear"  # linear, log or symlog
TITLE_SIZE = 12  # points
LABEL_WRAP = 14  # characters in a line of a category's label; 0 = never broken
LABEL_ROTATION = 0  # degrees that the category labels are turned by
LABEL_EVERY = 1  # every n-th category label is written
MARGINS = [0.02, 0.02, 0.02, 0.02]  # left, bottom, right, top: free shares of the picture

# --- Plot ---
fig, ax = plt.subplots(figsize=(8, 4.5), dpi=400, layout="constrained")
categories = list(df["category"].unique())
sns.boxplot(
    data=df,
    x="value" if HORIZONTAL else "category",
    y="category" if HORIZONTAL else "value",
    order=categories,
    orient="h" if HORIZONTAL else "v",
    color=PALETTE[0],
    saturation=1,
    width=0.56,
    boxprops={"edgecolor": INK, "linewidth": 0.8},
    medianprops={"color": INK, "linewidth": 1.8, "solid_capstyle": "butt"},
    whiskerprops={"color": INK_SOFT, "linewidth": 0.9},
    capprops={"color": INK_SOFT, "linewidth": 0.9},
    flierprops={
        "marker": "o",
        "markersize": 3.5 if len(df) < 1000 else 2,
        "markerfacecolor": PALETTE[0],
        "markeredgecolor": INK,
        "markeredgewidth": 0.4,
        "alpha": 0.9 if len(df) < 1000 else 0.5,
    },
    ax=ax,
)
category_axis, value_axis = (ax.yaxis, ax.xaxis) if HORIZONTAL else (ax.xaxis, ax.yaxis)
middle, half = (len(categories) - 1) / 2, max(len(categories), 3) / 2
if HORIZONTAL:
    ax.set_ylim(middle + half, middle - half)
    ax.set_xscale(VALUE_SCALE)
else:
    ax.set_xlim(middle - half, middle + half)
    ax.set_yscale(VALUE_SCALE)
low, high = value_axis.get_view_interval()
if VALUE_SCALE == "linear":
    value_axis.set_major_locator(MaxNLocator(7, integer=bool((df["value"] % 1 == 0).all()), steps=[1, 2, 2.5, 5, 10]))
elif VALUE_SCALE == "log" and high < low * 1000:
    value_axis.set_major_locator(LogLocator(subs=[1, 2, 5]))
    value_axis.set_minor_formatter("")
category_axis.set_ticks(
    range(len(categories)),
    [textwrap.fill(str(name), LABEL_WRAP or 1000, break_long_words=False) for name in categories],
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
