"""The numbered lines of a turn's stream. The only place that inserts `Event` rows (PR2)."""

import logging
from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from agents_app.models import Event, Turn
from agents_app.queue import clock, nudge

log = logging.getLogger(__name__)

PROTOCOL = "anyplot/1"
Line = tuple[str, dict[str, Any]]  # (type, data)

STEPS = ("started", "adapt", "validate", "render", "gates", "review", "repair", "publish")
# PR3: what a status may carry beside its step. Counts, ids and times only: no data value, no text of a person.
STATUS_FIELDS = frozenset(
    {"attempt", "attempts", "round", "theme", "format", "rules", "gates", "failed", "passed", "status", "reason"}
    | {"measured", "limit", "elapsed_ms", "render_ms", "wall_ms", "calls", "tokens", "rung", "rungs", "kept"}
)


def lock(turn_id: Any) -> Turn | None:
    """The turn, its row locked against other writers of events; None when it is not there any more."""
    rows = Turn.objects.filter(id=turn_id)
    if connection.features.has_select_for_no_key_update:
        # Not a full lock: a Version that refers to the turn may be inserted meanwhile.
        rows = rows.select_for_update(no_key=True)
    return rows.first()


def append(turn: Turn, lines: Iterable[Line]) -> None:
    """Store `lines` under the next numbers; after the commit they are published.

    The caller holds the turn's row (`lock`, or the gate).
    """
    last = Event.objects.filter(turn=turn).aggregate(last=Max("number"))["last"] or 0
    at = clock.now()
    rows = [
        Event(turn=turn, number=number, type=kind, data=_referred(turn, kind, data), at=at)
        for number, (kind, data) in enumerate(lines, start=last + 1)
    ]
    Event.objects.bulk_create(rows)
    for row in rows:
        nudge.event(str(turn.id), shape(row.number, row.type, row.data))


def _referred(turn: Turn, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "ref": data["ref"] or str(turn.id)[:13]} if kind == "error" else data


def report(turn_id: Any, token: int, step: str, **fields: Any) -> bool:
    """Store a `status` of a running turn; False, and nothing stored, when `token` is stale.

    Raises ValueError on an unknown step. Fields that are not on the list are left out (PR3).
    """
    if step not in STEPS:
        raise ValueError(f"Unknown step {step!r}.")
    if strange := fields.keys() - STATUS_FIELDS:
        log.warning("fields of the status %s are not on the list: %s", step, ", ".join(sorted(strange)))
    data = {"step": step, **{name: value for name, value in fields.items() if name in STATUS_FIELDS}}
    with transaction.atomic():
        turn = lock(turn_id)
        if turn is None or turn.state != Turn.State.RUNNING or turn.token != token:
            return False
        append(turn, [("status", data)])
    return True


def since(turn_id: Any, after: int = 0) -> list[dict[str, Any]]:
    """The stored events of a turn with a number above `after`, in order: {"id", "type", "data"}."""
    rows = Event.objects.filter(turn_id=turn_id, number__gt=after).order_by("number")
    return [shape(*row) for row in rows.values_list("number", "type", "data")]


def shape(number: int | None, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """The form that streams and sockets send; a number of None was computed and is not stored."""
    return {"id": number, "type": kind, "data": data}


def error(code: str, detail: str, ref: str = "", lines: Iterable[str] = ()) -> Line:
    """An `error` line; a `done` always follows it. `detail` is a sentence, `lines` what explains it line by line.

    Without a `ref` of its own it gets the start of its turn's id, which every log line of the turn carries.
    """
    return "error", {"code": code, "detail": detail, "ref": ref, "lines": list(lines)}


def done(outcome: str, **fields: Any) -> Line:
    """The last line of a turn."""
    return "done", {"outcome": outcome, **fields}
