"""Whether bindings fit a plot, and one line with the nearest way out for each that does not."""

import difflib
from dataclasses import dataclass, field
from typing import Any

from agents_app.binding.accepts import Column, accepts, holds, needs
from agents_app.binding.propose import propose
from agents_app.catalogue.spec import Role, Spec
from agents_app.recipe.recipe import Bindings
from agents_app.refusals import BindingRefused
from anyplot_site import bounds

Line = dict[str, Any]
_NAMED = 5  # columns offered in a line


@dataclass(frozen=True)
class Checked:
    """Bindings that fit, and sentences on what is worth knowing about them."""

    bindings: Bindings
    notes: list[str] = field(default_factory=list)


def check(spec: Spec, columns: list[Column], bindings: Bindings | None) -> Checked:
    """The bindings, checked; None proposes all of them.

    Raises BindingRefused with `lines` [{role, column, text}], `roles` and `proposed`.
    """
    proposed = propose(spec, columns)
    given = proposed if bindings is None else bindings
    lines: list[Line] = []
    if not isinstance(given, dict):
        lines.append(_line(None, None, "Bindings are an object: {role: column name}."))
        given = {}
    by_name = {column["name"]: column for column in columns}
    kept: Bindings = {}
    for name, value in given.items():
        role = spec.role(name) if isinstance(name, str) else None
        if role is None:
            lines.append(_line(str(name), None, _no_role(spec, str(name))))
            continue
        fitting, faults = _members(role, value, columns, by_name)
        lines += faults
        if fitting and not faults:
            kept[role.name] = fitting if role.family else fitting[0]
    refused = {line["role"] for line in lines}
    for role in spec.roles:
        if role.required and role.name not in kept and role.name not in refused:
            lines.append(_line(role.name, None, _unbound(role, columns)))
    lines += _twice(spec, kept)
    if lines:
        count = len({line["role"] for line in lines})
        detail = lines[0]["text"] if len(lines) == 1 else f"{count} roles do not fit yet. {lines[0]['text']}"
        roles = [role.as_json() for role in spec.roles]
        raise BindingRefused(detail, lines=lines, roles=roles, proposed=proposed)
    ordered = {role.name: kept[role.name] for role in spec.roles if role.name in kept}
    return Checked(ordered, _notes(spec, ordered, by_name))


def _line(role: str | None, column: str | None, text: str) -> Line:
    return {"role": role, "column": column, "text": text}


def _members(
    role: Role, value: object, columns: list[Column], by_name: dict[str, Column]
) -> tuple[list[str], list[Line]]:
    """The columns that a role names, and what is wrong with them."""
    if value is None or value in ("", []):
        return [], []
    if isinstance(value, list) and not role.family:
        if len(value) != 1:
            text = f"{role.name} takes one column, not {len(value)}. Choose one of them."
            return [], [_line(role.name, None, text)]
        value = value[0]
    names = value if isinstance(value, list) else [value]
    lines: list[Line] = []
    for name in names:
        if not isinstance(name, str):
            lines.append(_line(role.name, None, f"{role.name} needs the name of a column."))
        elif name not in by_name:
            lines.append(_line(role.name, name, _no_column(role, name, columns)))
        elif not accepts(role, by_name[name]):
            lines.append(_line(role.name, name, _wrong_type(role, by_name[name], columns)))
        elif _below(role, by_name[name]):
            lines.append(_line(role.name, name, _too_small(role, by_name[name], columns)))
        elif names.count(name) > 1:
            text = f"`{name}` stands {names.count(name)} times in {role.name}. Name it once."
            if not any(line["text"] == text for line in lines):
                lines.append(_line(role.name, name, text))
    return [name for name in names if isinstance(name, str)], lines


def _below(role: Role, column: Column) -> bool:
    """True when no value of a column can be drawn in a role with a least value."""
    top = column.get("max")
    return role.minimum is not None and isinstance(top, (int, float)) and top <= role.minimum


def _too_small(role: Role, column: Column, columns: list[Column]) -> str:
    others = [c for c in columns if accepts(role, c) and not _below(role, c)]
    return f"`{column['name']}` has no value above {role.minimum:g}, which {role.name} needs.{_offer(role, others)}"


def _no_role(spec: Spec, name: str) -> str:
    names = [role.name for role in spec.roles]
    near = difflib.get_close_matches(name, names, 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"{spec.title} has no role `{name[:60]}`.{hint} Its roles: {', '.join(names)}."


def _no_column(role: Role, name: str, columns: list[Column]) -> str:
    names = [column["name"] for column in columns]
    folded = {known.casefold(): known for known in names}
    near = difflib.get_close_matches(name.casefold(), list(folded), 1)
    hint = f" Did you mean `{folded[near[0]]}`?" if near else ""
    fitting = [column for column in columns if accepts(role, column)]
    return f"There is no column `{name[:60]}` for {role.name}.{hint}{_offer(role, fitting)}"


def _wrong_type(role: Role, column: Column, columns: list[Column]) -> str:
    name = column["name"]
    if column["type"] == "number" and "categorical" in role.types and column.get("kind") != "empty":
        reason = f"`{name}` holds {column['distinct']:,} different numbers; {role.name} needs {needs(role)}"
        reason += f" (numbers with at most {bounds.CATEGORY_NUMBER_VALUES} different values count)"
    else:
        reason = f"`{name}` holds {holds(column)}; {role.name} needs {needs(role)}"
    fitting = [c for c in columns if accepts(role, c)]
    if not fitting:
        return f"{reason}. {_no_such(role, columns)}"
    return f"{reason}.{_offer(role, fitting)}"


def _unbound(role: Role, columns: list[Column]) -> str:
    fitting = [column for column in columns if accepts(role, column)]
    if not fitting:
        return f"{role.name} needs {needs(role)}. {_no_such(role, columns)}"
    few = [column for column in fitting if column.get("distinct", 0) <= bounds.COLOR_ROLE_VALUES]
    if role.color and not few:
        text = f"{role.name} is shown by color, so a column with at most {bounds.COLOR_ROLE_VALUES} values suits it"
        return f"{text}; every one here has more.{_offer(role, fitting)}"
    return f"{role.name} is not set; it needs {needs(role)}.{_offer(role, fitting)}"


def _no_such(role: Role, columns: list[Column]) -> str:
    """The way out where no column of a table can fill a role."""
    words = [column for column in columns if column["type"] in ("text", "category") and column.get("kind") != "empty"]
    if "numeric" in role.types:
        hint = "This table has no column of numbers."
        digits = [c["name"] for c in words if any(any(d.isdecimal() for d in str(v)) for v in c.get("sample", []))]
        if digits:
            return f"{hint} Should `{digits[0]}` be one? Set its type to number."
        return f"{hint} Bring one, or choose a plot that counts rows."
    if "datetime" in role.types:
        hint = "This table has no column of dates."
        return f"{hint} If one holds dates, set its type to date; else choose a plot that needs none."
    return "This table has no such column. Change a column's type, or choose another plot."


def _offer(role: Role, fitting: list[Column]) -> str:
    """The columns to choose from instead."""
    fitting = sorted(fitting, key=lambda column: column.get("kind") in ("id", "constant"))
    if not fitting:
        return ""
    kinds = {"numeric": "Numeric", "datetime": "Date", "categorical": "Category", "boolean": "Yes/no"}
    word = kinds.get(role.types[0], "Fitting") if len(role.types) == 1 else "Fitting"
    names = ", ".join(f"`{column['name']}`" for column in fitting[:_NAMED])
    return f" {word} columns: {names}{', …' if len(fitting) > _NAMED else '.'}"


def _twice(spec: Spec, kept: Bindings) -> list[Line]:
    """The same column in two required roles shows nothing; an optional one may repeat another."""
    lines = []
    seen: dict[str, Role] = {}
    for role in spec.roles:
        value = kept.get(role.name)
        for name in value if isinstance(value, list) else [value] if value else []:
            first = seen.get(name)
            if first is not None and first.required and role.required and first is not role:
                text = f"`{name}` is already {first.name}; {role.name} needs another column."
                lines.append(_line(role.name, name, text))
            seen.setdefault(name, role)
    return lines


def _notes(spec: Spec, bindings: Bindings, by_name: dict[str, Column]) -> list[str]:
    notes = []
    for role in spec.roles:
        value = bindings.get(role.name)
        for name in value if isinstance(value, list) else [value] if value else []:
            column = by_name[name]
            distinct = column.get("distinct", 0)
            if role.color and "categorical" in role.types and distinct > bounds.COLOR_ROLE_VALUES:
                notes.append(
                    f"`{name}` has {distinct:,} values; more than {bounds.COLOR_ROLE_VALUES} colors "
                    "cannot be told apart, so the rarest are taken together."
                )
            if column.get("kind") == "id" and "numeric" in role.types and column["type"] == "number":
                notes.append(f"`{name}` looks like a code rather than a quantity.")
            if distinct == 1:
                notes.append(f"`{name}` has the same value in every row.")
            if role.minimum is not None and (column.get("min") or 0) < role.minimum:
                notes.append(f"`{name}` has values below {role.minimum:g}, which {role.name} cannot show.")
        if value is None and role.aggregate is not None and not role.required:
            notes.append(f"{role.name} is left out: rows are counted.")
    return notes
