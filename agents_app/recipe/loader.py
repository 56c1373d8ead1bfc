"""The recipe's reading of `data.csv` as pandas lines: what a person would write, one comment a step."""

from collections.abc import Callable
from typing import Any

from agents_app.recipe.literals import call, literal
from agents_app.recipe.recipe import Recipe

TEXT_TYPES = ("category", "text")


def loader_lines(recipe: Recipe, columns: list[dict[str, Any]]) -> str:
    """Python source that leaves the frame `df` as the plot draws it; idle transforms are not written."""
    steps = [_read(recipe, columns), _rename(recipe)]
    for transform in recipe.transforms:
        if not transform.get("idle"):
            steps.append(LINES[transform["kind"]](transform, recipe))
    return "\n".join(step for step in steps if step) + "\n"


def bound_columns(recipe: Recipe) -> list[str]:
    """The names of the bound columns, each once, in the order of the roles."""
    names: list[str] = []
    for bound in recipe.bindings.values():
        names += bound if isinstance(bound, list) else [bound]
    return list(dict.fromkeys(names))


def _read(recipe: Recipe, columns: list[dict[str, Any]]) -> str:
    names = bound_columns(recipe)
    types = {column["name"]: column["type"] for column in columns}
    texts = {name: "str" for name in names if types.get(name) in TEXT_TYPES}
    arguments = [literal("data.csv"), f"usecols={literal(names)}"]
    if texts:
        arguments.append(f"dtype={literal(texts)}")
    # A cell that says NA or None is a name like any other: only an empty one is missing.
    arguments += ["keep_default_na=False", 'na_values=[""]']
    return "# Read the columns that the plot shows; only an empty cell is missing.\n" + call(
        "df = pd.read_csv", arguments
    )


def _rename(recipe: Recipe) -> str:
    first: dict[str, str] = {}  # column -> the role that it is renamed to
    copies: list[tuple[str, str]] = []
    for role, bound in recipe.bindings.items():
        if isinstance(bound, list):
            continue
        if bound in first:
            copies.append((role, first[bound]))
        else:
            first[bound] = role
    families = {name for bound in recipe.bindings.values() if isinstance(bound, list) for name in bound}
    moved = {name: role for name, role in first.items() if name != role and name not in families}
    lines = []
    if moved:
        mapping = [f"{literal(name)}: {literal(role)}" for name, role in moved.items()]
        line = "df = df.rename(columns={" + ", ".join(mapping) + "})"
        if len(line) > 110:
            line = "df = df.rename(\n    columns={\n" + "".join(f"        {item},\n" for item in mapping) + "    }\n)"
        lines += ["# Name them by their role in the plot.", line]
    for name in families & first.keys():
        lines += [f"df[{literal(first[name])}] = df[{literal(name)}]"]
    for role, other in copies:
        lines.append(f"df[{literal(role)}] = df[{literal(other)}]")
    return "\n".join(lines)


def _drop_missing(transform: dict[str, Any], recipe: Recipe) -> str:
    roles = transform["roles"]
    said = roles[0] if len(roles) == 1 else ", ".join(roles[:-1]) + " or " + roles[-1]
    return f"# Leave out rows without {said}.\ndf = df.dropna(subset={literal(roles)})"


def _melt(transform: dict[str, Any], recipe: Recipe) -> str:
    role = transform["role"]
    keep = [name for name, bound in recipe.bindings.items() if not isinstance(bound, list)]
    arguments = [
        f"id_vars={literal(keep)}",
        f"value_vars={literal(transform['columns'])}",
        'var_name="series"',
        f"value_name={literal(role)}",
    ]
    return "# Put the columns below each other, a series each.\n" + call("df = df.melt", arguments)


def _as_text(transform: dict[str, Any], recipe: Recipe) -> str:
    place = f"df[{literal(transform['role'])}]"
    if transform["source"] == "boolean":
        return f'# Say yes and no.\n{place} = {place}.map({{True: "yes", False: "no"}})'
    if transform["source"] == "date":
        shape = literal(transform["format"])
        return f'# Take the dates as names.\n{place} = pd.to_datetime({place}, format="ISO8601").dt.strftime({shape})'
    return f'# Take the numbers as names.\n{place} = {place}.map("{{:.15g}}".format, na_action="ignore")'


def _parse_date(transform: dict[str, Any], recipe: Recipe) -> str:
    place = f"df[{literal(transform['role'])}]"
    if transform["source"] == "year":
        return f'# A year is its first day.\n{place} = pd.to_datetime({place}.astype(int).astype(str), format="%Y")'
    return f'# Read the dates.\n{place} = pd.to_datetime({place}, format="ISO8601")'


def _fill_missing(transform: dict[str, Any], recipe: Recipe) -> str:
    place = f"df[{literal(transform['role'])}]"
    name = literal(transform["text"])
    return f"# Keep rows without a {transform['role']}, under a name of their own.\n{place} = {place}.fillna({name})"


def _fold(transform: dict[str, Any], recipe: Recipe) -> str:
    role = literal(transform["role"])
    return "\n".join(
        (
            f"# Draw all but the {transform['keep']} most common as one.",
            f"common = df.groupby({role}, sort=False).size().nlargest({transform['keep']}).index",
            f"rare = df.loc[~df[{role}].isin(common), {role}].nunique()",
            f'df[{role}] = df[{role}].where(df[{role}].isin(common), f"other ({{rare}})")',
        )
    )


def _count(transform: dict[str, Any], recipe: Recipe) -> str:
    by = transform["by"]
    line = f"df = df.groupby({_keys(by)}, sort=False).size().reset_index(name={literal(transform['into'])})"
    return f"# Count the rows of each {' and '.join(by)}.\n{line}"


def _aggregate(transform: dict[str, Any], recipe: Recipe) -> str:
    by, func = transform["by"], transform["func"]
    said = {"sum": "Add up", "mean": "Average", "median": "Take the median of"}.get(func, f"Take the {func} of")
    line = f"df = df.groupby({_keys(by)}, sort=False, as_index=False)[{literal(transform['role'])}].{func}()"
    return f"# {said} the rows of each {' and '.join(by)}.\n{line}"


def _keep_above(transform: dict[str, Any], recipe: Recipe) -> str:
    place = f"df[{literal(transform['role'])}]"
    return f"# Nothing of {transform['above']:g} or less can be a part.\ndf = df[{place} > {transform['above']:g}]"


def _sort(transform: dict[str, Any], recipe: Recipe) -> str:
    role, by, descending = transform["role"], transform["by"], transform["order"] == "desc"
    direction = ", ascending=False" if descending else ""
    if role == by or not transform.get("func"):
        key = ""
        if transform.get("numeric"):
            key = ", key=pd.to_numeric"
        elif transform.get("folded"):
            key = ", key=lambda names: names.str.casefold()"
        line = f'df = df.sort_values({literal(by)}{direction}{key}, kind="stable")'
        return f"# Sort by {by}{', largest first' if descending and by != role else ''}.\n{line}"
    return "\n".join(
        (
            f"# Sort each {role} by the {transform['func']} of its {by}{', largest first' if descending else ''}.",
            f"order = df.groupby({literal(role)}, sort=False)[{literal(by)}].{transform['func']}()"
            f'.sort_values({direction.removeprefix(", ")}{", " if descending else ""}kind="stable").index',
            f'df = df.iloc[order.get_indexer(df[{literal(role)}]).argsort(kind="stable")]',
        )
    )


def _limit(transform: dict[str, Any], recipe: Recipe) -> str:
    role, by, n = literal(transform["role"]), literal(transform["by"]), transform["n"]
    pick = "nlargest" if transform["side"] == "top" else "nsmallest"
    word = "largest" if transform["side"] == "top" else "smallest"
    others = transform.get("others", False)
    func = transform.get("func") or "sum"
    end = ", the rest as one" if others else ""
    middle = f"the {func} of the " if transform.get("func") else ""
    lines = [
        f"# Keep the {n} {word} by {middle}{transform['by']}{end}.",
        f"kept = df.groupby({role}, sort=False)[{by}].{func}().{pick}({n}).index",
    ]
    inside = f"df[{role}].isin(kept)"
    if not others:
        return "\n".join([*lines, f"df = df[{inside}]"])
    lines.append(f"rest = df[~{inside}]")
    if transform.get("func"):
        lines.append(f"rare = rest[{role}].nunique()")
        lines.append(f'rest = rest.assign({transform["role"]}=f"other ({{rare}})")')
        lines.append(f"df = pd.concat([df[{inside}], rest])")
    else:
        lump = transform.get("lump", "sum")
        lines.append(f'other = pd.DataFrame({{{role}: [f"other ({{len(rest)}})"], {by}: [rest[{by}].{lump}()]}})')
        lines.append(f"df = pd.concat([df[{inside}], other], ignore_index=True)")
    return "\n".join(lines)


def _keys(by: list[str]) -> str:
    return literal(by[0]) if len(by) == 1 else literal(by)


LINES: dict[str, Callable[[dict[str, Any], Recipe], str]] = {
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
