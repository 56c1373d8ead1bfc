"""Many at once, on the real database with its real locks (EX1, QU2, QU14)."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from agents_app.models import Event, QueueStart, Toggle, Turn
from agents_app.queue import events, lease, toggles
from agents_app.queue.admission import admit
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.dispatch import dispatch
from agents_app.queue.finish import finish
from agents_app.refusals import OverCapacity, Refusal, RunActive
from tests.queue.people import crowd, version_of

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*works):
    """Runs each in a thread of its own, all let go at the same moment; gives results or refusals."""
    gate = threading.Barrier(len(works))

    def one(work):
        gate.wait()
        try:
            return work()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


def test_of_twenty_connections_of_one_person_exactly_one_gets_in(alice, session_of):
    session = session_of(alice)
    results = at_once(*[lambda: admit(session=session, owner=alice)] * 20)
    assert sum(isinstance(result, Turn) for result in results) == 1
    assert sum(isinstance(result, RunActive) for result in results) == 19
    assert Turn.objects.count() == 1


def test_twenty_repetitions_of_one_key_are_one_turn(alice, session_of):
    session = session_of(alice)
    results = at_once(*[lambda: admit(session=session, owner=alice, idempotency_key="k")] * 20)
    assert len({result.id for result in results}) == 1


def test_twenty_people_at_once_fill_the_queue_exactly(session_of, settings):
    settings.AGENT_RUNS_PER_MINUTE, settings.AGENT_QUEUE_CAPACITY = 0, 10
    people = [(person, session_of(person)) for person in crowd(20)]
    results = at_once(*[lambda p=person, s=session: admit(session=s, owner=p) for person, session in people])
    assert sum(isinstance(result, Turn) for result in results) == 11
    assert sum(isinstance(result, OverCapacity) for result in results) == 9
    assert Turn.objects.filter(state=Turn.State.RUNNING).count() == 1
    arrivals = sorted(Turn.objects.values_list("arrival", flat=True))
    assert arrivals == list(range(arrivals[0], arrivals[0] + 11))


def test_a_turn_and_a_toggle_of_one_person_refuse_each_other_even_at_once(alice, session_of):
    session = session_of(alice)
    version = version_of(session)
    results = at_once(
        *[lambda: admit(session=session, owner=alice)] * 5, *[lambda: toggles.begin(alice, version, "dark")] * 5
    )
    assert sum(not isinstance(result, RunActive) for result in results) == 1
    assert Turn.objects.count() + Toggle.objects.filter(active=True).count() == 1


def test_dispatchers_at_once_start_each_turn_once(session_of, settings):
    settings.AGENT_RUNS_PER_MINUTE = 0
    people = crowd(6)
    for person in people:
        admit(session=session_of(person), owner=person)
    running = Turn.objects.get(state=Turn.State.RUNNING)
    cancel_turn(running)
    settings.AGENT_RUN_CONCURRENCY = 3
    started = [turn for result in at_once(*[dispatch] * 8) for turn in result]
    assert len(started) == len(set(started)) == 2
    assert QueueStart.objects.count() == 4


def test_of_many_workers_one_claims(alice, session_of):
    turn = admit(session=session_of(alice), owner=alice)
    results = at_once(*[lambda: lease.claim(turn.id, turn.token, "elsewhere:1:1:x")] * 8)
    assert sum(result is not None for result in results) == 1
    assert Turn.objects.get().attempts == 1


def test_a_stop_and_an_end_at_once_leave_exactly_one_terminal_state(session_of, settings):
    settings.AGENT_RUNS_PER_MINUTE = 0
    for person in crowd(5):
        turn = admit(session=session_of(person), owner=person)
        turn = lease.claim(turn.id, turn.token, "elsewhere:1:1:x")
        stopped, ended = at_once(
            lambda turn=turn: cancel_turn(turn), lambda turn=turn: finish(turn.id, turn.token, outcome="ok")
        )
        assert stopped is not ended
        assert turn.events.filter(type="done").count() == 1
        lease.release(turn.token)


def test_events_that_are_written_at_once_get_a_number_each(alice, session_of):
    turn = admit(session=session_of(alice), owner=alice)
    at_once(*[lambda: events.report(turn.id, turn.token, "render")] * 10)
    numbers = list(Event.objects.filter(turn=turn).values_list("number", flat=True))
    assert numbers == list(range(1, 12))
