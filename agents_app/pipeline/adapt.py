"""Step 1: the catalogue's script becomes the person's `plot.py`, and the table becomes what it should show."""

from dataclasses import dataclass, field
from typing import Any

from agents_app.catalogue import catalogue
from agents_app.catalogue.spec import Spec
from agents_app.intake import read_canonical
from agents_app.pipeline.outcome import Failure
from agents_app.recipe import adapter, labels, transforms
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import Prepared
from agents_app.refusals import Refusal


@dataclass(frozen=True)
class Adapted:
    """A recipe made concrete.

    `expected` are the texts that the figure must show, `prepared` the values, computed from the table by code
    that the script does not share.
    """

    recipe: Recipe
    spec: Spec
    script: str
    plot_py: str
    changes: list[str] = field(default_factory=list)
    expected: dict[str, Any] = field(default_factory=dict)
    prepared: Prepared | None = None


def prepare(recipe: Recipe, data_csv: bytes, columns: list[dict[str, Any]]) -> Prepared:
    """The recipe's own aggregate of the table, and the recipe with what changes nothing marked.

    Raises Failure when the recipe does not fit the table.
    """
    try:
        return transforms.apply_transforms(read_canonical(data_csv, columns), recipe)
    except Refusal as refusal:
        raise Failure("validation", refusal.detail) from refusal


def adapt(recipe: Recipe, columns: list[dict[str, Any]], prepared: Prepared | None) -> Adapted:
    """Write the recipe into its script. Raises Failure when the plot is unknown or the recipe does not fit it."""
    if prepared is not None:
        # Transforms that change nothing on this table are not written: one row a category needs no “Sum of”.
        recipe = recipe.with_(transforms=prepared.recipe.transforms)
    try:
        spec = catalogue.get_spec(recipe.spec)
        script = catalogue.script(spec, recipe.library, recipe.language)
        adapted = adapter.adapt(recipe, script, spec, columns)
        expected = labels.axis_texts(recipe, spec, columns)
    except Refusal as refusal:
        raise Failure("validation", refusal.detail) from refusal
    return Adapted(recipe, spec, script, adapted.plot_py, list(adapted.changes), expected, prepared)
