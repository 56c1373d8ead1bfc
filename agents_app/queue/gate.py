"""The gate: one short transaction in which the queue decides.

Whoever decides (admission, dispatch, finish, cancel, recovery, toggles) takes the gate row first and reads
the clock after it, so that decisions of all processes stand in one order. On PostgreSQL the row is locked;
on SQLite the transaction is IMMEDIATE and holds the database's write lock from its start. Event writes,
positions and beats stay outside.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from agents_app.models import QueueGate, QueueStart, Toggle, Turn
from agents_app.queue import clock
from agents_app.queue.policy import Policy
from anyplot_site import bounds

_CLOCKS_KEPT = 50


@dataclass
class Gate:
    """The gate row, held; the time of the decision; the limits."""

    row: QueueGate
    now: datetime
    policy: Policy

    @property
    def paused(self) -> bool:
        """True while starts are stopped (QU15)."""
        return self.row.paused_at is not None

    def take_arrival(self) -> int:
        """The next place in the order of arrival."""
        self.row.next_arrival += 1
        return self.row.next_arrival - 1

    def take_token(self) -> int:
        """The next fencing token."""
        self.row.next_token += 1
        return self.row.next_token - 1


class _Held(threading.local):
    gate: Gate | None = None


_held = _Held()


@contextmanager
def gate() -> Iterator[Gate]:
    """Hold the gate; inside another `gate()` of the same thread it is the same one.

    A caller with a transaction of its own that ends a turn takes the gate first (as here), so that locks are
    always taken in one order.
    """
    if _held.gate is not None:
        yield _held.gate
        return
    with transaction.atomic():
        row, _ = QueueGate.objects.select_for_update().get_or_create(id=1)
        before = _values(row)
        held = Gate(row, clock.now(), Policy.current())
        _keep_clock(held)
        _held.gate = held
        try:
            yield held
        finally:
            _held.gate = None
        if _values(row) != before:
            row.save()


def _values(row: QueueGate) -> tuple[object, ...]:
    return (row.next_arrival, row.next_token, row.passed_over, row.paused_at, dict(row.clocks))


def jump_s(row: QueueGate, now: datetime) -> float:
    """By how many seconds the clock was moved since a decision last looked, as this host can tell; mostly about 0."""
    known = row.clocks.get(clock.host())
    return 0.0 if known is None else _offset(now) - known


def _offset(now: datetime) -> float:
    return now.timestamp() - clock.monotonic()


def _keep_clock(held: Gate) -> None:
    """Remember how the clock stands to this host's monotonic one, and re-base every wait after a jump.

    A jump moves the clock of every host that shares it, so their offsets move too and none re-bases twice.
    """
    row, moved = held.row, jump_s(held.row, held.now)
    if abs(moved) > bounds.CLOCK_JUMP_S:
        _rebase(held, timedelta(seconds=moved))
        row.clocks = {host: offset + moved for host, offset in row.clocks.items()}
    if clock.host() not in row.clocks or abs(moved) > 1:  # slow drift is followed, not written at each decision
        others = [item for item in row.clocks.items() if item[0] != clock.host()][-(_CLOCKS_KEPT - 1) :]
        row.clocks = {**dict(others), clock.host(): _offset(held.now)}


def _rebase(held: Gate, by: timedelta) -> None:
    """Move what was set by decisions; grant what beats keep alive anew, for a beat may have come after the jump."""
    lease = held.now + timedelta(seconds=bounds.LEASE_S)
    Turn.objects.filter(state__in=Turn.ACTIVE).update(wait_until=F("wait_until") + by)  # a lost run waits again
    Turn.objects.filter(state=Turn.State.QUEUED, present_until__isnull=False).update(
        present_until=held.now + timedelta(seconds=bounds.WORKER_GONE_S)
    )
    Turn.objects.filter(state=Turn.State.RUNNING).update(
        started_at=F("started_at") + by, deadline_at=F("deadline_at") + by, lease_until=lease, sent_at=held.now
    )
    QueueStart.objects.update(at=F("at") + by)
    QueueStart.objects.filter(held_until__gte=held.now - by).update(held_until=lease)  # what was over stays over
    Toggle.objects.filter(active=True).update(lease_until=lease)
    if held.row.paused_at is not None:
        held.row.paused_at += by
