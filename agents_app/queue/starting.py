"""Which waiting turn starts next, and whether one may start at all."""

from datetime import timedelta

from agents_app.models import QueueStart, Turn
from agents_app.queue import carrier, nudge
from agents_app.queue.gate import Gate
from anyplot_site import bounds

PEOPLE = (Turn.Lane.PREMIUM, Turn.Lane.STANDARD)


def start_all(held: Gate) -> list[Turn]:
    """Start every turn that may start now, in order; they are sent to the workers after the commit."""
    started: list[Turn] = []
    while not held.paused and free_places(held) > 0 and (turn := _next(held)) is not None:
        _start(held, turn)
        started.append(turn)
    if started:
        QueueStart.objects.filter(at__lt=held.now - timedelta(seconds=bounds.START_KEEP_S)).delete()
        nudge.queue_changed()
    return started


def free_places(held: Gate) -> int:
    """How many turns may start at this moment: free places in flight (QU2), and in the rate window (QU3)."""
    in_flight = (
        Turn.objects.filter(state=Turn.State.RUNNING).count()
        # Stopped from outside, its worker still busy. A lease counts to its last moment.
        + QueueStart.objects.filter(held_until__gte=held.now).count()
    )
    free = held.policy.concurrency - in_flight
    if held.policy.runs_per_minute:
        # A start exactly 60.000 s ago no longer counts.
        window = held.now - timedelta(seconds=bounds.RATE_WINDOW_S)
        free = min(free, held.policy.runs_per_minute - QueueStart.objects.filter(at__gt=window).count())
    return max(0, free)


def _next(held: Gate) -> Turn | None:
    """The next turn: premium, standard, batch, each by arrival; while a batch run waits, every fourth start is its."""
    waiting = Turn.objects.filter(state=Turn.State.QUEUED)
    person = waiting.filter(lane__in=PEOPLE).order_by("lane_rank", "arrival").first()
    batch = waiting.filter(lane=Turn.Lane.BATCH).order_by("arrival").first()
    if person is None or batch is None:
        held.row.passed_over = 0
        return person or batch
    if held.row.passed_over >= bounds.BATCH_EVERY - 1:
        held.row.passed_over = 0
        return batch
    held.row.passed_over += 1
    return person


def _start(held: Gate, turn: Turn) -> None:
    """The turn leaves the queue; its deadline starts here (QU9)."""
    turn.state = Turn.State.RUNNING
    turn.token = held.take_token()
    turn.started_at = turn.sent_at = held.now
    turn.deadline_at = held.now + timedelta(seconds=held.policy.deadline_s)
    turn.lease_until = held.now + timedelta(seconds=bounds.LEASE_S)
    turn.claimed_at = None
    turn.worker = ""
    turn.save(
        update_fields=[
            *("state", "token", "started_at", "sent_at", "deadline_at", "lease_until", "claimed_at", "worker")
        ]
    )
    QueueStart.objects.create(turn=turn, token=turn.token, at=held.now)
    carrier.send_later(turn)
