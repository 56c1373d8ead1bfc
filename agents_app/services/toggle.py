"""The theme toggle: a finished version in its other theme (TO1-TO5). No adapter, model or queue place."""

from dataclasses import dataclass

from django.contrib.auth.models import User

from agents_app.models import Session, Version
from agents_app.pipeline.render import Render
from agents_app.pipeline.rerender import rerender
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid, NotFound
from agents_app.selectors import file_bytes
from agents_app.services.drawing import Drawn, drawn
from renderer_app.themes import THEMES


@dataclass(frozen=True)
class Toggled:
    """What a toggle came to: `status` ok, needs_attention or failed; `code` canvas_padded, render, error or empty."""

    status: str
    theme: str
    code: str
    version: Version


def toggle(session: Session, version_number: int, theme: str, owner: User) -> Toggled:
    """Show a version (0: the latest) in `theme`: from the record, else drawn from its stored script and data.

    Raises Invalid (unknown theme), NotFound (no such version, or its files were swept), RunActive (a turn or a
    toggle of the owner is active), OverCapacity (no render slot came free).
    """
    if theme not in THEMES:
        raise Invalid(f"theme is {theme!r}; use {' or '.join(THEMES)}.")
    version = _version(session, version_number)

    def draw(job_id: str, render: Render) -> Drawn:
        recipe, code, data = Recipe.from_json(version.recipe), file_bytes(version.script), file_bytes(version.data)
        made = rerender(recipe, code.decode(), data, version.columns, theme, render, job_id=job_id)
        if made.picture is None:
            return Drawn(made.status, made.code, made.detail, verdicts=made.verdicts)
        png, width, height = made.picture.png, made.picture.width, made.picture.height
        return Drawn(made.status, made.code, made.detail, png, width, height, made.verdicts)

    answer = drawn(version, theme, "png", owner, draw)
    return Toggled(answer.status, theme, answer.code, version)


def _version(session: Session, number: int) -> Version:
    versions = Version.objects.filter(session=session).order_by("-number")
    found = versions.first() if number == 0 else versions.filter(number=number).first()
    if found is None:
        raise NotFound("This session has no version yet." if number == 0 else f"There is no version {number}.")
    return found
