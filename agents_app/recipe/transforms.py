"""What is done to the bound columns, in order, before they are drawn.

A transform is `{"kind": ..., ...}`, one of:

=============  ==========================================================================================
drop_missing   roles: rows without a value in one of them are left out; `missing` says in which there were some
melt           role, columns: the columns of a family become rows; `series` names the column
as_text        role, source `number|boolean|date`, format?: values become the names of categories
parse_date     role, source `iso|year`
fill_missing   role, text: a missing category is called so
fold           role, keep: all but the `keep` categories with the most rows become "other (n)"
count          by, into: rows of each combination are counted
aggregate      by, role, func: rows of each combination become one
keep_above     role, above: smaller or equal values are left out
sort           role, by, order, func?, numeric?: rows, or the categories of `role` by `func` of `by`
limit          role, by, n, side, others, func?: only the first or last `n` categories, the rest left out or lumped
=============  ==========================================================================================

`idle: true` marks one that changes nothing on this table: it is not written into `plot.py`.

`apply_transforms` computes them in plain Python, so that what a script drew can be compared with something
that the script's own pandas lines had no part in.
"""

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid

MISSING_NAME = "(missing)"
Row = dict[str, Any]
FUNCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "median": statistics.median,
    "min": min,
    "max": max,
    "count": len,
}


@dataclass(frozen=True)
class Prepared:
    """The rows that a plot draws, under the names of their roles, and what became of the table's rows.

    `rows` is {total, used, dropped, reasons: [sentences]}; `weights` how many rows of the table each row of
    `frame` stands for. `recipe` is the one that was applied, with transforms that change nothing marked idle.
    """

    frame: pd.DataFrame
    rows: dict[str, Any]
    recipe: Recipe
    weights: list[int] = field(default_factory=list)


class _Table:
    """Rows as dictionaries of role values; each knows how many rows of the table it stands for."""

    def __init__(self, rows: list[Row], names: dict[str, str]) -> None:
        self.rows = rows
        self.weights = [1] * len(rows)
        self.names = names
        self.reasons: list[str] = []

    def name(self, role: str) -> str:
        """What the person calls a role: its column."""
        return self.names.get(role, role)

    def keep(self, kept: list[bool]) -> int:
        """Keep some rows; says how many rows of the table went."""
        lost = sum(weight for weight, keep in zip(self.weights, kept, strict=True) if not keep)
        self.rows = [row for row, keep in zip(self.rows, kept, strict=True) if keep]
        self.weights = [weight for weight, keep in zip(self.weights, kept, strict=True) if keep]
        return lost

    def reorder(self, order: list[int]) -> None:
        """The rows in another order, given as their present places."""
        self.rows = [self.rows[place] for place in order]
        self.weights = [self.weights[place] for place in order]

    def groups(self, roles: list[str]) -> dict[tuple[Any, ...], list[int]]:
        """The places of the rows of each combination, in order of appearance; missing combinations are left out."""
        found: dict[tuple[Any, ...], list[int]] = {}
        for place, row in enumerate(self.rows):
            key = tuple(row[role] for role in roles)
            if None not in key:
                found.setdefault(key, []).append(place)
        return found


def apply_transforms(frame: pd.DataFrame, recipe: Recipe) -> Prepared:
    """Bind the columns of a canonical frame to their roles and apply the recipe's transforms in order.

    Raises Invalid when a bound column is not in the frame or a transform is unknown.
    """
    columns: dict[str, str] = {}
    for role, bound in recipe.bindings.items():
        names = bound if isinstance(bound, list) else [bound]
        for name in names:
            if name not in frame.columns:
                raise Invalid(f"The table has no column “{name}”, which is bound to {role}.")
        if not isinstance(bound, list):
            columns[role] = bound
    values = {role: [_plain(value) for value in frame[name].tolist()] for role, name in columns.items()}
    # A family's members wait under their own names until they are melted.
    for role, bound in recipe.bindings.items():
        if isinstance(bound, list):
            values |= {f"{role}\0{name}": [_plain(value) for value in frame[name].tolist()] for name in bound}
    keys = list(values)
    table = _Table([dict(zip(keys, row, strict=True)) for row in zip(*values.values(), strict=True)], columns)
    table.names |= {f"{role}\0": role for role in recipe.bindings}
    total = len(frame)
    applied: list[dict[str, Any]] = []
    for transform in recipe.transforms:
        step = STEPS.get(str(transform.get("kind")))
        if step is None:
            raise Invalid(f"Unknown transform {transform.get('kind')!r}.")
        seen = {key: value for key, value in transform.items() if key != "idle"}
        changed = step(table, seen)
        applied.append(seen if changed else {**seen, "idle": True})
    used = min(sum(table.weights), total)
    names = list(dict.fromkeys(key for row in table.rows[:1] for key in row)) or [
        key for key in keys if "\0" not in key
    ]
    result = pd.DataFrame({name: [row[name] for row in table.rows] for name in names})
    rows = {"total": total, "used": used, "dropped": total - used, "reasons": table.reasons}
    return Prepared(result, rows, recipe.with_(transforms=tuple(applied)), list(table.weights))


def _plain(value: Any) -> Any:
    """A cell as a Python value: missing is None, numbers int or float, dates Timestamp."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if hasattr(value, "item") else value


def _said(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def rows_text(count: int) -> str:
    """`1 row` or `1,204 rows`."""
    return f"{count:,} row{'' if count == 1 else 's'}"


def _drop_missing(table: _Table, transform: dict[str, Any]) -> bool:
    roles = transform["roles"]
    transform["missing"] = roles = [role for role in roles if any(row[role] is None for row in table.rows)]
    lost = table.keep([all(row[role] is not None for role in roles) for row in table.rows])
    if lost:
        table.reasons.append(f"{rows_text(lost)} without {_said([table.name(role) for role in roles])}")
    return lost > 0


def _melt(table: _Table, transform: dict[str, Any]) -> bool:
    role = transform["role"]
    rows: list[Row] = []
    for name in transform["columns"]:
        for row in table.rows:
            kept = {key: value for key, value in row.items() if not key.startswith(f"{role}\0")}
            rows.append({**kept, "series": name, role: row[f"{role}\0{name}"]})
    table.rows, table.weights = rows, [1] * len(rows)
    return True


def _as_text(table: _Table, transform: dict[str, Any]) -> bool:
    role = transform["role"]
    for row in table.rows:
        row[role] = None if row[role] is None else text_of(row[role], transform)
    return True


def text_of(value: Any, transform: dict[str, Any]) -> str:
    """The name that a number, a boolean or a date has as a category."""
    if transform["source"] == "boolean":
        return "yes" if value else "no"
    if transform["source"] == "date":
        return str(value.strftime(transform["format"]))
    return f"{float(value):.15g}"


def _parse_date(table: _Table, transform: dict[str, Any]) -> bool:
    role = transform["role"]
    for row in table.rows:
        if row[role] is not None and not isinstance(row[role], pd.Timestamp):
            row[role] = pd.Timestamp(int(row[role]), 1, 1) if transform["source"] == "year" else pd.Timestamp(row[role])
    return True


def _fill_missing(table: _Table, transform: dict[str, Any]) -> bool:
    role = transform["role"]
    found = False
    for row in table.rows:
        if row[role] is None:
            row[role], found = transform["text"], True
    return found


def _fold(table: _Table, transform: dict[str, Any]) -> bool:
    role = transform["role"]
    groups = table.groups([role])
    # A stable sort keeps the order of appearance among equals, as `nlargest` does.
    ranked = sorted(groups, key=lambda key: -len(groups[key]))
    kept = {key[0] for key in ranked[: transform["keep"]]}
    rest = len(ranked) - len(kept)
    if rest <= 1:  # one category alone is drawn under its own name
        return False
    for row in table.rows:
        if row[role] not in kept:
            row[role] = f"other ({rest})"
    return True


def _count(table: _Table, transform: dict[str, Any]) -> bool:
    groups = table.groups(transform["by"])
    weights = [sum(table.weights[place] for place in places) for places in groups.values()]
    table.rows = [
        {**dict(zip(transform["by"], key, strict=True)), transform["into"]: len(places)}
        for key, places in groups.items()
    ]
    table.weights = weights
    return True


def _aggregate(table: _Table, transform: dict[str, Any]) -> bool:
    groups = table.groups(transform["by"])
    role = transform["role"]
    function = FUNCTIONS[transform["func"]]
    repeated = any(len(places) > 1 for places in groups.values())
    weights = [sum(table.weights[place] for place in places) for places in groups.values()]
    table.rows = [
        {
            **dict(zip(transform["by"], key, strict=True)),
            # A single row keeps its value exactly.
            role: function([table.rows[place][role] for place in places])
            if len(places) > 1
            else table.rows[places[0]][role],
        }
        for key, places in groups.items()
    ]
    table.weights = weights
    return repeated


def _keep_above(table: _Table, transform: dict[str, Any]) -> bool:
    role, above = transform["role"], transform["above"]
    lost = table.keep([row[role] > above for row in table.rows])
    if lost:
        table.reasons.append(f"{rows_text(lost)} whose part would be {'zero' if above == 0 else f'{above:g}'} or less")
    return lost > 0


def _ranking(table: _Table, transform: dict[str, Any]) -> dict[Any, Any]:
    """The value by which each category is sorted or limited, in order of appearance."""
    function = FUNCTIONS[transform.get("func") or "sum"]
    groups = table.groups([transform["role"]])
    return {
        key[0]: function([table.rows[place][transform["by"]] for place in places]) for key, places in groups.items()
    }


def _sort(table: _Table, transform: dict[str, Any]) -> bool:
    role, by, descending = transform["role"], transform["by"], transform["order"] == "desc"
    places = list(range(len(table.rows)))
    if role == by or not transform.get("func"):
        key = _sort_key(transform)
        # Python's `reverse` keeps equals in their order, as a stable descending sort does.
        places.sort(key=lambda place: key(table.rows[place][by]), reverse=descending)
    else:
        ranked = _ranking(table, transform)
        order = {
            name: rank for rank, name in enumerate(sorted(ranked, key=lambda name: ranked[name], reverse=descending))
        }
        places.sort(key=lambda place: order[table.rows[place][role]])
    table.reorder(places)
    return True  # said in the script even where the rows happen to be in order: it is what the plot relies on


def _sort_key(transform: dict[str, Any]) -> Callable[[Any], Any]:
    if transform.get("numeric"):
        return float
    if transform.get("folded"):
        return lambda value: str(value).casefold()
    return lambda value: value


def _limit(table: _Table, transform: dict[str, Any]) -> bool:
    role, by, others = transform["role"], transform["by"], transform.get("others", False)
    ranked = _ranking(table, transform)
    order = sorted(ranked, key=lambda name: ranked[name], reverse=transform["side"] == "top")
    kept = set(order[: transform["n"]])
    rest = len(ranked) - len(kept)
    if rest <= (1 if transform.get("automatic") else 0):
        return False
    inside = [row[role] in kept for row in table.rows]
    if not others:
        lost = table.keep(inside)
        what = f"{rest:,} other value{'' if rest == 1 else 's'} of {table.name(role)}"
        table.reasons.append(f"{rows_text(lost)} of {what}")
        return True
    name = f"other ({rest})"
    outside = [place for place, keep in enumerate(inside) if not keep]
    if transform.get("func"):
        for place in outside:
            table.rows[place][role] = name
        table.reorder([place for place, keep in enumerate(inside) if keep] + outside)
        return True
    lump = {**table.rows[outside[0]], role: name}
    lump[by] = FUNCTIONS[transform.get("lump", "sum")]([table.rows[place][by] for place in outside])
    weight = sum(table.weights[place] for place in outside)
    table.keep(inside)
    table.rows.append(lump)
    table.weights.append(weight)
    return True


STEPS: dict[str, Callable[[_Table, dict[str, Any]], bool]] = {
    "drop_missing": _drop_missing,
    "melt": _melt,
    "as_text": _as_text,
    "parse_date": _parse_date,
    "fill_missing": _fill_missing,
    "fold": _fold,
    "count": _count,
    "aggregate": _aggregate,
    "keep_above": _keep_above,
    "sort": _sort,
    "limit": _limit,
}
