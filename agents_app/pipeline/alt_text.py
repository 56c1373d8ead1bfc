"""A sentence for those who can't see the picture: what kind of plot, of what, how much, from where to where."""

import math
from typing import Any

from agents_app.catalogue.spec import Spec
from agents_app.recipe.labels import role_text
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import Prepared

GROUPS_NAMED = 6


def alt_text(recipe: Recipe, spec: Spec, columns: list[dict[str, Any]], prepared: Prepared) -> str:
    """What the plot shows, from the recipe and the values that were drawn; says nothing that was not computed."""
    frame, rows = prepared.frame, prepared.rows
    names = {role.name: role_text(role.name, recipe, columns) for role in spec.roles}
    shown = list(dict.fromkeys(name for name in names.values() if name))
    used = rows.get("used", len(frame))
    said = [
        f"{spec.title} of {_joined(shown)}, from {used:,} row{'s' * (used != 1)}{_dropped(rows.get('dropped', 0))}."
    ]
    for role, name in names.items():
        if name and role in frame.columns and (sentence := _range(name, frame[role])):
            said.append(sentence)
    return " ".join(said)


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else ""


def _dropped(count: int) -> str:
    return f" ({count:,} left out)" if count else ""


def _range(name: str, values: Any) -> str:
    """`Revenue (€) runs from 3 to 120`, or for categories their names or number; empty when nothing is there."""
    present = values.dropna()
    if present.empty:
        return ""
    first = present.iloc[0]
    if isinstance(first, str | bool):
        groups = list(dict.fromkeys(str(value) for value in present))
        return f"{name}: {_joined(groups)}." if len(groups) <= GROUPS_NAMED else f"{name} has {len(groups):,} values."
    low, high = present.min(), present.max()
    write = _day if hasattr(first, "isoformat") else _number
    if low == high:
        return f"{name} is {write(low)} throughout."
    return f"{name} runs from {write(low)} to {write(high)}."


def _day(value: Any) -> str:
    return str(value.isoformat()).removesuffix("T00:00:00")


def _number(value: Any) -> str:
    """A number as a person reads it: four significant digits, thousands separated."""
    value = float(value)
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if 1e-4 <= abs(value) < 1e12:
        decimals = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.4g}"
