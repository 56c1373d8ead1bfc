"""Where a waiting turn stands, and when it will probably start.

Computed when sent, never stored (PR2). The estimate plays the queue forward with the measured time of recent
runs; it knows nothing of people who will leave, so it is rather late than early.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count

from agents_app.models import QueueGate, QueueStart, Turn
from agents_app.queue import clock, starting
from agents_app.queue.policy import Policy
from anyplot_site import bounds
from renderer_app.models import WorkerBeat


@dataclass(frozen=True)
class Forecast:
    """The queue in its order of service, with the seconds until each start (None: paused, nobody knows).

    `next_start_s` is when the first of them starts, `last_start_s` when one that came now would.
    """

    places: dict[str, int] = field(default_factory=dict)  # turn id -> place, from 1
    starts_s: list[float | None] = field(default_factory=list)
    people: int = 0
    next_start_s: float | None = 0.0
    last_start_s: float | None = 0.0

    def status(self, turn_id: Any, lane: str = Turn.Lane.STANDARD) -> dict[str, Any]:
        """The `queued` status of a turn; one that has just left the queue stands first."""
        place = self.places.get(str(turn_id))
        if place is None:
            return {"step": "queued", "position": 1, "waiting": max(1, self.people), "eta_s": 0}
        waiting = len(self.places) if lane == Turn.Lane.BATCH else max(place, self.people)
        eta = self.starts_s[place - 1]
        return {"step": "queued", "position": place, "waiting": waiting, "eta_s": None if eta is None else round(eta)}


def queued_status(turn: Turn) -> dict[str, Any]:
    """`{"step": "queued", "position", "waiting", "eta_s"}`: `position` from 1, `waiting` counts this turn."""
    return forecast().status(turn.id, turn.lane)


def forecast() -> Forecast:
    """Play the present queue forward."""
    now, policy = clock.now(), Policy.current()
    queued = list(
        Turn.objects.filter(state=Turn.State.QUEUED).order_by("lane_rank", "arrival").values_list("id", "lane")
    )
    gate = QueueGate.objects.filter(id=1).first() or QueueGate()
    order = _order(queued, gate.passed_over)
    people = sum(lane in starting.PEOPLE for _, lane in queued)
    places = {str(turn_id): place for place, turn_id in enumerate(order, start=1)}
    if gate.paused_at is not None:
        return Forecast(places, [None] * len(order), people, None, None)
    starts = _starts(len(order) + 1, now, policy)
    return Forecast(places, list(starts[:-1]), people, starts[0], starts[-1])


def snapshot() -> dict[str, Any]:
    """The queue for `/v1/status` (QU12)."""
    policy, gate, ahead = Policy.current(), QueueGate.objects.filter(id=1).first(), forecast()
    waiting = Turn.objects.filter(state=Turn.State.QUEUED)
    lanes = dict(waiting.order_by().values_list("lane").annotate(n=Count("id")))
    alive = WorkerBeat.objects.filter(beat_at__gte=clock.now() - timedelta(seconds=bounds.WORKER_GONE_S))
    workers = dict(alive.order_by().values_list("kind").annotate(n=Count("name")))
    return {
        "waiting": sum(lanes.values()),
        "in_flight": Turn.objects.filter(state=Turn.State.RUNNING).count(),
        "paused": gate is not None and gate.paused_at is not None,
        "capacity": policy.capacity,
        "concurrency": policy.concurrency,
        "runs_per_minute": policy.runs_per_minute,
        "max_wait_s": policy.max_wait_s,
        "estimated_wait_s": None if ahead.last_start_s is None else round(ahead.last_start_s, 1),
        "lanes": {lane: lanes.get(lane, 0) for lane in Turn.Lane.values},
        "workers": {kind: workers.get(kind, 0) for kind in ("run", "render")},
    }


def service_s() -> float:
    """How long a run takes: the mean of the recent ones, or a guess while there are none."""
    recent = Turn.objects.filter(state=Turn.State.FINISHED, started_at__isnull=False).order_by("-finished_at")
    times = [
        (finished - started).total_seconds()
        for started, finished in recent.values_list("started_at", "finished_at")[: bounds.SERVICE_RUNS]
        if started is not None and finished is not None
    ]
    return sum(times) / len(times) if times else bounds.SERVICE_S


def _order(queued: list[tuple[Any, str]], passed_over: int) -> list[Any]:
    """Ids in the order of service, every fourth the oldest batch run's."""
    people = deque(turn_id for turn_id, lane in queued if lane in starting.PEOPLE)
    batch = deque(turn_id for turn_id, lane in queued if lane not in starting.PEOPLE)
    order: list[Any] = []
    while people and batch:
        if passed_over >= bounds.BATCH_EVERY - 1:
            order.append(batch.popleft())
            passed_over = 0
        else:
            order.append(people.popleft())
            passed_over += 1
    return [*order, *people, *batch]


def _starts(count: int, now: datetime, policy: Policy) -> list[float]:
    """Seconds until each of the next `count` starts: a free place in flight, and room in the rate window."""
    service = service_s()
    running = [
        max(0.0, service - (now - started).total_seconds())
        for started in Turn.objects.filter(state=Turn.State.RUNNING).values_list("started_at", flat=True)
        if started is not None
    ]
    idle = [0.0] * max(0, policy.concurrency - len(running))
    free = sorted([*running, *idle])
    window = timedelta(seconds=bounds.RATE_WINDOW_S)
    recent = QueueStart.objects.filter(at__gt=now - window).order_by("at").values_list("at", flat=True)
    counted = [(at - now).total_seconds() for at in recent]
    starts: list[float] = []
    for _ in range(count):
        at = free.pop(0)
        if policy.runs_per_minute and len(counted) >= policy.runs_per_minute:
            at = max(at, counted[-policy.runs_per_minute] + bounds.RATE_WINDOW_S)
        at = max(at, starts[-1] if starts else 0.0)
        starts.append(at)
        counted.append(at)
        free = sorted([*free, at + service])
    return starts
