"""The recipe of a new plot: what a reader would expect, from the roles, the columns and nothing else."""

import re
from typing import Any

from agents_app.catalogue.spec import Role, Spec
from agents_app.recipe.recipe import Bindings, Recipe
from agents_app.recipe.transforms import MISSING_NAME
from anyplot_site import bounds

# Words that have an order of their own, which neither the alphabet nor their values should break.
ORDERED_WORDS = (
    {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"},
    {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"}
    | {"december"},
    {"mon", "tue", "wed", "thu", "fri", "sat", "sun"},
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"},
    {"xs", "s", "m", "l", "xl", "xxl"},
    {"small", "medium", "large"},
    {"low", "medium", "high", "very low", "very high"},
    {"never", "rarely", "sometimes", "often", "always"},
    {"strongly disagree", "disagree", "neutral", "agree", "strongly agree"},
)
ORDERED_KINDS = ("year", "quarter", "week", "month", "time")
RANGE = re.compile(r"^[<>≤≥]?\s*\d")  # 10-19, < 5, 65+


def initial(spec: Spec, library: str, bindings: Bindings, columns: list[dict[str, Any]], theme: str) -> Recipe:
    """The first recipe of a pair on a table. `bindings` are checked ones: every required role is bound."""
    by_name = {column["name"]: column for column in columns}
    bound = {role.name: bindings[role.name] for role in spec.roles if bindings.get(role.name)}
    return Recipe(
        spec=spec.id,
        library=library,
        bindings=bound,
        theme=theme,
        canvas=spec.canvas,
        transforms=tuple(_transforms(spec, bound, by_name)),
    )


def own_order(column: dict[str, Any]) -> str:
    """The order that a column's values have as categories: `sorted`, `appearance`, or empty for none."""
    if column["type"] in ("number", "date"):
        return "sorted"
    sample = [str(value).strip().casefold() for value in column.get("sample") or [] if value is not None]
    if sample and (any(set(sample) <= words for words in ORDERED_WORDS) or all(RANGE.match(text) for text in sample)):
        return "appearance"
    return "appearance" if column.get("kind") in ORDERED_KINDS else ""


def sort_by_category(role: str, column: dict[str, Any], order: str = "asc") -> dict[str, Any]:
    """The transform that sorts by a category's own order: numbers by size, dates by time, names by the alphabet."""
    step: dict[str, Any] = {"kind": "sort", "role": role, "by": role, "order": order}
    if column["type"] == "number":
        step["numeric"] = True
    elif column["type"] != "date":
        step["folded"] = True
    return step


def lump_of(spec: Spec) -> str:
    """How the values of several categories become one: sums are summed, means averaged."""
    role = spec.role(spec.order.by) if spec.order else None
    func = (role.aggregate if role else None) or "sum"
    return "sum" if func in ("sum", "count") else "mean"


def _transforms(spec: Spec, bound: Bindings, columns: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    families = [role for role in spec.roles if isinstance(bound.get(role.name), list)]
    steps += [{"kind": "melt", "role": role.name, "columns": list(bound[role.name])} for role in families]
    named = [role for role in spec.roles if role.name in bound]
    needed = [role.name for role in named if role.required or not role.color]
    if needed:
        steps.append({"kind": "drop_missing", "roles": needed})
    singles = [role for role in named if role not in families]
    steps += [step for role in singles for step in _reading(role, columns[bound[role.name]])]
    for role in singles:
        if role.color and not role.required:
            steps.append({"kind": "fill_missing", "role": role.name, "text": MISSING_NAME})
    steps += _one_row_a_mark(spec, bound, singles, columns)
    steps += _in_order(spec, bound, singles, columns)
    return steps


def _reading(role: Role, column: dict[str, Any]) -> list[dict[str, Any]]:
    """How the values of a column become what the role needs."""
    kind = column["type"]
    wanted = {"number": "numeric", "date": "datetime", "boolean": "boolean"}.get(kind, "categorical")
    step: dict[str, Any] = {"kind": "as_text", "role": role.name, "source": kind}
    if wanted in role.types or "any" in role.types:
        # Dates are the one type that a CSV file can't say.
        return [{"kind": "parse_date", "role": role.name, "source": "iso"}] if kind == "date" else []
    if kind == "number" and "datetime" in role.types and column.get("kind") == "year":
        return [{"kind": "parse_date", "role": role.name, "source": "year"}]
    if kind == "date":
        step["format"] = _date_format(column)
    return [step] if kind in ("number", "date", "boolean") else []


def _date_format(column: dict[str, Any]) -> str:
    """Days without their midnight, unless some value has a time of day."""
    values = [column.get("min"), column.get("max"), *(column.get("sample") or [])]
    times = any("T" in str(value) and not str(value).endswith("T00:00:00") for value in values)
    return "%Y-%m-%d %H:%M" if times or "%H" in str(column.get("format") or "") else "%Y-%m-%d"


def _one_row_a_mark(
    spec: Spec, bound: Bindings, singles: list[Role], columns: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for role in singles:
        # Where categories are ranked by a value, the small ones are folded after it is known (`_in_order`).
        ranked = spec.order is not None and spec.order.role == role.name
        if role.color and not ranked and columns[bound[role.name]]["distinct"] > bounds.COLOR_ROLE_VALUES:
            steps.append({"kind": "fold", "role": role.name, "keep": bounds.COLOR_ROLE_VALUES - 1})
    if not spec.grain:
        return steps
    by = [name for name in spec.grain if name in bound]
    for role in spec.roles:
        if role.aggregate is None or role.name in spec.grain:
            continue
        if role.name in bound:
            steps.append({"kind": "aggregate", "by": by, "role": role.name, "func": role.aggregate})
        else:
            steps.append({"kind": "count", "by": by, "into": role.name})
        if role.minimum is not None and role.name in bound:
            steps.append({"kind": "keep_above", "role": role.name, "above": role.minimum})
    return steps


def _in_order(
    spec: Spec, bound: Bindings, singles: list[Role], columns: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    if spec.by_time and spec.by_time in bound:
        steps.append({"kind": "sort", "role": spec.by_time, "by": spec.by_time, "order": "asc"})
    ranked = spec.order
    if ranked and ranked.role in bound:
        column = columns[bound[ranked.role]]
        order = own_order(column)
        if order == "sorted":
            steps.append(sort_by_category(ranked.role, column))
        elif order == "" and ranked.initial:
            steps.append({"kind": "sort", "role": ranked.role, "by": ranked.by, "order": "desc"})
        role = spec.role(ranked.role)
        if role and role.color and column["distinct"] > bounds.COLOR_ROLE_VALUES:
            limit = {"kind": "limit", "role": ranked.role, "by": ranked.by, "n": bounds.COLOR_ROLE_VALUES - 1}
            steps.append({**limit, "side": "top", "others": True, "lump": lump_of(spec), "automatic": True})
    for role in singles:
        if role.color and not (ranked and ranked.role == role.name):
            column = columns[bound[role.name]]
            # The legend of numbers and dates runs in their order. Folded and missing ones have no number.
            plain = column["distinct"] <= bounds.COLOR_ROLE_VALUES and not column.get("missing")
            if own_order(column) == "sorted" and plain:
                steps.append(sort_by_category(role.name, column))
    return steps
