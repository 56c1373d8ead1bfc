"""Basic pie chart, drawn with seaborn.

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
from matplotlib.ticker import ScalarFormatter, StrMethodFormatter

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
# Electricity that a region made in a year, in gigawatt hours.
df = pd.DataFrame(
    {
        "category": ["Wind", "Solar", "Gas", "Hydro", "Biomass"],
        "value": [4_820, 3_110, 2_260, 1_380, 740],
    }
)

# --- Options ---
TITLE = "Where a region's electricity comes from"  # above the plot; empty for none
VALUE_UNIT = "GWh"  # of the values; parts whose values are percents already are labelled by them
START_ANGLE = 90  # degrees from the right at which the first part begins
TITLE_SIZE = 12  # points
LABEL_WRAP = 16  # characters in a line of a part's label; 0 = never broken
LABEL_ROTATION = 0  # degrees that the labels are turned by
LABEL_EVERY = 1  # every n-th label is written
MARGINS = [0.03, 0.03, 0.03, 0.03]  # left, bottom, right, top: free shares of the picture

# --- Plot ---
# Seaborn has no pie: matplotlib draws it, in seaborn's theme and palette.
palette = sns.color_palette(PALETTE)
fig, ax = plt.subplots(figsize=(6, 6), dpi=400, layout="constrained")
total = df["value"].sum()
colors = [
    INK_MUTED if number >= len(palette) or str(name).startswith(("other (", "(missing")) else palette[number]
    for number, name in enumerate(df["category"])
]
wedges = ax.pie(
    df["value"],
    colors=colors,
    startangle=START_ANGLE,
    counterclock=False,
    wedgeprops={"edgecolor": INK, "linewidth": 0.6},
)[0]
# A label for each part, beside it; labels on one side that are too near to each other move apart.
names = [textwrap.fill(str(name), LABEL_WRAP or 1000, break_long_words=False) for name in df["category"]]
shares = df["value"].map("{:,.4g}%".format) if VALUE_UNIT == "%" else (df["value"] / total).map("{:.1%}".format)
texts = [f"{name}\n{share}" for name, share in zip(names, shares)]
angles = [np.deg2rad((wedge.theta1 + wedge.theta2) / 2) for wedge in wedges]
downwards = np.argsort([-np.sin(angle) for angle in angles], kind="stable")
reach = 1.2  # how far the labels go up and down; the pie's radius is 1
for side in (1, -1):
    mine = [n for n in downwards if (np.cos(angles[n]) >= 0) == (side == 1) and n % LABEL_EVERY == 0]
    heights = [0.075 * (texts[n].count("\n") + 1) + 0.04 for n in mine]
    places = [1.18 * np.sin(angles[n]) for n in mine]
    for _ in range(200):
        for upper in range(len(mine) - 1):
            need = (heights[upper] + heights[upper + 1]) / 2
            lack = need - (places[upper] - places[upper + 1])
            if lack > 0:
                places[upper] += lack / 2
                places[upper + 1] -= lack / 2
    reach = max([reach] + [abs(place) + height / 2 for place, height in zip(places, heights)])
    for n, place in zip(mine, places):
        x, y = np.cos(angles[n]), np.sin(angles[n])
        ax.annotate(
            texts[n],
            xy=(x, y),
            xytext=(side * max(1.12 * abs(x), 1.14 if abs(place - 1.18 * y) > 0.1 else 0), place),
            horizontalalignment="left" if side == 1 else "right",
            verticalalignment="center",
            fontsize=8,
            rotation=LABEL_ROTATION,
            arrowprops={"arrowstyle": "-", "color": INK_MUTED, "linewidth": 0.6, "shrinkA": 2, "shrinkB": 0},
        )
ax.set_xlim(-1.05, 1.05)
ax.set_ylim(-reach, reach)
ax.axis("off")
# Without a height of its own the title is given room above the plot.
title = fig.suptitle(TITLE, x=MARGINS[0], horizontalalignment="left", fontsize=TITLE_SIZE, fontweight="bold")
fig.get_layout_engine().set(h_pad=MARGINS[3] * fig.get_figheight())
number_axes = []
label_axes = []

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
