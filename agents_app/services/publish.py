"""A run's outcome becomes a version: files first, then rows and last events in one short transaction."""

from typing import Any

from django.core.files.base import ContentFile
from django.db.models.fields.files import FieldFile

from agents_app.models import Artifact, Turn, Version
from agents_app.pipeline.outcome import Outcome
from agents_app.queue import clock, events
from agents_app.queue.events import Line
from agents_app.queue.finish import finish
from agents_app.queue.gate import gate
from agents_app.services import stored
from agents_app.services.wish import Wish
from agents_app.shapes import themes_json

READY = {"ok": "Your plot is ready.", "needs_attention": "Your plot is ready. Something in it still falls short:"}
NO_PLOT = "No plot could be made."


def publish(turn: Turn, outcome: Outcome, wish: Wish, data_csv: bytes) -> Version | None:
    """Store what a run came to and end its turn; `turn` as it was claimed.

    A failed outcome has no picture and makes no version: only the turn ends, with what explains it. None then, and
    when the turn is not this run's any more (stopped, given to another): nothing is stored and the files are removed.
    """
    if outcome.picture is None:
        finish(turn.id, turn.token, **_failure(outcome))
        return None
    version, artifact = _version(turn, outcome, wish), _artifact(outcome)
    files: list[FieldFile] = [version.script, version.data, artifact.file]
    published = False
    try:
        version.script.save(f"{version.id}.py", ContentFile(outcome.plot_py.encode()), save=False)
        version.data.save(f"{version.id}.csv", ContentFile(data_csv), save=False)
        artifact.file.save(f"{artifact.id}.png", ContentFile(outcome.picture.png), save=False)
        published = _write(turn, outcome, wish, version, artifact)
    finally:
        if not published:
            stored.remove(files)
    return version if published else None


def _write(turn: Turn, outcome: Outcome, wish: Wish, version: Version, artifact: Artifact) -> bool:
    # The gate first: so that locks are taken in one order, and the number is this session's next.
    with gate():
        fresh = events.lock(turn.id)
        if fresh is None or fresh.state != Turn.State.RUNNING or fresh.token != turn.token:
            return False
        last = Version.objects.filter(session=version.session).order_by("-number").first()
        version.number = last.number + 1 if last else 1
        version.save(force_insert=True)
        artifact.version = version
        artifact.save(force_insert=True)
        return finish(turn.id, turn.token, version=version, **_ending(outcome, wish, version))


def _version(turn: Turn, outcome: Outcome, wish: Wish) -> Version:
    return Version(
        session=turn.session,
        turn=turn,
        parent=wish.parent,
        status=outcome.status,
        theme=outcome.recipe.theme,
        spec=outcome.recipe.spec,
        library=outcome.recipe.library,
        recipe=outcome.recipe.as_json(),
        operations=wish.operations,
        changes=outcome.changes,
        notes=outcome.notes,
        gates=[verdict.as_json() for verdict in outcome.verdicts],
        rows=outcome.rows,
        timings=outcome.timings | _timings(turn),
        usage=outcome.usage,
        columns=wish.dataset.columns,
        alt_text=outcome.alt_text,
        attempts=outcome.attempts,
    )


def _timings(turn: Turn) -> dict[str, float]:
    """How long the turn waited, and all of it from the press to now."""
    assert turn.started_at is not None
    return {
        "queued_ms": round((turn.started_at - turn.created_at).total_seconds() * 1000, 1),
        "total_ms": round((clock.now() - turn.created_at).total_seconds() * 1000, 1),
    }


def _artifact(outcome: Outcome) -> Artifact:
    assert outcome.picture is not None
    return Artifact(
        theme=outcome.recipe.theme,
        status=outcome.status,
        code="canvas_padded" if outcome.picture.padded else "",
        bytes=len(outcome.picture.png),
        width=outcome.picture.width,
        height=outcome.picture.height,
        verdicts=[verdict.as_json() for verdict in outcome.verdicts],
    )


def _failure(outcome: Outcome) -> dict[str, Any]:
    """How a turn without a version ends: the sentence, and line by line what explains it."""
    code = outcome.error_code or "render"
    line = events.error(code, outcome.error_text or NO_PLOT, lines=outcome.notes)
    return {"outcome": "failed", "error_code": code, "lines": [line]}


def _ending(outcome: Outcome, wish: Wish, version: Version) -> dict[str, Any]:
    """How a turn with a version ends: its last lines and its outcome."""
    plot = {
        "version": version.number,
        "status": version.status,
        "theme": version.theme,
        "artifacts": themes_json(version),
        "changes": version.changes,
        "notes": version.notes,
    }
    text = " ".join([READY[outcome.status], *(outcome.notes if outcome.status == "needs_attention" else [])])
    message = {"text": text, "understood": wish.changes, "not_understood": [], "suggestions": []}
    lines: list[Line] = [("plot", plot), ("message", message)]
    return {"outcome": outcome.status, "lines": lines}
