"""The theme toggle: a finished version in its other theme (TO1-TO5). No adapter, model or queue place."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction

from agents_app.models import Artifact, Session, Toggle, Version
from agents_app.pipeline.rerender import Rerendered, rerender
from agents_app.queue import toggles
from agents_app.queue.heart import Heart
from agents_app.queue.lease import Beat
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid, NotFound, OverCapacity
from agents_app.selectors import file_bytes
from agents_app.services import stored
from anyplot_site import bounds
from renderer_app.backends import backend
from renderer_app.contract import Purpose, RendererBusy, RenderJob, RenderResult
from renderer_app.themes import THEMES

BUSY = "Other plots are being drawn. Please try again in a moment."
RETRY_S = 5


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
    if (recorded := _recorded(version, theme)) is not None:
        return recorded
    entry = toggles.begin(owner, version, theme)
    try:
        # Another may have drawn it between the look and the entry.
        if (recorded := _recorded(version, theme)) is not None:
            return recorded
        lease = Heart(lambda: _beat(entry), lambda: True)
        with lease:
            drawn = _draw(version, theme, lease)
    finally:
        toggles.end(entry)
    if drawn.code != "error":  # an infrastructure error says nothing about this theme (TO5)
        _record(version, theme, drawn)
    return Toggled(drawn.status, theme, drawn.code, version)


def _version(session: Session, number: int) -> Version:
    versions = Version.objects.filter(session=session).order_by("-number")
    found = versions.first() if number == 0 else versions.filter(number=number).first()
    if found is None:
        raise NotFound("This session has no version yet." if number == 0 else f"There is no version {number}.")
    return found


def _recorded(version: Version, theme: str) -> Toggled | None:
    """The answer from the record: drawn already, or failed as often as it is tried."""
    artifact = Artifact.objects.filter(version=version, theme=theme, format="png").first()
    if artifact is None:
        return None
    if artifact.status == Artifact.Status.FAILED and artifact.tries < bounds.TOGGLE_TRIES:
        return None
    return Toggled(artifact.status, theme, artifact.code, version)


def _beat(entry: Toggle) -> Beat:
    kept = toggles.beat(entry)
    return Beat(confirmed=kept, cancel=not kept)


def _draw(version: Version, theme: str, lease: Heart) -> Rerendered:
    def draw(job: RenderJob) -> RenderResult:
        return backend().render(job, purpose=Purpose.TOGGLE, wait_s=bounds.RENDER_WAIT_S, canceled=lease.must_stop)

    try:
        return rerender(
            Recipe.from_json(version.recipe),
            file_bytes(version.script).decode(),
            file_bytes(version.data),
            version.columns,
            theme,
            draw,
            job_id=f"{version.id}-{uuid.uuid4().hex[:8]}",
        )
    except RendererBusy:
        raise OverCapacity(BUSY, retry_after_s=RETRY_S) from None


def _record(version: Version, theme: str, drawn: Rerendered) -> None:
    """Keep the picture, or that there is none; the file first, the row after it."""
    artifact = Artifact(version=version, theme=theme, format="png")
    before = Artifact.objects.filter(version=version, theme=theme, format="png").first()
    artifact.status, artifact.code, artifact.detail = drawn.status, drawn.code, drawn.detail
    artifact.verdicts = [verdict.as_json() for verdict in drawn.verdicts]
    if drawn.picture is not None:
        artifact.bytes, artifact.width, artifact.height = (
            len(drawn.picture.png),
            drawn.picture.width,
            drawn.picture.height,
        )
        artifact.file.save(f"{artifact.id}.png", ContentFile(drawn.picture.png), save=False)
    try:
        with transaction.atomic():
            if before is not None:
                artifact.tries = before.tries + 1
                stored.remove_after_commit([before.file])
                before.delete()
            artifact.save(force_insert=True)
    except IntegrityError:
        # The version was deleted meanwhile, or another drew the same.
        stored.remove([artifact.file])
        if not Version.objects.filter(id=version.id).exists():
            raise NotFound("This version was deleted.") from None
