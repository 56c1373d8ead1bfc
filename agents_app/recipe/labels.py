"""Titles and labels from the person's own columns, unless they set them."""

import re
from typing import Any

from agents_app.catalogue.spec import COUNT, Spec
from agents_app.recipe.recipe import Recipe

ROWS = "Number of rows"
AGGREGATES = {
    "sum": "Sum of {}",
    "mean": "Mean {}",
    "median": "Median {}",
    "min": "Smallest {}",
    "max": "Largest {}",
    "count": "Number of {}",
}


def axis_texts(recipe: Recipe, spec: Spec, columns: list[dict[str, Any]]) -> dict[str, str]:
    """The texts that the figure must show: `title`, `x`, `y`, `legend`, `size`; empty where there is none.

    x and y are those of the picture: a plot that lies has them swapped.
    """
    texts = {axis: upright_text(axis, recipe, spec, columns) for axis in ("x", "y", "legend", "size")}
    for axis, text in recipe.labels.items():
        if axis in texts and has_axis(axis, recipe, spec):
            texts[axis] = text
    if swapped(recipe, spec):
        texts["x"], texts["y"] = texts["y"], texts["x"]
    title = recipe.labels.get("title")
    return {"title": title_text(recipe, spec, columns) if title is None else title, **texts}


def swapped(recipe: Recipe, spec: Spec) -> bool:
    """True when the picture's x axis is the upright plot's y axis."""
    option = spec.option_with("swap_axes")
    return bool(option and recipe.options.get(option.name, option.default))


def upright(axis: str, recipe: Recipe, spec: Spec) -> str:
    """The axis of the upright plot that a person means by an axis of the picture."""
    if swapped(recipe, spec):
        return {"x": "y", "y": "x"}.get(axis, axis)
    return axis


def axis_role(axis: str, spec: Spec) -> str:
    """The role that an upright axis shows, `count`, or nothing. A foreign plot's x and y are its roles of that name."""
    if spec.axes or axis not in ("x", "y"):
        return spec.axes.get(axis, "")
    # A plot without options draws as it likes: nothing is promised of its axes.
    return axis if spec.role(axis) and spec.option_with(f"label:{axis}") else ""


def has_axis(axis: str, recipe: Recipe, spec: Spec) -> bool:
    """True when an upright axis shows something: a bound role, or a count."""
    role = axis_role(axis, spec)
    return bool(role) and (role == COUNT or role in recipe.bindings or counted(recipe, role))


def upright_text(axis: str, recipe: Recipe, spec: Spec, columns: list[dict[str, Any]]) -> str:
    """What an upright axis is called, with the unit where it is known."""
    role = axis_role(axis, spec)
    if not role or not has_axis(axis, recipe, spec):
        return ""
    return ROWS if role == COUNT else role_text(role, recipe, columns)


def counted(recipe: Recipe, role: str) -> bool:
    """True when a role holds how many rows there are."""
    return any(step["kind"] == "count" and step["into"] == role for step in recipe.transforms)


def aggregate_of(recipe: Recipe, role: str) -> str:
    """The function that makes several rows one value of a role; empty when every row is its own."""
    for step in recipe.transforms:
        if step["kind"] == "aggregate" and step["role"] == role and not step.get("idle"):
            return str(step["func"])
    return ""


def role_text(role: str, recipe: Recipe, columns: list[dict[str, Any]], *, units: bool = True) -> str:
    """What a role shows, in the words of its column: `Sum of Revenue (€)`."""
    if counted(recipe, role):
        return ROWS
    bound = recipe.bindings.get(role)
    if bound is None:
        return ""
    name = ", ".join(bound) if isinstance(bound, list) else column_text(bound, columns, units=units)
    func = aggregate_of(recipe, role)
    return AGGREGATES.get(func, "{}").format(name) if func else name


def unit_of(role: str, recipe: Recipe, columns: list[dict[str, Any]]) -> str:
    """The unit of a role's column, or nothing where it is not known; a column of percents has “%”."""
    column = next((column for column in columns if column["name"] == recipe.bindings.get(role)), {})
    return str(column.get("unit") or ("%" if column.get("kind") == "percent" else ""))


def column_text(name: str, columns: list[dict[str, Any]], *, units: bool = True) -> str:
    """A column's name, with its unit in parentheses where that is known and not said yet."""
    column = next((column for column in columns if column["name"] == name), {})
    unit = column.get("unit")
    if not unit:
        return name
    said = f"({unit})"
    if name.endswith(said) and len(name) > len(said):
        return name if units else name.removesuffix(said).rstrip()
    last = re.split(r"[\s_(\[]+", name.rstrip(")] "))[-1]
    known = said in name or last.casefold() == str(unit).casefold()  # bill_length_mm says it already
    return name if known or not units else f"{name} {said}"


def title_text(recipe: Recipe, spec: Spec, columns: list[dict[str, Any]]) -> str:
    """A title from the columns, by the plot's own pattern: `bill_depth_mm by bill_length_mm`."""
    texts = {role.name: role_text(role.name, recipe, columns, units=False) for role in spec.roles}
    pattern = spec.title_pattern
    if not pattern:
        return " by ".join(dict.fromkeys(text for role in reversed(spec.roles) if (text := texts[role.name])))
    return re.sub(r"\{(\w+)\}", lambda match: texts.get(match[1], ""), pattern)
