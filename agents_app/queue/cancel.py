"""Stopping a turn: a person, an operator, or a session that is deleted (QU10, EX4)."""

from collections.abc import Iterable

from agents_app.models import QueueStart, Session, Turn
from agents_app.queue import events
from agents_app.queue.dispatch import decide
from agents_app.queue.ending import end
from agents_app.queue.gate import gate

STOPPED = "Stopped. Nothing is lost."


def cancel_turn(turn: Turn, detail: str = STOPPED) -> bool:
    """End a waiting or running turn at once; False when it had ended before.

    A running one is over for its person at once; its place in flight stays taken until its worker, which
    notices within a second, has stopped (`lease.release`) or its lease is over.
    """
    with gate() as held:
        fresh = events.lock(turn.id)
        if fresh is None or fresh.state not in Turn.ACTIVE:
            return False
        if fresh.state == Turn.State.RUNNING and fresh.claimed_at is not None:
            QueueStart.objects.filter(token=fresh.token).update(held_until=fresh.lease_until)
        fresh.cancel_requested = True
        line = events.error("canceled", detail)
        end(held, fresh, state=Turn.State.CANCELED, outcome="canceled", error_code="canceled", lines=[line])
        decide(held)
    return True


def cancel_session(session: Session) -> bool:
    """End whatever waits or runs in a session, before it is deleted; True when something did."""
    turns: Iterable[Turn] = Turn.objects.filter(session=session, state__in=Turn.ACTIVE)
    return any([cancel_turn(turn, "The session was deleted.") for turn in turns])
