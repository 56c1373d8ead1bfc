"""The quick controls of the composer: one for every operation that this plot takes."""

from typing import Any

from django.http import QueryDict

from agents_app.catalogue.spec import Spec
from agents_app.models import Version
from agents_app.recipe import labels
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid

SCALES = {"linear": "linear", "log": "logarithmic", "symlog": "logarithmic, also below zero"}
AXES = {"x": "x axis", "y": "y axis", "legend": "Legend", "size": "Size"}


def controls(spec: Spec, latest: Version | None) -> dict[str, Any]:
    """Which controls the plot has, with their present values; empty before the first version."""
    if latest is None:
        return {}
    recipe = Recipe.from_json(latest.recipe)
    texts = labels.axis_texts(recipe, spec, latest.columns)
    # A person means the axes of the picture; the options are those of the upright plot.
    upright = {axis: labels.upright(axis, recipe, spec) for axis in AXES}
    shown = [axis for axis in AXES if labels.has_axis(upright[axis], recipe, spec)]
    scaled = []
    for axis in ("x", "y"):
        option = spec.option_with(f"scale:{upright[axis]}")
        if option and axis in shown:
            scaled.append(
                {
                    "axis": axis,
                    "name": AXES[axis],
                    "now": recipe.options.get(option.name, option.default),
                    "choices": [(choice, SCALES.get(choice, choice)) for choice in option.choices],
                }
            )
    return {
        "title": texts.get("title", ""),
        "labels": [
            {"axis": axis, "name": AXES[axis], "now": texts.get(axis, "")}
            for axis in shown
            if spec.option_with(f"label:{upright[axis]}")
        ],
        "scales": scaled,
        "order": spec.order,
        "theme": latest.theme,
    }


def names(found: dict[str, Any]) -> list[str]:
    """What the controls of a plot are called, in their order."""
    offered = [
        ("Title", True),
        ("Labels", found.get("labels")),
        ("Log scale", found.get("scales")),
        ("Sort", found.get("order")),
        ("Top N", found.get("order")),
        ("Theme", True),
    ]
    return [name for name, there in offered if there]


def operation(form: QueryDict) -> dict[str, Any]:
    """The operation that a quick control's form says; its fields are those of the operation."""
    made: dict[str, Any] = {"op": form.get("op", "")}
    for name in ("text", "axis", "scale", "by", "order", "side", "value"):
        if name in form:
            made[name] = form[name]
    if "n" in form:
        try:
            made["n"] = int(str(form["n"]))
        except ValueError:
            raise Invalid(f"“{form['n']}” is not a whole number.") from None
    if form.get("others"):
        made["others"] = True
    return made
