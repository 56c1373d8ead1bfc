"""How a turn's row ends: one terminal state and its last events, in the decision's transaction."""

from collections.abc import Iterable

from agents_app.models import Turn, Version
from agents_app.queue import events, nudge
from agents_app.queue.events import Line
from agents_app.queue.gate import Gate


def end(
    held: Gate,
    turn: Turn,
    *,
    state: str,
    outcome: str,
    version: Version | None = None,
    error_code: str = "",
    lines: Iterable[Line] = (),
) -> None:
    """Write a turn's terminal state and last events; the caller holds the gate and has checked the state."""
    turn.state = state
    turn.outcome = outcome
    turn.error_code = error_code
    turn.version = version
    turn.finished_at = held.now
    turn.lease_until = None
    turn.save(
        update_fields=["state", "outcome", "error_code", "version", "finished_at", "lease_until", "cancel_requested"]
    )
    events.append(turn, [*lines, events.done(outcome)])
    nudge.queue_changed()
