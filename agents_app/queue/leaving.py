"""Who leaves the queue without a run: the overdue (QU7, QU8) and the absent (QU10)."""

from datetime import datetime

from django.db.models import Q, QuerySet

from agents_app.models import Turn
from agents_app.queue import events
from agents_app.queue.ending import end
from agents_app.queue.gate import Gate

OVERDUE = "The queue was too long: your turn did not come within {limit} seconds. Please try again later."
ABSENT = "The page that waited for this plot was closed."


def overdue(now: datetime) -> QuerySet[Turn]:
    """Waiting turns whose wait is over; one whose wait ends exactly now may still start."""
    return Turn.objects.filter(state=Turn.State.QUEUED, wait_until__lt=now)


def absent(now: datetime) -> QuerySet[Turn]:
    """Waiting turns of people whose client was there and is gone; a batch run is nobody's."""
    return Turn.objects.filter(Q(state=Turn.State.QUEUED, present_until__lt=now) & ~Q(lane=Turn.Lane.BATCH))


def expire(held: Gate) -> None:
    """End the overdue, so that a late dispatcher never starts one. Paused time is no waiting."""
    if held.paused:
        return
    for turn in overdue(held.now):
        line = events.error("capacity", OVERDUE.format(limit=held.policy.max_wait_s))
        end(held, turn, state=Turn.State.EXPIRED, outcome="expired", error_code="capacity", lines=[line])


def withdraw(held: Gate) -> None:
    """End what nobody waits for any more."""
    for turn in absent(held.now):
        line = events.error("canceled", ABSENT)
        end(held, turn, state=Turn.State.WITHDRAWN, outcome="canceled", error_code="canceled", lines=[line])
