"""The quick controls of the composer: one for every operation that this plot takes."""

from typing import Any

from django.http import QueryDict

from agents_app.catalogue.spec import Spec
from agents_app.models import Session, Version
from agents_app.recipe import labels
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid

AXES = {"x": "x axis", "y": "y axis", "legend": "Legend", "size": "Size"}


def controls(session: Session, spec: Spec, latest: Version | None) -> dict[str, Any]:
    """Which controls the plot has, with their present values; empty before the first version."""
    if latest is None:
        return {}
    recipe = Recipe.from_json(latest.recipe)
    texts = labels.axis_texts(recipe, spec, latest.columns)
    labelled = [axis for axis in AXES if spec.option_with(f"label:{axis}") and texts.get(axis) is not None]
    scaled = []
    for axis in ("x", "y"):
        option = spec.option_with(f"scale:{axis}")
        if option:
            scaled.append({"axis": axis, "name": AXES[axis], "now": recipe.options.get(option.name, option.default)})
    return {
        "title": texts.get("title", ""),
        "labels": [{"axis": axis, "name": AXES[axis], "now": texts.get(axis, "")} for axis in labelled],
        "scales": scaled,
        "order": spec.order,
        "theme": latest.theme,
    }


def operation(form: QueryDict) -> dict[str, Any]:
    """The operation that a quick control's form says; its fields are those of the operation."""
    made: dict[str, Any] = {"op": form.get("op", "")}
    for name in ("text", "axis", "scale", "by", "order", "side", "value"):
        if name in form:
            made[name] = form[name]
    if "n" in form:
        try:
            made["n"] = int(form["n"])
        except ValueError:
            raise Invalid(f"“{form['n']}” is not a whole number.") from None
    if form.get("others"):
        made["others"] = True
    return made
