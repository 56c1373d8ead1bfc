"""What a person asks for, as typed changes of a recipe, each said back in words.

An operation is `{"op": name, ...fields}`. One that a plot can't do is refused with what is in the way and the
way out; nothing is ignored and nothing is guessed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agents_app.catalogue.spec import COUNT, Option, Spec
from agents_app.recipe import build, words
from agents_app.recipe.labels import aggregate_of, axis_role, counted, has_axis, role_text, upright
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid
from anyplot_site import bounds

AXES = ("x", "y", "legend", "size")
SCALES = ("linear", "log", "symlog")
SCALE_WORDS = {"linear": "a linear", "log": "a logarithmic", "symlog": "a symmetric logarithmic"}


@dataclass(frozen=True)
class Field:
    """A field of an operation. `choices` empty: any value of its type."""

    type: type
    required: bool = True
    choices: tuple[Any, ...] = ()
    default: Any = None
    least: int | None = None
    longest: int | None = None


FIELDS: dict[str, dict[str, Field]] = {
    "set_title": {"text": Field(str, longest=bounds.LABEL_CHARACTERS)},
    "set_label": {"axis": Field(str, choices=AXES), "text": Field(str, longest=bounds.LABEL_CHARACTERS)},
    "set_scale": {"axis": Field(str, choices=("x", "y")), "scale": Field(str, choices=SCALES)},
    "sort": {
        "by": Field(str, required=False, default="value"),
        "order": Field(str, required=False, choices=("asc", "desc"), default=""),
    },
    "limit": {
        "n": Field(int, least=1),
        "side": Field(str, required=False, choices=("top", "bottom"), default="top"),
        "by": Field(str, required=False, default="value"),
        "others": Field(bool, required=False, default=False),
    },
    "theme": {"value": Field(str, choices=("light", "dark"))},
}
KNOWN = tuple(FIELDS)
TYPE_WORDS = {str: "a text", int: "a whole number", bool: "true or false"}


@dataclass(frozen=True)
class Applied:
    """The changed recipe and a sentence for each operation."""

    recipe: Recipe
    changes: list[str] = field(default_factory=list)


def validate(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The operations with their defaults filled in. Raises Invalid that names the place: `operations[0].axis: ...`."""
    if not isinstance(operations, list):
        raise Invalid("operations: a list is expected.")
    if len(operations) > bounds.OPERATIONS:
        raise Invalid(f"operations: {len(operations)} in one message; at most {bounds.OPERATIONS}.")
    return [_validated(operation, f"operations[{place}]") for place, operation in enumerate(operations)]


def apply(recipe: Recipe, operations: list[dict[str, Any]], spec: Spec, columns: list[dict[str, Any]]) -> Applied:
    """The recipe after the operations, in order. Raises Invalid with the place, what is in the way and the way out."""
    changes: list[str] = []
    for place, operation in enumerate(validate(operations)):
        context = _Context(recipe, spec, columns, f"operations[{place}]")
        recipe, phrase = APPLY[operation["op"]](context, operation)
        changes.append(words.sentence(phrase))
    return Applied(recipe, changes)


@dataclass(frozen=True)
class _Context:
    recipe: Recipe
    spec: Spec
    columns: list[dict[str, Any]]
    place: str

    def refuse(self, field_name: str, sentence: str) -> Invalid:
        return Invalid(f"{self.place}.{field_name}: {sentence}")

    def column(self, role: str) -> dict[str, Any]:
        return next(column for column in self.columns if column["name"] == self.recipe.bindings[role])


def _validated(operation: Any, place: str) -> dict[str, Any]:
    if not isinstance(operation, dict):
        raise Invalid(f"{place}: an object with “op” is expected.")
    name = operation.get("op")
    if not isinstance(name, str) or name not in FIELDS:
        raise Invalid(f"{place}.op: {name!r} is not an operation; there are {', '.join(KNOWN)}.")
    fields = FIELDS[name]
    if unknown := sorted(str(key) for key in operation.keys() - fields.keys() - {"op"}):
        raise Invalid(f"{place}.{unknown[0]}: {name} has no such field; it has {', '.join(fields)}.")
    result: dict[str, Any] = {"op": name}
    for key, wanted in fields.items():
        where = f"{place}.{key}"
        if key not in operation:
            if wanted.required:
                raise Invalid(f"{where}: {name} needs it.")
            result[key] = wanted.default
            continue
        result[key] = _checked(operation[key], wanted, where)
    return result


def _checked(value: Any, wanted: Field, where: str) -> Any:
    if not isinstance(value, wanted.type) or (wanted.type is int and isinstance(value, bool)):
        raise Invalid(f"{where}: {TYPE_WORDS[wanted.type]} is expected.")
    if wanted.choices and value not in wanted.choices:
        raise Invalid(f"{where}: {value!r} is not one of {', '.join(wanted.choices)}.")
    if wanted.least is not None and isinstance(value, int) and value < wanted.least:
        raise Invalid(f"{where}: {value} is too small; at least {wanted.least}.")
    if wanted.longest is not None and isinstance(value, str) and len(value) > wanted.longest:
        raise Invalid(f"{where}: {len(value)} characters; at most {wanted.longest}.")
    return value


def _set_title(context: _Context, operation: dict[str, Any]) -> tuple[Recipe, str]:
    if context.spec.option_with("title") is None:
        raise context.refuse("op", "This plot has no place for a title.")
    text = operation["text"].strip()
    labels = {**context.recipe.labels, "title": text}
    return context.recipe.with_(labels=labels), f"title “{text}”" if text else "no title"


def _set_label(context: _Context, operation: dict[str, Any]) -> tuple[Recipe, str]:
    axis = upright(operation["axis"], context.recipe, context.spec)
    shown = words.AXES[operation["axis"]]
    role = axis_role(axis, context.spec)
    if not role or context.spec.option_with(f"label:{axis}") is None:
        there = [name for name in AXES if has_axis(name, context.recipe, context.spec)]
        way = f"There is {words.listed([words.AXES[name] for name in there], 'and')}." if there else "Set the title."
        raise context.refuse("axis", f"A {context.spec.title.lower()} has no {shown}. {way}")
    if not has_axis(axis, context.recipe, context.spec):
        raise context.refuse("axis", f"There is no {shown}, since no column is chosen for {role}. Choose one first.")
    text = operation["text"].strip()
    labels = {**context.recipe.labels, axis: text}
    return context.recipe.with_(labels=labels), f"{shown} named “{text}”" if text else f"{shown} without a name"


def _set_scale(context: _Context, operation: dict[str, Any]) -> tuple[Recipe, str]:
    recipe, spec = context.recipe, context.spec
    axis, scale = upright(operation["axis"], recipe, spec), operation["scale"]
    option = spec.option_with(f"scale:{axis}")
    if option is None:
        raise context.refuse("axis", _no_scale(context, axis, operation["axis"]))
    if scale not in option.choices:
        choices = words.listed([str(choice) for choice in option.choices], "or")
        raise context.refuse("scale", f"The {operation['axis']} axis of this plot can be {choices}.")
    _refuse_log_of_nothing(context, axis, operation, option)
    changed = recipe.with_(
        options={**recipe.options, option.name: scale}, asked=tuple(dict.fromkeys((*recipe.asked, option.name)))
    )
    return changed, f"{words.AXES[operation['axis']]} on {SCALE_WORDS[scale]} scale"


def _no_scale(context: _Context, axis: str, shown: str) -> str:
    role = axis_role(axis, context.spec)
    others = [
        ("y" if shown == "x" else "x")
        for name in ("x", "y")
        if name != axis and context.spec.option_with(f"scale:{name}") is not None
    ]
    way = f" The {others[0]} axis can have a scale." if others else ""
    bound = context.recipe.bindings.get(role)
    if not role:
        return f"A {context.spec.title.lower()} has no {shown} axis.{way}"
    found = context.spec.role(role)
    if found is not None and "datetime" in found.types:
        return f"The {shown} axis shows dates ({bound}), which have no such scale.{way}"
    return f"The {shown} axis shows the categories of {bound}; a scale needs numbers.{way}"


def _refuse_log_of_nothing(context: _Context, axis: str, operation: dict[str, Any], option: Option) -> None:
    """A logarithm needs positive values; a count always is one."""
    role = axis_role(axis, context.spec)
    if operation["scale"] != "log" or role == COUNT or counted(context.recipe, role):
        return
    column = context.column(role)
    least = column.get("min")
    if not isinstance(least, int | float) or least > 0:
        return
    way = "Use symlog, which can." if "symlog" in option.choices else "Leave it linear."
    name = role_text(role, context.recipe, context.columns, units=False)
    raise context.refuse(
        "scale", f"{name} has values of zero or less (down to {least:g}), which a log axis can't show. {way}"
    )


def _by(context: _Context, by: str) -> str:
    """The role that `value`, `category` or a column's name means. Raises Invalid."""
    spec, recipe = context.spec, context.recipe
    order = spec.order
    if order is None:
        reason = "its rows have the order of time" if spec.by_time else "its marks have places of their own"
        raise context.refuse(
            "op", f"A {spec.title.lower()} can't be sorted or cut to a number of values: {reason}. A bar chart can."
        )
    if by in ("value", order.by):
        return order.by
    if by in ("category", order.role):
        return order.role
    for role in (order.by, order.role):
        if recipe.bindings.get(role) == by:
            return role
    names = [str(recipe.bindings.get(role, "the number of rows")) for role in (order.by, order.role)]
    raise context.refuse(
        "by", f"“{by}” is not shown in this plot; it can be done by value ({names[0]}) or by category ({names[1]})."
    )


def _sort(context: _Context, operation: dict[str, Any]) -> tuple[Recipe, str]:
    by = _by(context, operation["by"])
    order = context.spec.order
    assert order is not None
    if by == order.role:
        step = build.sort_by_category(order.role, context.column(order.role), operation["order"] or "asc")
    else:
        step = {"kind": "sort", "role": order.role, "by": by, "order": operation["order"] or "desc"}
        if order.func:
            step["func"] = order.func
    steps = list(context.recipe.transforms)
    kept = [old for old in steps if not (old["kind"] == "sort" and old["role"] == order.role)]
    # A limit's “other” stays last, so the sort goes before it.
    place = next((number for number, old in enumerate(kept) if old["kind"] == "limit"), len(kept))
    return _with_steps(context.recipe, [*kept[:place], step, *kept[place:]], "sort"), words.sorted_phrase(
        step, context.recipe
    )


def _limit(context: _Context, operation: dict[str, Any]) -> tuple[Recipe, str]:
    by = _by(context, operation["by"])
    order = context.spec.order
    assert order is not None
    if by == order.role:
        raise context.refuse("by", "The largest and smallest are found by value; leave “by” out or say “value”.")
    step: dict[str, Any] = {"kind": "limit", "role": order.role, "by": by, "n": operation["n"]}
    step |= {"side": operation["side"], "others": operation["others"]}
    step |= {"func": order.func} if order.func else {"lump": _lump(context)}
    kept = [old for old in context.recipe.transforms if old["kind"] != "limit"]
    return _with_steps(context.recipe, [*kept, step], "limit"), words.limit_phrase(step, context.recipe)


def _lump(context: _Context) -> str:
    order = context.spec.order
    assert order is not None
    if counted(context.recipe, order.by):
        return "sum"
    func = aggregate_of(context.recipe, order.by)
    return build.lump_of(context.spec) if not func else ("sum" if func in ("sum", "count") else "mean")


def _with_steps(recipe: Recipe, steps: list[dict[str, Any]], asked: str) -> Recipe:
    return recipe.with_(transforms=tuple(steps), asked=tuple(dict.fromkeys((*recipe.asked, asked))))


def _theme(context: _Context, operation: dict[str, Any]) -> tuple[Recipe, str]:
    return context.recipe.with_(theme=operation["value"]), f"{operation['value']} theme"


APPLY: dict[str, Callable[[_Context, dict[str, Any]], tuple[Recipe, str]]] = {
    "set_title": _set_title,
    "set_label": _set_label,
    "set_scale": _set_scale,
    "sort": _sort,
    "limit": _limit,
    "theme": _theme,
}
