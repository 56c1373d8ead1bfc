"""Everything that the gates judge by, gathered once."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents_app.catalogue.spec import Spec
from agents_app.gates import measurements, picture
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import Prepared
from renderer_app import themes
from renderer_app.contract import RenderResult


@dataclass(frozen=True)
class Evidence:
    """A render's result and what it should have shown.

    `expected` are the texts that the figure must carry (`recipe.labels.axis_texts`): `title`, `x`, `y`,
    `legend`. `prepared` is the recipe's own aggregate of the table; without it, or without
    `spec`, what depends on them is not judged.
    """

    result: RenderResult
    recipe: Recipe
    spec: Spec | None
    columns: list[dict[str, Any]]
    expected: dict[str, Any] = field(default_factory=dict)
    prepared: Prepared | None = None

    @property
    def theme(self) -> str:
        """The theme that was rendered: the job's, which a toggle does not take from the recipe."""
        return self.result.theme

    @property
    def canvas(self) -> tuple[int, int]:
        """Width and height that the picture must have, in pixels."""
        return themes.CANVASES.get(self.recipe.canvas, themes.CANVASES["landscape"])

    @cached_property
    def decoded(self) -> picture.Decoded:
        """The picture, decoded by the host."""
        if not self.result.picture:
            return picture.Decoded(error="There is no picture.")
        return picture.decode(self.result.picture, self.theme)

    @cached_property
    def figure(self) -> measurements.Figure | None:
        """The probe's measurements; None when there are none."""
        return measurements.read(self.result.probe)
