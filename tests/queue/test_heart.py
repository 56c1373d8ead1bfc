"""The thread that beats: stops, deadlines and the fence (QU9, QU13)."""

import pytest
from django.db import OperationalError

from agents_app.queue.heart import Heart
from agents_app.queue.lease import Beat
from tests.queue.waiting import until

KEPT, LOST = Beat(confirmed=True, cancel=False), Beat(confirmed=False, cancel=True)


def heart(beat=lambda: KEPT, look=lambda: True, **times):
    """A heart in a hurry."""
    return Heart(beat, look, **{"look_s": 0.01, "beat_s": 0.02, "fence_s": 0.3, "overrun_s": 0.1, **times})


def fails():
    raise OperationalError("the database is away")


@pytest.fixture
def ends():
    """What a heart said when the work must end at any price."""
    return []


def test_a_heart_whose_beats_are_confirmed_lets_the_work_go_on(ends):
    beats = []
    with heart(lambda: beats.append(1) or KEPT, on_end=ends.append) as beating:
        until(lambda: len(beats) >= 20)
        assert not beating.must_stop()
    assert ends == []


def test_a_stop_is_noticed_between_two_beats():
    with heart(look=lambda: False, beat_s=600) as beating:
        until(beating.must_stop)
    assert beating.reason == "stopped"


def test_a_beat_that_is_refused_stops_the_work():
    with heart(lambda: LOST) as beating:
        until(beating.must_stop)
    assert beating.reason == "stopped"


def test_without_a_confirmed_beat_the_work_is_fenced(ends):
    with heart(fails, fails, on_end=ends.append) as beating:
        until(lambda: ends)
        assert beating.must_stop()
    assert ends == ["fenced"]
    assert beating.reason == "fenced"


def test_a_short_silence_is_no_fence(ends):
    beats = []

    def beat():
        beats.append(1)
        return fails() if len(beats) < 3 else KEPT

    with heart(beat, on_end=ends.append, fence_s=20) as beating:
        until(lambda: len(beats) > 5)
        assert not beating.must_stop()
    assert ends == []


def test_the_deadline_stops_the_work_and_an_overrun_ends_it(ends):
    with heart(left_s=0.05, on_end=ends.append) as beating:
        until(beating.must_stop)
        assert beating.reason == "deadline"
        until(lambda: ends)
    assert ends == ["overrun"]


def test_the_first_reason_stays():
    with heart(left_s=0.0) as beating:
        assert beating.must_stop()
        beating.stop("stopped")
        assert beating.reason == "deadline"
