"""How the parts of a figure are called when a verdict speaks of them."""

from collections.abc import Iterable

ONE = {
    "title": "the title",
    "suptitle": "the title",
    "xlabel": "the x axis label",
    "ylabel": "the y axis label",
    "xtick": "a label on the x axis",
    "ytick": "a label on the y axis",
    "legend": "the legend",
    "legend_title": "the legend",
    "annotation": "a label in the plot",
}
MANY = {
    "title": "titles",
    "suptitle": "titles",
    "xlabel": "x axis labels",
    "ylabel": "y axis labels",
    "xtick": "labels on the x axis",
    "ytick": "labels on the y axis",
    "legend": "legend entries",
    "legend_title": "legend titles",
    "annotation": "labels in the plot",
}


def one(role: str) -> str:
    """A single text of this role, with its article."""
    return ONE.get(role, "a text")


def counted(number: int, total: int, role: str) -> str:
    """`3 of 14 labels on the x axis`, or the single one by name."""
    if total == 1:
        return one(role)
    return f"{number} of {total} {MANY.get(role, 'texts')}"


def sentence(parts: Iterable[str], most: int = 3) -> str:
    """Clauses as one sentence; beyond `most` the rest is counted."""
    clauses = list(parts)
    shown = clauses[:most]
    if len(clauses) > most:
        shown.append(f"and {len(clauses) - most} more")
    joined = "; ".join(shown)
    return joined[:1].upper() + joined[1:] + "."
