"""Places and estimated starts (PR1, QU12)."""

from datetime import timedelta

import pytest

from agents_app.models import Turn
from agents_app.queue import pause, positions
from agents_app.queue.admission import admit
from renderer_app.models import WorkerBeat
from tests.queue.people import crowd

pytestmark = pytest.mark.django_db


@pytest.fixture
def five(session_of, settings, fake_clock):
    """One that runs and four that wait, at two starts a minute and runs of 10 s."""
    settings.AGENT_RUNS_PER_MINUTE = 2
    people = crowd(6)
    admit(session=session_of(people[5]), owner=people[5])
    Turn.objects.update(state="finished", finished_at=fake_clock.now() + timedelta(seconds=10))
    fake_clock.advance(10)
    return [admit(session=session_of(person), owner=person) for person in people[:5]]


def place(turn):
    status = positions.queued_status(turn)
    return status["position"], status["waiting"], status["eta_s"]


def test_places_count_from_one_and_starts_keep_to_places_in_flight_and_to_the_rate(five):
    # Starts were 10 s ago and now; the next ones when those leave the minute.
    assert [place(turn) for turn in five[1:]] == [(1, 4, 50), (2, 4, 60), (3, 4, 110), (4, 4, 120)]


def test_a_turn_that_has_left_the_queue_stands_first(five):
    assert place(five[0]) == (1, 4, 0)


def test_while_paused_nobody_knows_when(five):
    pause.pause()
    assert place(five[2]) == (2, 4, None)
    assert positions.snapshot()["estimated_wait_s"] is None


def test_a_premium_turn_stands_before_the_others(five, alice, session_of):
    turn = admit(session=session_of(alice), owner=alice, lane="premium")
    assert place(turn)[0] == 1
    assert place(five[1])[0] == 2


def test_people_do_not_count_the_batch_runs_that_wait_behind_them(five, alice, session_of):
    for _ in range(3):
        admit(session=session_of(alice), owner=alice, lane="batch")
    assert [place(turn)[:2] for turn in five[1:]] == [(1, 4), (2, 4), (3, 4), (5, 5)]


def test_without_a_rate_runs_follow_each_other(five, settings):
    settings.AGENT_RUNS_PER_MINUTE = 0
    assert [place(turn)[2] for turn in five[1:]] == [10, 20, 30, 40]


def test_the_snapshot_says_what_the_status_page_needs(five, fake_clock):
    WorkerBeat.objects.create(name="a", kind="run", host="h", beat_at=fake_clock.now())
    WorkerBeat.objects.create(name="b", kind="run", host="h", beat_at=fake_clock.now() - timedelta(seconds=46))
    assert positions.snapshot() == {
        "waiting": 4,
        "in_flight": 1,
        "paused": False,
        "capacity": 20,
        "concurrency": 1,
        "runs_per_minute": 2,
        "max_wait_s": 600,
        "estimated_wait_s": 170.0,
        "lanes": {"premium": 0, "standard": 4, "batch": 0},
        "workers": {"run": 1, "render": 0},
    }
