"""The single decision of the queue. Anybody may call it at any time: there is no scheduler to lose.

Admission, finish, waiting streams, idle workers and a periodic tick all call it.
"""

import uuid

from agents_app.models import QueueGate, QueueStart, Turn
from agents_app.queue import clock, leaving, recovery, starting
from agents_app.queue.gate import Gate, gate, jump_s
from agents_app.queue.policy import Policy
from anyplot_site import bounds


def dispatch() -> list[uuid.UUID]:
    """Decide what is due and return the turns that were started; takes the gate only when something is due."""
    if not due():
        return []
    with gate() as held:
        return [turn.id for turn in decide(held)]


def decide(held: Gate) -> list[Turn]:
    """Under the gate: recover, end the overdue and the absent, start what may start; returns the started."""
    recovery.recover(held)
    leaving.expire(held)
    leaving.withdraw(held)
    return starting.start_all(held)


def due() -> bool:
    """A cheap look without the gate: False when `decide` would do nothing. A few reads of partial indexes."""
    running = list(Turn.objects.filter(state=Turn.State.RUNNING))
    stopping = list(QueueStart.objects.filter(held_until__isnull=False))
    waiting = Turn.objects.filter(state=Turn.State.QUEUED).exists()
    if not (waiting or running or stopping):
        return False
    row, now = QueueGate.objects.filter(id=1).first() or QueueGate(), clock.now()
    return (
        abs(jump_s(row, now)) > bounds.CLOCK_JUMP_S
        or any(recovery.needs_look(turn, now) for turn in running)
        or any(recovery.lets_go(start, now) for start in stopping)
        or (waiting and _waiting_due(Gate(row, now, Policy.current())))
    )


def _waiting_due(seen: Gate) -> bool:
    """True when a waiting turn would leave or start."""
    if leaving.absent(seen.now).exists():
        return True
    return not seen.paused and (leaving.overdue(seen.now).exists() or starting.free_places(seen) > 0)
