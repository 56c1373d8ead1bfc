"""Pausing the queue (QU15): starts stop, admission goes on, and paused time is no waiting."""

from agents_app.models import Turn
from agents_app.queue import nudge
from agents_app.queue.dispatch import decide
from agents_app.queue.gate import gate


def pause() -> bool:
    """Stop starts; False when they were stopped already. What runs, runs on."""
    with gate() as held:
        if held.paused:
            return False
        decide(held)  # what was due before the pause is decided by the rules of before
        held.row.paused_at = held.now
        nudge.queue_changed()
    return True


def resume() -> bool:
    """Start again; every wait is longer by the part of it that was paused. False when it was not paused."""
    with gate() as held:
        if held.row.paused_at is None:
            return False
        for turn in Turn.objects.filter(state=Turn.State.QUEUED).only("id", "created_at", "wait_until"):
            paused = held.now - max(held.row.paused_at, turn.created_at)
            Turn.objects.filter(id=turn.id).update(wait_until=turn.wait_until + paused)
        held.row.paused_at = None
        decide(held)
        nudge.queue_changed()
    return True
