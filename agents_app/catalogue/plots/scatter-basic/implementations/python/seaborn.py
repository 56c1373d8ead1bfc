"""Basic scatter plot, drawn with seaborn.

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
# Flats to let in three districts: floor area in square metres and rent in euros a month.
rng = np.random.default_rng(42)
area = rng.gamma(9, 7.5, 150) + 18
category = rng.choice(["Harbour", "Old Town", "Riverside"], 150)
base = pd.Series(category).map({"Harbour": 14.5, "Old Town": 18.0, "Riverside": 11.5}).to_numpy()
df = pd.DataFrame(
    {"x": area.round(1), "y": (area * base + rng.normal(0, 95, 150) + 160).round(0), "category": category}
)

# --- Options ---
TITLE = "Monthly rent by floor area"  # above the plot; empty for none
X_LABEL = "Floor area (m²)"  # below the x axis
Y_LABEL = "Rent (€ a month)"  # beside the y axis
LEGEND_TITLE = "District"  # above the entries of the legend
SIZE_LABEL = ""  # above the entries that explain the sizes
X_SCALE = "linear"  # linear, log or symlog
Y_SCALE = "linear"  # linear, log or symlog
POINT_SIZE = 0  # area of a point in square points; 0 = by the number of points
ALPHA = 0  # opacity of a point, up to 1; 0 = by the number of points
TITLE_SIZE = 12  # points
LABEL_WRAP = 24  # characters in a line of the legend; 0 = never broken
LABEL_ROTATION = 0  # degrees that the x labels are turned by
LABEL_EVERY = 1  # every n-th x label is written
MARGINS = [0.02, 0.02, 0.02, 0.02]  # left, bottom, right, top: free shares of the picture

# --- Plot ---
fig, ax = plt.subplots(figsize=(8, 4.5), dpi=400, layout="constrained")
points = POINT_SIZE or np.clip(700 / np.sqrt(max(len(df), 1)), 7, 46)
alpha = ALPHA or np.clip(20 / np.sqrt(max(len(df), 1)), 0.3, 0.9)
categories = list(df["category"].unique()) if "category" in df else []
colors = {
    name: INK_MUTED if number >= len(PALETTE) or str(name).startswith(("other (", "(missing")) else PALETTE[number]
    for number, name in enumerate(categories)
}
hue = df["category"].rename(LEGEND_TITLE) if "category" in df else None
area = {"size": df["size"].rename(SIZE_LABEL), "sizes": (12, 252)} if "size" in df else {"s": points}
sns.scatterplot(
    data=df,
    x="x",
    y="y",
    hue=hue,
    style=hue if len(categories) >= 5 else None,
    palette=colors or None,
    color=None if categories else PALETTE[0],
    edgecolor=INK,
    linewidth=0.4 if len(df) < 1000 else 0.2,
    alpha=alpha,
    rasterized=len(df) > 5000,
    legend="auto" if len(categories) > 1 or "size" in df else False,
    ax=ax,
    **area,
)
ax.set_xscale(X_SCALE)
ax.set_yscale(Y_SCALE)
for axis, values in ((ax.xaxis, df["x"]), (ax.yaxis, df["y"])):
    low, high = axis.get_view_interval()
    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(8, integer=bool((values % 1 == 0).all()), steps=[1, 2, 2.5, 5, 10]))
    elif axis.get_scale() == "log" and high < low * 1000:
        axis.set_major_locator(LogLocator(subs=[1, 2, 5]))
        axis.set_minor_formatter("")
title = ax.set_title(TITLE, fontsize=TITLE_SIZE)
ax.set_xlabel(X_LABEL)
ax.set_ylabel(Y_LABEL)
ax.grid(True)
if ax.get_legend():
    sns.move_legend(ax, "upper left", bbox_to_anchor=(1.01, 1.02), alignment="left")
    # The categories come first, below their title; the sizes follow below theirs.
    first_size = len(categories) + 2 if categories else 0
    legend = ax.get_legend()
    for number, (handle, text) in enumerate(zip(legend.legend_handles, legend.get_texts())):
        handle.set(alpha=1)
        if "size" in df and number >= first_size:
            handle.set(markerfacecolor=INK_MUTED)
            text.set_text(f"{float(text.get_text()):,.12g}")
        else:
            text.set_text(textwrap.fill(text.get_text(), LABEL_WRAP or 1000))
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
