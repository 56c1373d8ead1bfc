"""A sentence for those who can't see the picture: what kind of plot, of what, how much, from where to where."""

import datetime
import math
from typing import Any

from agents_app.catalogue.spec import Spec
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import Prepared

GROUPS_NAMED = 6


def alt_text(recipe: Recipe, spec: Spec, columns: list[dict[str, Any]], prepared: Prepared) -> str:
    """What the plot shows, from the recipe and the values that were drawn; says nothing that was not computed."""
    frame = prepared.frame
    units = {column["name"]: column.get("unit") for column in columns}
    bound = {role.name: recipe.bindings.get(role.name) for role in spec.roles}
    parts = [f"{spec.title} of {_joined(_names(bound, units)) or 'the table'}"]
    rows = prepared.rows
    used = rows.get("used", len(frame))
    parts.append(f"from {used:,} row{'s' * (used != 1)}" + _dropped(rows.get("dropped", 0)))
    sentences = [", ".join(parts) + "."]
    for role in spec.roles:
        if role.name not in frame.columns or (bound.get(role.name) is None and role.aggregate is None):
            continue
        name = bound[role.name] if isinstance(bound.get(role.name), str) else "Number of rows"
        if said := _range(str(name), frame[role.name], units.get(str(name))):
            sentences.append(said)
    return " ".join(sentences)


def _names(bound: dict[str, Any], units: dict[str, Any]) -> list[str]:
    names: list[str] = []
    for value in bound.values():
        for name in value if isinstance(value, list) else [value]:
            if name and name not in names:
                names.append(name)
    return [f"{name} ({units[name]})" if units.get(name) else name for name in names]


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else ""


def _dropped(count: int) -> str:
    return f" ({count:,} left out)" if count else ""


def _range(name: str, values: Any, unit: str | None) -> str:
    """`Revenue runs from 3 to 120 €`, or for categories their names or number; empty when nothing is there."""
    present = values.dropna()
    if present.empty:
        return ""
    first = present.iloc[0]
    if isinstance(first, str | bool) or present.dtype == object:
        groups = list(dict.fromkeys(str(value) for value in present))
        if len(groups) <= GROUPS_NAMED:
            return f"{name}: {_joined(groups)}."
        return f"{name} has {len(groups):,} values."
    low, high = present.min(), present.max()
    if isinstance(first, datetime.date | datetime.datetime) or hasattr(first, "isoformat"):
        return f"{name} runs from {_day(low)} to {_day(high)}."
    tail = f" {unit}" if unit else ""
    if low == high:
        return f"{name} is {_number(float(low))}{tail} throughout."
    return f"{name} runs from {_number(float(low))} to {_number(float(high))}{tail}."


def _day(value: Any) -> str:
    return str(value.isoformat()).removesuffix("T00:00:00")


def _number(value: float) -> str:
    """A number as a person reads it: four significant digits, thousands separated."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if 1e-4 <= abs(value) < 1e12:
        decimals = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.4g}"
