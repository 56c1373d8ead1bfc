"""A version as SVG or PDF, drawn on request under the rules of a toggle (CA2a)."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction

from agents_app.models import Artifact, Toggle, Version
from agents_app.queue import toggles
from agents_app.queue.heart import Heart
from agents_app.queue.lease import Beat
from agents_app.refusals import NotFound, OverCapacity
from agents_app.selectors import file_bytes
from agents_app.services import stored
from anyplot_site import bounds
from renderer_app.backends import backend
from renderer_app.contract import (
    INFRASTRUCTURE,
    Purpose,
    RendererBusy,
    RendererUnavailable,
    RenderJob,
    RenderResult,
)

BUSY = "Other plots are being drawn. Please try again in a moment."
RETRY_S = 5


@dataclass(frozen=True)
class Exported:
    """What an export came to: `status` ok or failed, `code` render, error or empty, `detail` a sentence."""

    status: str
    code: str = ""
    detail: str = ""


def export(version: Version, theme: str, file_format: str, owner: User) -> Exported:
    """Draw a version's stored script as `svg` or `pdf` in `theme`, or answer from the record.

    Raises NotFound (its files were swept), RunActive, OverCapacity.
    """
    recorded = _recorded(version, theme, file_format)
    if recorded is not None:
        return recorded
    entry = toggles.begin(owner, version, theme, file_format)
    try:
        # Another may have drawn it between the look and the entry.
        recorded = _recorded(version, theme, file_format)
        if recorded is not None:
            return recorded
        with Heart(lambda: _beat(entry), lambda: True) as lease:
            result = _draw(version, theme, file_format, lease)
    finally:
        toggles.end(entry)
    if result is None or result.reason in INFRASTRUCTURE:
        return Exported("failed", "error", "The renderer can't be reached. Try again in a moment.")
    _record(version, theme, file_format, result)
    return Exported("ok") if result.ok else Exported("failed", "render", result.detail)


def _recorded(version: Version, theme: str, file_format: str) -> Exported | None:
    found = Artifact.objects.filter(version=version, theme=theme, format=file_format).first()
    if found is None:
        return None
    if found.status != Artifact.Status.FAILED:
        return Exported("ok")
    return None if found.tries < bounds.TOGGLE_TRIES else Exported("failed", found.code, found.detail)


def _beat(entry: Toggle) -> Beat:
    kept = toggles.beat(entry)
    return Beat(confirmed=kept, cancel=not kept)


def _draw(version: Version, theme: str, file_format: str, lease: Heart) -> RenderResult | None:
    """The render's result; None when the renderer could not be asked."""
    job = RenderJob(
        job_id=f"{version.id}-{uuid.uuid4().hex[:8]}",
        theme=theme,
        code=file_bytes(version.script).decode(),
        data=file_bytes(version.data),
        format=file_format,
    )
    try:
        return backend().render(job, purpose=Purpose.TOGGLE, wait_s=bounds.RENDER_WAIT_S, canceled=lease.must_stop)
    except RendererBusy:
        raise OverCapacity(BUSY, retry_after_s=RETRY_S) from None
    except RendererUnavailable:
        return None


def _record(version: Version, theme: str, file_format: str, result: RenderResult) -> None:
    """Keep the file, or that there is none; the file first, the row after it."""
    artifact = Artifact(version=version, theme=theme, format=file_format)
    before = Artifact.objects.filter(version=version, theme=theme, format=file_format).first()
    if result.ok and result.picture is not None:
        artifact.status = Artifact.Status.OK
        artifact.bytes = len(result.picture)
        artifact.file.save(f"{artifact.id}.{file_format}", ContentFile(result.picture), save=False)
    else:
        artifact.status, artifact.code, artifact.detail = Artifact.Status.FAILED, "render", result.detail
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
