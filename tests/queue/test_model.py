"""Random operations on a fake clock against a short reference model, compared at every step (QU13)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from agents_app.models import QueueStart, Session, Turn
from agents_app.queue import clock, lease, pause, presence
from agents_app.queue.admission import admit
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.dispatch import dispatch
from agents_app.queue.finish import finish
from agents_app.refusals import OverCapacity, RunActive
from tests.queue.conftest import FakeClock

ELSEWHERE = "another-host:1:1:0123456789ab"
RANK = {"premium": 0, "standard": 1, "batch": 2}
SLACK = 890 - 180 - 600
STEPS_S = [0, 1e-6, 1, 2.999999, 3, 4.5, 9, 10, 10.000001, 20, 29.999999, 30, 30.000001, 45, 59.999999, 60, 180, 600]


def s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


@dataclass
class Entry:
    """A turn as the model sees it."""

    owner: int
    lane: str
    arrival: int
    created: datetime
    wait_until: datetime
    state: str = "queued"
    present: datetime | None = None
    started: datetime | None = None
    lease: datetime | None = None
    held: datetime | None = None
    attempts: int = 0
    claimed: bool = False


class Model:
    """The rules of the queue, as short as they can be said."""

    def __init__(self, concurrency: int, rate: int, capacity: int) -> None:
        self.concurrency, self.rate, self.capacity = concurrency, rate, capacity
        self.entries: list[Entry] = []
        self.starts: list[tuple[datetime, Entry]] = []
        self.paused: datetime | None = None
        self.passed_over = 0

    def of(self, *states: str) -> list[Entry]:
        return sorted((e for e in self.entries if e.state in states), key=lambda e: (RANK[e.lane], e.arrival))

    def back(self, e: Entry) -> None:
        e.state, e.claimed, e.started, e.lease = "queued", False, None, None

    def decide(self, now: datetime) -> None:
        for e in self.of("running"):
            if e.lease >= now:
                continue
            if not e.claimed:
                self.starts = [(at, other) for at, other in self.starts if other is not e or at != e.started]
                self.back(e)
            elif e.started + s(180) < now or e.attempts >= 2:
                e.state = "lost"
            else:
                e.wait_until += min(now - e.started, s(SLACK))
                e.present = e.present and now + s(45)
                self.back(e)
        for e in self.of("queued"):
            if not self.paused and e.wait_until < now:
                e.state = "expired"
            elif e.lane != "batch" and e.present and e.present < now:
                e.state = "withdrawn"
        while not self.paused and self.of("queued") and self.free(now) > 0:
            people = [e for e in self.of("queued") if e.lane != "batch"]
            batch = [e for e in self.of("queued") if e.lane == "batch"]
            if people and batch:
                first = (people, batch)[self.passed_over == 3][0]
                self.passed_over = 0 if first is batch[0] else self.passed_over + 1
            else:
                first, self.passed_over = (people or batch)[0], 0
            first.state, first.started, first.lease = "running", now, now + s(30)
            self.starts.append((now, first))

    def free(self, now: datetime) -> int:
        busy = sum(e.state == "running" or (e.held is not None and e.held >= now) for e in self.entries)
        window = sum(at > now - s(60) for at, _ in self.starts)
        return min(self.concurrency - busy, self.rate - window if self.rate else 99)


class Queue(RuleBasedStateMachine):
    """Does the same to the rows and to the model."""

    @initialize(concurrency=st.integers(1, 3), rate=st.sampled_from([0, 1, 2, 60]), capacity=st.sampled_from([2, 5]))
    def begin(self, concurrency: int, rate: int, capacity: int) -> None:
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.overrides = override_settings(
            AGENT_RUN_CONCURRENCY=concurrency,
            AGENT_RUNS_PER_MINUTE=rate,
            AGENT_QUEUE_CAPACITY=capacity,
            AGENT_QUEUE_MAX_WAIT_S=600,
        )
        self.overrides.enable()
        self.clock = FakeClock()
        self.using = clock.use(self.clock)
        self.using.__enter__()
        self.people = [User.objects.create(username=f"p{n}") for n in range(7)]
        self.sessions = [
            Session.objects.create(owner=person, spec="scatter-basic", library="matplotlib") for person in self.people
        ]
        self.model = Model(concurrency, rate, {0: capacity, 1: 10, 2: 20, 60: 600}[rate])
        self.turns: list[Turn] = []
        self.arrivals = count(1)

    def teardown(self) -> None:
        if hasattr(self, "atomic"):
            self.using.__exit__(None, None, None)
            self.overrides.disable()
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    def pick(self, number: int, *states: str) -> tuple[Turn, Entry] | None:
        """One of the turns in these states."""
        found = [n for n, entry in enumerate(self.model.entries) if entry.state in states]
        if not found:
            return None
        n = found[number % len(found)]
        self.turns[n].refresh_from_db()
        return self.turns[n], self.model.entries[n]

    @rule(person=st.integers(0, 6), lane=st.sampled_from(["standard", "standard", "standard", "premium", "batch"]))
    def arrive(self, person: int, lane: str) -> None:
        now, model = self.clock.now(), self.model
        model.decide(now)
        waiting = [e for e in model.of("queued") if (e.lane == "batch") == (lane == "batch")]
        busy = any(e.owner == person and e.lane != "batch" for e in model.of("queued", "running"))
        try:
            turn = admit(session=self.sessions[person], owner=self.people[person], lane=lane)
        except RunActive:
            assert busy
            assert lane != "batch"
            return
        except OverCapacity:
            assert len(waiting) >= model.capacity
            return
        assert lane == "batch" or (not busy and len(waiting) < model.capacity)
        self.turns.append(turn)
        longest = 315_360_000 if lane == "batch" else 600
        model.entries.append(Entry(person, lane, next(self.arrivals), now, now + s(longest)))
        model.decide(now)

    @rule(seconds=st.sampled_from(STEPS_S))
    def time_passes(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @rule(number=st.integers(0, 9), beside=st.sampled_from([-1e-6, 0, 1e-6]))
    def time_passes_to_an_edge(self, number: int, beside: float) -> None:
        """To the moment when something is decided: the end of a wait, a lease, a presence, a minute."""
        active = self.model.of("queued", "running")
        edges = {e.wait_until for e in active} | {e.lease for e in active} | {e.present for e in active}
        edges |= {at + s(60) for at, _ in self.model.starts} | {e.held for e in self.model.entries}
        ahead = sorted(edge for edge in edges if edge and edge > self.clock.now() and edge < self.clock.now() + s(700))
        if ahead:
            self.clock.advance((ahead[number % len(ahead)] - self.clock.now()).total_seconds() + beside)

    @rule()
    def anybody_dispatches(self) -> None:
        self.model.decide(self.clock.now())
        dispatch()

    @rule(number=st.integers(0, 9))
    def a_worker_claims(self, number: int) -> None:
        if found := self.pick(number, "running"):
            turn, entry = found
            claimed = lease.claim(turn.id, turn.token, ELSEWHERE)
            assert (claimed is not None) is not entry.claimed
            if claimed:
                entry.claimed, entry.lease = True, self.clock.now() + s(30)
                entry.attempts += 1

    @rule(number=st.integers(0, 9))
    def a_worker_beats(self, number: int) -> None:
        if (found := self.pick(number, "running")) and found[1].claimed:
            turn, entry = found
            late = entry.started + s(190) < self.clock.now()
            if late:
                self.model.decide(self.clock.now())
            assert lease.beat(turn.id, turn.token).confirmed is not late
            if not late:
                entry.lease = self.clock.now() + s(30)

    @rule(number=st.integers(0, 9), stale=st.booleans())
    def a_worker_finishes(self, number: int, stale: bool) -> None:
        if (found := self.pick(number, "running")) and found[1].claimed:
            turn, entry = found
            assert finish(turn.id, turn.token + (1000 if stale else 0), outcome="ok") is not stale
            if not stale:
                entry.state = "finished"
                self.model.decide(self.clock.now())

    @rule(number=st.integers(0, 9))
    def somebody_stops(self, number: int) -> None:
        if found := self.pick(number, "queued", "running", "finished", "expired"):
            turn, entry = found
            active = entry.state in ("queued", "running")
            assert cancel_turn(turn) is active
            if active:
                entry.held = entry.lease if entry.claimed else None
                entry.state = "canceled"
                self.model.decide(self.clock.now())

    @rule(number=st.integers(0, 9))
    def a_stopped_worker_lets_go(self, number: int) -> None:
        if found := self.pick(number, "canceled"):
            turn, entry = found
            held = entry.held is not None
            lease.release(turn.token)
            entry.held = None
            if held:
                self.model.decide(self.clock.now())

    @rule(number=st.integers(0, 9), what=st.sampled_from(["attached", "detached", "polled"]))
    def a_client(self, number: int, what: str) -> None:
        if found := self.pick(number, "queued"):
            turn, entry = found
            getattr(presence, what)(turn.id)
            now = self.clock.now()
            if what == "polled":
                entry.present = entry.present and max(entry.present, now + s(30))
            else:
                entry.present = now + s({"attached": 45, "detached": 10}[what])

    @rule()
    def an_operator_pauses_or_resumes(self) -> None:
        now, model = self.clock.now(), self.model
        if model.paused is None:
            assert pause.pause()
            model.decide(now)
            model.paused = now
        else:
            assert pause.resume()
            for e in model.of("queued"):
                e.wait_until += now - max(model.paused, e.created)
            model.paused = None
            model.decide(now)

    @invariant()
    def rows_and_model_agree(self) -> None:
        if not hasattr(self, "model"):
            return
        rows = {turn.id: turn for turn in Turn.objects.all()}
        seen = [(rows[turn.id].state, rows[turn.id].wait_until, rows[turn.id].attempts) for turn in self.turns]
        assert seen == [(e.state, e.wait_until, e.attempts) for e in self.model.entries]
        assert len(rows) == len(self.turns)
        assert sorted(QueueStart.objects.values_list("at", flat=True)) == sorted(at for at, _ in self.model.starts)

    @invariant()
    def promises_hold(self) -> None:
        if not hasattr(self, "model"):
            return
        states = list(Turn.objects.values_list("state", flat=True))
        assert states.count("running") <= self.model.concurrency
        for turn in Turn.objects.prefetch_related("events"):
            numbers = [event.number for event in turn.events.all()]
            assert numbers == list(range(1, len(numbers) + 1))
            done = [event.type for event in turn.events.all()].count("done")
            assert done == (turn.state in Turn.TERMINAL)
        ats = sorted(QueueStart.objects.values_list("at", flat=True))
        if self.model.rate:
            for at in ats:
                assert sum(at - s(60) < other <= at for other in ats) <= self.model.rate


@pytest.mark.django_db
def test_rows_and_reference_model_agree_at_every_step():
    run_state_machine_as_test(
        Queue,
        settings=settings(
            max_examples=25,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.long
@pytest.mark.django_db
def test_rows_and_reference_model_agree_at_every_step_of_many_more_stories():
    run_state_machine_as_test(
        Queue,
        settings=settings(
            max_examples=80,
            stateful_step_count=60,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
