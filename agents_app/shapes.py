"""The JSON of things, as the API and the pages show them. Files and pictures are URLs or None."""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.urls import get_script_prefix

from agents_app.catalogue.catalogue import get_spec, preview_path, script
from agents_app.catalogue.eligibility import reasons
from agents_app.catalogue.spec import Spec
from agents_app.models import Artifact, Dataset, Session, Turn, Version
from agents_app.refusals import NotFound
from anyplot_site import bounds
from renderer_app.contract import FORMATS
from renderer_app.themes import THEMES

FILES = ("plot.py", "data.csv", "recipe.json", "bundle.zip")


def url(*parts: object) -> str:
    """The address of something in the API, below whatever prefix the site is served under."""
    return get_script_prefix() + "v1/" + "/".join(str(part) for part in parts)


def time(at: datetime | None) -> str | None:
    """ISO 8601 UTC, or None."""
    return at.isoformat().replace("+00:00", "Z") if at else None


# --- catalogue ------------------------------------------------------------------------------


def preview_url(spec: Spec, library: str, theme: str, width: int = bounds.PREVIEW_WIDTHS_PX[0]) -> str | None:
    """The address of a committed preview picture, or None where there is none.

    It carries the picture's version, so that whoever keeps what is there never sees an old picture.
    """
    path = preview_path(spec, library, theme, width)
    if path is None:
        return None
    return f"{get_script_prefix()}previews/{spec.id}/{library}-{theme}-{width}.webp?v={preview_version(path)}"


def preview_version(path: Path) -> str:
    """What changes whenever the picture does."""
    return str(int(path.stat().st_mtime))


def preview_json(spec: Spec, library: str) -> dict[str, str | None]:
    """{"light", "dark"}: the preview of each theme."""
    return {theme: preview_url(spec, library, theme) for theme in THEMES}


def spec_json(spec: Spec, *, whole: bool = False) -> dict[str, Any]:
    """A catalogue entry; `whole` adds what it is for and its notes."""
    data: dict[str, Any] = {
        "id": spec.id,
        "title": spec.title,
        "family": spec.family,
        "description": spec.description,
        "libraries": list(spec.libraries),
        "roles": [role.as_json() for role in spec.roles],
        "tags": spec.tags,
        "canvas": spec.canvas,
        "preview": preview_json(spec, spec.libraries[0]) if spec.libraries else dict.fromkeys(THEMES),
    }
    if whole:
        data |= {"applications": list(spec.applications), "notes": list(spec.notes)}
    return data


def eligibility_json(spec: Spec, library: str, language: str) -> dict[str, Any]:
    """{"eligible", "reasons": [{code, line, text}]} (EL1)."""
    found = [reason.as_json() for reason in reasons(spec, library, language)]
    return {"eligible": not found, "reasons": found}


def script_json(spec: Spec, library: str, language: str) -> dict[str, Any]:
    """A catalogue script with its options, whether it can be adapted, and its previews."""
    return {
        "spec": spec.id,
        "language": language,
        "library": library,
        "code": script(spec, library, language),
        "options": [option.as_json() for option in spec.options],
        **eligibility_json(spec, library, language),
        "preview": preview_json(spec, library),
    }


# --- data sets ------------------------------------------------------------------------------


def dataset_json(dataset: Dataset) -> dict[str, Any]:
    """A data set with its receipt: reading, columns, preview, notes."""
    return {
        "id": str(dataset.id),
        "name": dataset.name,
        "how": dataset.how,
        "file_name": dataset.file_name or None,
        "bytes": dataset.bytes,
        "rows": dataset.rows,
        "reading": dataset.reading,
        "columns": dataset.columns,
        "preview": dataset.preview,
        "notes": dataset.notes,
        "overrides": dataset.overrides,
        "created_at": time(dataset.created_at),
        "updated_at": time(dataset.updated_at),
        "data_csv": url("datasets", dataset.id, "data.csv"),
    }


# --- sessions, versions ---------------------------------------------------------------------


def session_json(session: Session, turn: Turn | None = None) -> dict[str, Any]:
    """A session with its versions in short (oldest first) and its latest turn, if that is given."""
    try:
        roles = [role.as_json() for role in get_spec(session.spec).roles]
    except NotFound:  # a foreign catalogue was taken away; what was made with it stays
        roles = []
    return {
        "id": str(session.id),
        "name": str(session),
        "spec": session.spec,
        "library": session.library,
        "language": session.language,
        "dataset": str(session.dataset_id) if session.dataset_id else None,
        "bindings": session.bindings,
        "theme": session.theme,
        "roles": roles,
        "versions": [version_line(version) for version in _in_order(session)],
        "turn": turn_json(turn) if turn else None,
        "created_at": time(session.created_at),
        "updated_at": time(session.updated_at),
    }


def _in_order(session: Session) -> list[Version]:
    return sorted(session.versions.all(), key=lambda version: version.number)


def version_line(version: Version) -> dict[str, Any]:
    """A version in short, as a list shows it."""
    return {
        "version": version.number,
        "status": version.status,
        "theme": version.theme,
        "themes": themes_json(version),
        "created_at": time(version.created_at),
        "url": _version_url(version),
    }


def version_json(version: Version) -> dict[str, Any]:
    """A version whole: pictures, recipe, changes, verdicts, rows, timings, files."""
    return {
        "version": version.number,
        "session": str(version.session_id),
        "turn": str(version.turn_id) if version.turn_id else None,
        "parent": version.parent.number if version.parent else None,
        "status": version.status,
        "spec": version.spec,
        "library": version.library,
        "theme": version.theme,
        "themes": themes_json(version),
        "recipe": version.recipe,
        "operations": version.operations,
        "changes": version.changes,
        "notes": version.notes,
        "alt_text": version.alt_text,
        "gates": version.gates,
        "rows": version.rows,
        "attempts": version.attempts,
        "timings": version.timings,
        "usage": {"calls": 0, "tokens": {}, "cost_usd": 0} | version.usage,
        "files": files_json(version),
        "table": _version_url(version, "table"),
        "created_at": time(version.created_at),
    }


def files_json(version: Version) -> dict[str, str | None]:
    """The addresses of a version's files; None for what a failed one lacks."""
    there = {"plot.py": bool(version.script), "data.csv": bool(version.data), "recipe.json": True}
    there["bundle.zip"] = there["plot.py"] and there["data.csv"]
    return {name: _version_url(version, name) if there[name] else None for name in FILES}


def themes_json(version: Version) -> dict[str, dict[str, Any]]:
    """What became of each theme that was tried: the PNG's status and size, and a URL or None for each format."""
    themes: dict[str, dict[str, Any]] = {}
    for artifact in version.artifacts.all():
        entry = themes.setdefault(
            artifact.theme,
            {"status": None, "code": None, "detail": None, "width": None, "height": None}
            | dict.fromkeys(FORMATS)
            | {"gates": []},
        )
        entry[artifact.format] = artifact_url(version, artifact)
        if artifact.format == "png":
            entry |= {
                "status": artifact.status,
                "code": artifact.code or None,
                "detail": artifact.detail or None,
                "width": artifact.width,
                "height": artifact.height,
                "gates": artifact.verdicts,
            }
    return themes


def artifact_url(version: Version, artifact: Artifact) -> str | None:
    """The address of a picture, or None when it could not be made."""
    return _version_url(version, f"plot-{artifact.theme}.{artifact.format}") if artifact.file else None


def _version_url(version: Version, *parts: object) -> str:
    return url("sessions", version.session_id, "versions", version.number, *parts)


# --- turns ----------------------------------------------------------------------------------


def turn_json(turn: Turn, place: dict[str, Any] | None = None) -> dict[str, Any]:
    """A turn; `place` is the queue's `queued` status {position, waiting, eta_s} while it waits."""
    place = place or {}
    return {
        "id": str(turn.id),
        "session": str(turn.session_id),
        "state": turn.state,
        "position": place.get("position"),
        "waiting": place.get("waiting"),
        "eta_s": place.get("eta_s"),
        "lane": turn.lane,
        "text": turn.text,
        "operations": turn.operations,
        "theme": turn.theme or None,
        "base": turn.base,
        "outcome": turn.outcome or None,
        "error_code": turn.error_code or None,
        "version": turn.version.number if turn.version else None,
        "created_at": time(turn.created_at),
        "started_at": time(turn.started_at),
        "finished_at": time(turn.finished_at),
        "events": url("turns", turn.id, "events"),
    }


def page_json(items: list[Any], total: int, limit: int, offset: int) -> dict[str, Any]:
    """One page of a list."""
    return {
        "items": items,
        "total": total,
        "limit": limit,
        "offset": offset,
        "has_more": offset + len(items) < total,
    }
