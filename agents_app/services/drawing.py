"""A version's stored script drawn once more: under an entry in the toggles' registry, and recorded (EX2, TO4, TO5)."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction

from agents_app.gates.verdict import Verdict
from agents_app.models import Artifact, Toggle, Version
from agents_app.pipeline.render import Render
from agents_app.queue import toggles
from agents_app.queue.heart import Heart
from agents_app.queue.lease import Beat
from agents_app.refusals import NotFound, OverCapacity
from agents_app.services import stored
from anyplot_site import bounds
from renderer_app.backends import backend
from renderer_app.contract import Purpose, RendererBusy, RenderJob, RenderResult

BUSY = "Other plots are being drawn. Please try again in a moment."
RETRY_S = 5


@dataclass(frozen=True)
class Drawn:
    """What drawing came to.

    `status` is ok, needs_attention or failed; `code` canvas_padded, render, error or empty, `detail` its sentence.
    `content` are the bytes of the file, `width` and `height` pixels of a PNG. `error` is a fault of ours.
    """

    status: str
    code: str = ""
    detail: str = ""
    content: bytes | None = field(default=None, repr=False)
    width: int | None = None
    height: int | None = None
    verdicts: list[Verdict] = field(default_factory=list)


def drawn(
    version: Version, theme: str, file_format: str, owner: User, draw: Callable[[str, Render], Drawn]
) -> Artifact | Drawn:
    """A version in a theme and format: from the record, else by `draw(job_id, render)`, whose result is recorded.

    `draw` lets RendererBusy through. A script that fails is tried `TOGGLE_TRIES` times; an infrastructure error
    (code `error`) says nothing about the script and is not recorded. Raises RunActive (a turn or a toggle of
    the owner is active), OverCapacity (no render slot came free), NotFound (the version was deleted meanwhile).
    """
    if (found := _recorded(version, theme, file_format)) is not None:
        return found
    entry = toggles.begin(owner, version, theme, file_format)
    try:
        # Another may have drawn it between the look and the entry.
        if (found := _recorded(version, theme, file_format)) is not None:
            return found
        with Heart(lambda: _beat(entry), lambda: True) as lease:
            made = draw(f"{version.id}-{uuid.uuid4().hex[:8]}", _renderer(lease))
            # Before the entry ends: whoever presses next finds it drawn.
            if made.code != "error":
                _record(version, theme, file_format, made)
        return made
    except RendererBusy:
        raise OverCapacity(BUSY, retry_after_s=RETRY_S) from None
    finally:
        toggles.end(entry)


def _recorded(version: Version, theme: str, file_format: str) -> Artifact | None:
    """The record: drawn already, or failed as often as it is tried."""
    found = Artifact.objects.filter(version=version, theme=theme, format=file_format).first()
    if found is not None and found.status == Artifact.Status.FAILED and found.tries < bounds.TOGGLE_TRIES:
        return None
    return found


def _beat(entry: Toggle) -> Beat:
    kept = toggles.beat(entry)
    return Beat(confirmed=kept, cancel=not kept)


def _renderer(lease: Heart) -> Render:
    def render(job: RenderJob) -> RenderResult:
        return backend().render(job, purpose=Purpose.TOGGLE, wait_s=bounds.RENDER_WAIT_S, canceled=lease.must_stop)

    return render


def _record(version: Version, theme: str, file_format: str, made: Drawn) -> None:
    """Keep the file, or that there is none; the file first, the row after it."""
    artifact = Artifact(version=version, theme=theme, format=file_format)
    before = Artifact.objects.filter(version=version, theme=theme, format=file_format).first()
    artifact.status, artifact.code, artifact.detail = made.status, made.code, made.detail
    artifact.verdicts = [verdict.as_json() for verdict in made.verdicts]
    if made.content is not None:
        artifact.bytes, artifact.width, artifact.height = len(made.content), made.width, made.height
        artifact.file.save(f"{artifact.id}.{file_format}", ContentFile(made.content), save=False)
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
