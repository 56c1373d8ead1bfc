"""A render job and its result as they lie in a row and its files."""

from dataclasses import asdict
from typing import Any

from django.core.files.base import ContentFile

from renderer_app.contract import Limits, Reason, RenderJob, RenderResult
from renderer_app.models import RenderRequest


def row_of(job: RenderJob) -> RenderRequest:
    """A new row for `job`, not saved, without files."""
    return RenderRequest(job_id=job.job_id, theme=job.theme, format=job.format, limits=asdict(job.limits))


def store_files(row: RenderRequest, job: RenderJob) -> None:
    """Put the job's script and data into storage; the row names them and is still to be saved."""
    row.script.save(f"{row.pk}.py", ContentFile(job.code.encode()), save=False)
    if job.data:
        row.data.save(f"{row.pk}.csv", ContentFile(job.data), save=False)


def job_of(row: RenderRequest) -> RenderJob:
    """The job that a row asks for; raises OSError when its files are gone."""
    with row.script.open("rb") as file:
        code = file.read().decode()
    data = b""
    if row.data:
        with row.data.open("rb") as file:
            data = file.read()
    return RenderJob(row.job_id, row.theme, code, data, row.format, Limits(**row.limits))


def as_json(result: RenderResult) -> dict[str, Any]:
    """A result without its picture."""
    return {
        "width": result.width,
        "height": result.height,
        "probe": result.probe,
        "reason": result.reason.value if result.reason else None,
        "measured": result.measured,
        "limit": result.limit,
        "detail": result.detail,
        "output": result.output,
        "usage": result.usage,
        "attempts": result.attempts,
    }


def result_of(row: RenderRequest) -> RenderResult:
    """The result in a finished row, with its picture; raises OSError when that file is gone."""
    found = row.result
    picture = None
    if row.picture:
        with row.picture.open("rb") as file:
            picture = file.read()
    return RenderResult(
        theme=row.theme,
        picture=picture,
        width=found.get("width"),
        height=found.get("height"),
        probe=found.get("probe"),
        reason=Reason(found["reason"]) if found.get("reason") else None,
        measured=found.get("measured"),
        limit=found.get("limit"),
        detail=found.get("detail", ""),
        output=found.get("output", ""),
        usage=found.get("usage", {}),
        attempts=found.get("attempts", 1),
    )
