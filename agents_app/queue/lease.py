"""A worker's hold on a running turn: claimed once per token, kept by beats, lost by silence.

All writes are conditional on the token, so another got there first, or the turn was stopped, is a normal answer.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from agents_app.models import QueueStart, Turn
from agents_app.queue import clock, events
from agents_app.queue.dispatch import dispatch
from anyplot_site import bounds


@dataclass(frozen=True)
class Beat:
    """The answer to a beat: the lease is confirmed, or the worker must stop."""

    confirmed: bool
    cancel: bool


def claim(turn_id: Any, token: int, worker: str) -> Turn | None:
    """Take up a started turn as `worker` (`identity.me()`); None when it is taken, over, or started anew.

    Counts the attempt and reports `started`.
    """
    with transaction.atomic():
        turn = events.lock(turn_id)
        if turn is None or turn.state != Turn.State.RUNNING or turn.token != token or turn.claimed_at is not None:
            return None
        turn.claimed_at = clock.now()
        turn.lease_until = turn.claimed_at + timedelta(seconds=bounds.LEASE_S)
        turn.worker = worker
        turn.attempts = F("attempts") + 1
        turn.save(update_fields=["claimed_at", "lease_until", "worker", "attempts"])
        turn.refresh_from_db(fields=["attempts"])
        QueueStart.objects.filter(token=token).update(worker=worker)
        events.append(turn, [("status", {"step": "started", "attempt": turn.attempts})])
    return turn


def beat(turn_id: Any, token: int) -> Beat:
    """Keep the lease. Not confirmed means stop: the turn was stopped, given to another, or is past its deadline.

    A turn that is still busy well after its deadline gets no more beats, so that it ends even when its worker
    hangs with a beating heart.
    """
    kept = _keep(turn_id, token)
    if not kept and holds(turn_id, token):
        # Past its deadline, or the clock was moved: a decision re-bases that.
        dispatch()
        kept = _keep(turn_id, token)
    return Beat(confirmed=kept, cancel=not kept)


def _keep(turn_id: Any, token: int) -> bool:
    now = clock.now()
    overrun = now - timedelta(seconds=bounds.RUN_OVERRUN_S)
    rows = Turn.objects.filter(id=turn_id, token=token, state=Turn.State.RUNNING, deadline_at__gte=overrun)
    return rows.update(lease_until=now + timedelta(seconds=bounds.LEASE_S)) == 1


def holds(turn_id: Any, token: int) -> bool:
    """True while the turn runs under this token: the look between two beats, by which a stop is noticed soon."""
    return Turn.objects.filter(id=turn_id, token=token, state=Turn.State.RUNNING).exists()


def release(token: int) -> None:
    """The worker of a turn that was ended from outside has stopped: its place in flight is free."""
    if QueueStart.objects.filter(token=token, held_until__isnull=False).update(held_until=None):
        dispatch()
