"""G8: axes, legend and title name what the person bound."""

import re
from collections import Counter
from typing import Any

from agents_app.gates.evidence import Evidence
from agents_app.gates.measurements import Axes, Figure
from agents_app.gates.verdict import Verdict
from anyplot_site import bounds

ELLIPSES = ("…", "...")
PLACES = {
    "title": "The title",
    "x": "The x axis",
    "y": "The y axis",
    "legend": "The legend",
    "size": "The legend of sizes",
}


def names_the_columns(evidence: Evidence) -> Verdict | None:
    """G8: title, axis labels and legend title are the expected texts, and the legend has the right entries.

    Line breaks do not matter, and a text cut short with an ellipsis counts as itself. `measured` is the number
    of places that are wrong; `details` names them.
    """
    figure = evidence.figure
    if figure is None:
        return None
    wrong: dict[str, str] = {}
    shown = shown_texts(figure)
    for place in PLACES:
        expected = evidence.expected.get(place) or ""
        if not expected:
            continue
        if not any(same_text(text, expected) for text in shown[place]):
            wrong[place] = _complaint(place, expected, shown[place])
    entries = _entries(evidence, figure)
    if entries:
        wrong["entries"] = entries
    if not wrong:
        return Verdict("G8", True, True, "Axes, legend and title name your columns.", 0, 0)
    return Verdict("G8", False, True, " ".join(wrong.values()), len(wrong), 0, details={"places": sorted(wrong)})


def shown_texts(figure: Figure) -> dict[str, list[str]]:
    """The texts that a figure shows, by place; a color bar's label counts as a legend's title."""
    plots = [axes for axes in figure.axes if not axes.colorbar]
    bars = [axes for axes in figure.axes if axes.colorbar]

    def of(axes: list[Axes], name: str) -> list[str]:
        return [text for text in (getattr(one, name) for one in axes) if text]

    legends = [
        *(legend.title for legend in figure.legends if legend.title),
        *of(bars, "xlabel"),
        *of(bars, "ylabel"),
        # A legend that lists several roles has their titles among its entries.
        *(entry for legend in figure.legends for entry in legend.entries),
    ]
    return {
        "title": [*([figure.title] if figure.title else []), *of(plots, "title")],
        "x": [*of(plots, "xlabel"), *figure.shared_xlabels],
        "y": [*of(plots, "ylabel"), *figure.shared_ylabels],
        "legend": legends,
        "size": legends,
    }


def plain(text: str) -> str:
    """A text without what wrapping and escaping change."""
    return re.sub(r"\s+|\u00ad|\u200b", "", text.replace("\\$", "$"))


def same_text(shown: str, expected: str) -> bool:
    """True when `shown` is `expected`, perhaps wrapped or cut short with an ellipsis."""
    one, two = plain(shown), plain(expected)
    if one == two:
        return True
    for ellipsis in ELLIPSES:
        if one.endswith(ellipsis) and len(one) > len(ellipsis):
            return two.startswith(one.removesuffix(ellipsis))
    return False


def _complaint(place: str, expected: str, shown: list[str]) -> str:
    name = PLACES[place]
    if shown:
        return f"{name} says “{shown[0]}” instead of “{expected}”."
    missing = "has no label" if place in ("x", "y") else "is missing"
    return f"{name} {missing}: “{expected}” was expected."


def _entries(evidence: Evidence, figure: Figure) -> str:
    """The complaint about the legend's entries, or nothing.

    The groups are the values of the bound color role. A single group needs no legend; groups beyond the
    palette may be folded; labels beside the marks serve as well as a legend.
    """
    groups = color_groups(evidence)
    if groups is None or len(groups) < 2:
        return ""
    listed = [entry for legend in figure.legends for entry in legend.entries]
    beside = [text.text for text in figure.texts if text.role in ("annotation", "xtick", "ytick")]
    if len(groups) > bounds.COLOR_ROLE_VALUES + 2:  # with "other" and "missing"
        return "" if listed or beside else f"No legend names the {len(groups)} groups."
    counts = Counter(_position(entry, groups) for entry in listed)
    in_legend = [number for number in range(len(groups)) if counts[number]]
    if in_legend:
        twice = [number for number in in_legend if counts[number] > 1]
        if len(in_legend) == len(groups) and not twice:
            return ""
        return f"The legend has {sum(counts[n] for n in in_legend)} entries for {len(groups)} groups."
    named = {_beginning(text, groups) for text in beside} - {None}
    if len(named) == len(groups):
        return ""
    return f"Nothing says which color is which: {len(groups)} groups, {len(named)} of them named."


def _position(text: str, groups: list[str]) -> int | None:
    for number, group in enumerate(groups):
        if same_text(text, group):
            return number
    return None


def _beginning(text: str, groups: list[str]) -> int | None:
    """The group whose name a label beside a mark begins with: a value may follow the name. The longest wins."""
    shown = plain(text)
    fits = [number for number, group in enumerate(groups) if plain(group) and shown.startswith(plain(group))]
    return max(fits, key=lambda number: len(groups[number]), default=_position(text, groups))


def color_groups(evidence: Evidence) -> list[str] | None:
    """The values of the bound color role as texts, in order of appearance; None when no color role is bound."""
    if evidence.prepared is None or evidence.spec is None:
        return None
    frame = evidence.prepared.frame
    for role in evidence.spec.roles:
        if role.color and not role.family and role.name in frame.columns and evidence.recipe.bindings.get(role.name):
            values: Any = frame[role.name].dropna()
            return list(dict.fromkeys(str(value) for value in values))
    return None
