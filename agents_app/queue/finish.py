"""The end of a turn: exactly one terminal state, its last events, and whoever comes next."""

from collections.abc import Iterable
from typing import Any

from agents_app.models import Turn, Version
from agents_app.queue import dispatch, events
from agents_app.queue.ending import end
from agents_app.queue.events import Line
from agents_app.queue.gate import gate


def finish(
    turn_id: Any,
    token: int,
    *,
    outcome: str,
    state: str = Turn.State.FINISHED,
    version: Version | None = None,
    error_code: str = "",
    lines: Iterable[Line] = (),
) -> bool:
    """End a running turn: `lines`, then `done{outcome}`, and start what may start; False when `token` is stale.

    May be called inside a caller's transaction that holds the gate (`services.publish`).
    """
    with gate() as held:
        turn = events.lock(turn_id)
        if turn is None or turn.state != Turn.State.RUNNING or turn.token != token:
            return False
        end(held, turn, state=state, outcome=outcome, version=version, error_code=error_code, lines=lines)
        dispatch.decide(held)
    return True
