"""G8: axes, legend and title name what the person bound."""

import re
from collections import Counter
from collections.abc import Sequence
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


class Names:
    """Texts to be recognised in a figure, perhaps wrapped or cut short with an ellipsis."""

    def __init__(self, names: Sequence[str]) -> None:
        self.plain = [plain(name) for name in names]

    def find(self, shown: str) -> list[int]:
        """The numbers of the names that a shown text may be: several when it was cut too short to tell."""
        text = plain(shown)
        if exact := [number for number, name in enumerate(self.plain) if name == text]:
            return exact
        for ellipsis in ELLIPSES:
            if text.endswith(ellipsis) and len(text) > len(ellipsis):
                start = text.removesuffix(ellipsis)
                return [number for number, name in enumerate(self.plain) if name.startswith(start)]
        return []

    def begin(self, shown: str) -> list[int]:
        """The names that a shown text begins with, longest first: a value may follow a name."""
        text = plain(shown)
        fits = [number for number, name in enumerate(self.plain) if name and text.startswith(name)]
        return sorted(fits, key=lambda number: -len(self.plain[number])) or self.find(shown)


def same_text(shown: str, expected: str) -> bool:
    """True when `shown` is `expected`, perhaps wrapped or cut short with an ellipsis."""
    return bool(Names([expected]).find(shown))


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
    names = Names(groups)
    counts = Counter(number for entry in listed for number in names.find(entry)[:1])
    if counts:
        if len(counts) == len(groups) and max(counts.values()) == 1:
            return ""
        entries = sum(counts.values())
        return f"The legend has {entries} entr{'y' if entries == 1 else 'ies'} for {len(groups)} groups."
    named = {number for text in beside for number in names.begin(text)[:1]}
    if len(named) == len(groups):
        return ""
    return f"Nothing says which color is which: {len(groups)} groups, {len(named)} of them named."


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
