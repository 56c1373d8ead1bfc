"""What became of started turns: lost messages are sent again, dead workers' turns go back once, then end."""

from datetime import datetime, timedelta

from agents_app.models import QueueStart, Turn
from agents_app.queue import carrier, events, nudge
from agents_app.queue.ending import end
from agents_app.queue.gate import Gate
from anyplot_site import bounds
from renderer_app import identity

LOST = "The worker that made your plot stopped twice in the middle of it. Nothing is lost; please send it again."
LATE = "The plot took longer than {limit} seconds and was stopped. Try fewer rows or a simpler plot."


def recover(held: Gate) -> None:
    """Look at every running turn; there are never more than a few."""
    for turn in Turn.objects.filter(state=Turn.State.RUNNING).order_by("arrival"):
        assert turn.lease_until is not None
        assert turn.sent_at is not None
        if turn.claimed_at is None:
            if turn.lease_until < held.now:
                _give_back(turn)
            elif turn.sent_at + timedelta(seconds=bounds.UNCLAIMED_RESEND_S) <= held.now:
                Turn.objects.filter(id=turn.id).update(sent_at=held.now)
                carrier.send_later(turn)
        elif turn.lease_until < held.now or identity.gone(turn.worker):
            _recover(held, turn)
    for start in QueueStart.objects.filter(held_until__isnull=False):
        if lets_go(start, held.now):
            QueueStart.objects.filter(id=start.id).update(held_until=None)


def lets_go(start: QueueStart, now: datetime) -> bool:
    """True when `recover` would free this place of a stopped turn: its worker is gone. A hold that is over is none."""
    return start.held_until is not None and start.held_until >= now and identity.gone(start.worker)


def needs_look(turn: Turn, now: datetime) -> bool:
    """True when `recover` would do something about this running turn at `now`."""
    assert turn.lease_until is not None
    assert turn.sent_at is not None
    unclaimed = turn.claimed_at is None and turn.sent_at + timedelta(seconds=bounds.UNCLAIMED_RESEND_S) <= now
    return turn.lease_until < now or unclaimed or identity.gone(turn.worker)


def _give_back(turn: Turn) -> None:
    """No worker took it up: it never ran, so it is no start and no attempt, and waits on at its old place."""
    fresh = events.lock(turn.id)
    if fresh is None or fresh.claimed_at is not None:  # taken up between the look and the lock
        return
    QueueStart.objects.filter(token=turn.token).delete()
    _to_old_place(fresh)


def _recover(held: Gate, turn: Turn) -> None:
    """Its worker is gone: back once, at the old place; the second time is the last."""
    fresh = events.lock(turn.id)
    # A beat may have come between the look and the lock.
    if fresh is None or (fresh.lease_until != turn.lease_until and not identity.gone(fresh.worker)):
        return
    assert fresh.deadline_at is not None
    assert fresh.started_at is not None
    if fresh.deadline_at < held.now:
        late = events.error("deadline", LATE.format(limit=held.policy.deadline_s))
        end(held, fresh, state=Turn.State.LOST, outcome="failed", error_code="deadline", lines=[late])
    elif fresh.attempts >= bounds.RUN_ATTEMPTS:
        lost = events.error("worker_lost", LOST)
        end(held, fresh, state=Turn.State.LOST, outcome="failed", error_code="worker_lost", lines=[lost])
    else:
        # Running is not waiting, as far as the whole turn's time allows (PR4).
        ran = min(held.now - fresh.started_at, timedelta(seconds=held.policy.slack_s))
        fresh.wait_until += max(ran, timedelta(0))
        if fresh.present_until is not None:
            # Nobody kept its presence while it ran; whoever still looks at it has time to say so.
            fresh.present_until = held.now + timedelta(seconds=bounds.WORKER_GONE_S)
        _to_old_place(fresh)


def _to_old_place(turn: Turn) -> None:
    """Waiting again; its arrival is its place, and the old token opens nothing any more."""
    turn.state = Turn.State.QUEUED
    turn.token = 0
    turn.worker = ""
    turn.lease_until = turn.deadline_at = turn.started_at = turn.sent_at = turn.claimed_at = None
    turn.save(
        update_fields=[
            *("state", "token", "worker", "lease_until", "deadline_at", "started_at", "sent_at", "claimed_at"),
            *("wait_until", "present_until"),
        ]
    )
    nudge.queue_changed()
