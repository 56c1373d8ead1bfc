"""Who gets a place (QU1, QU5, QU6, QU16, QU17, EX1)."""

import pytest
from django.contrib.auth.models import User

from agents_app.models import Event, QueueGate, Turn
from agents_app.queue import admission, pause, toggles
from agents_app.queue.admission import admit, answer
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.policy import Policy
from agents_app.refusals import Invalid, NotFound, OverCapacity, RunActive
from tests.queue.people import crowd, version_of

pytestmark = pytest.mark.django_db


def test_a_turn_that_may_start_at_once_is_started_at_its_admission(alice, session_of, fake_clock):
    turn = admit(session=session_of(alice), owner=alice)
    assert turn.state == Turn.State.RUNNING
    assert turn.started_at == fake_clock.now()
    assert (turn.deadline_at - turn.started_at).total_seconds() == 180


def test_the_first_event_names_protocol_session_and_turn(alice, session_of, fake_clock):
    session = session_of(alice)
    turn = admit(session=session, owner=alice)
    event = turn.events.get(number=1)
    assert event.type == "ready"
    assert event.data == {"protocol": "anyplot/1", "session": str(session.id), "turn": str(turn.id)}


def test_a_second_turn_of_the_same_person_is_refused_in_any_session(alice, session_of, fake_clock):
    admit(session=session_of(alice), owner=alice)
    with pytest.raises(RunActive):
        admit(session=session_of(alice), owner=alice)
    assert Turn.objects.count() == 1


def test_a_second_turn_is_refused_while_the_first_waits(alice, bob, session_of, fake_clock):
    admit(session=session_of(bob), owner=bob)
    waiting = admit(session=session_of(alice), owner=alice)
    assert waiting.state == Turn.State.QUEUED
    with pytest.raises(RunActive):
        admit(session=session_of(alice), owner=alice)


def test_after_a_stop_a_new_turn_is_accepted_at_once(alice, session_of, fake_clock):
    cancel_turn(admit(session=session_of(alice), owner=alice))
    assert admit(session=session_of(alice), owner=alice).state in Turn.ACTIVE


def test_batch_runs_are_nobodys_turn(alice, session_of, fake_clock):
    for _ in range(3):
        admit(session=session_of(alice), owner=alice, lane=Turn.Lane.BATCH)
    assert admit(session=session_of(alice), owner=alice).state in Turn.ACTIVE


def test_a_turn_is_refused_while_a_toggle_is_active_and_a_toggle_while_a_turn_is(alice, bob, session_of, fake_clock):
    session = session_of(alice)
    toggle = toggles.begin(alice, version_of(session), "dark")
    with pytest.raises(RunActive, match="another theme or format"):  # which nobody can stop
        admit(session=session, owner=alice)
    with pytest.raises(RunActive, match="another theme or format"):
        toggles.begin(alice, toggle.version, "light")
    admit(session=session_of(bob), owner=bob)
    toggles.end(toggle)
    admit(session=session, owner=alice)
    with pytest.raises(RunActive, match="stop it first"):
        toggles.begin(alice, version_of(session), "dark")


def test_a_toggle_whose_process_died_keeps_nobody_out_for_longer_than_its_lease(alice, session_of, fake_clock):
    session = session_of(alice)
    toggle = toggles.begin(alice, version_of(session), "dark")
    fake_clock.advance(20)
    assert toggles.beat(toggle)
    fake_clock.advance(30)
    with pytest.raises(RunActive):
        admit(session=session, owner=alice)
    fake_clock.advance(0.001)
    assert admit(session=session, owner=alice)
    assert not toggles.beat(toggle)


def test_capacity_is_the_rate_times_the_longest_wait(settings):
    settings.AGENT_RUNS_PER_MINUTE, settings.AGENT_QUEUE_MAX_WAIT_S = 1, 600
    assert Policy.current().capacity == 10
    settings.AGENT_RUNS_PER_MINUTE = 60
    assert Policy.current().capacity == 600
    settings.AGENT_RUNS_PER_MINUTE, settings.AGENT_QUEUE_CAPACITY = 0, 1000
    assert Policy.current().capacity == 1000


@pytest.mark.parametrize(("paused", "admitted"), [(False, 11), (True, 10)])
def test_an_idle_queue_of_ten_admits_eleven_and_a_paused_one_ten(paused, admitted, session_of, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE, settings.AGENT_QUEUE_MAX_WAIT_S = 1, 600
    if paused:
        pause.pause()
    people, waits = crowd(13), []
    for person in people:
        try:
            admit(session=session_of(person), owner=person)
        except OverCapacity as refusal:
            waits.append(refusal.retry_after_s)
    assert Turn.objects.filter(state=Turn.State.QUEUED).count() == 10
    assert len(people) - len(waits) == admitted == Turn.objects.count()
    assert min(waits) >= 1


def test_a_refusal_for_want_of_capacity_stores_nothing(bob, alice, session_of, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE, settings.AGENT_QUEUE_CAPACITY = 0, 1
    first, second = crowd(2)
    for person in (first, second):
        admit(session=session_of(person), owner=person)
    before = (Turn.objects.count(), Event.objects.count(), QueueGate.objects.get().next_arrival)
    with pytest.raises(OverCapacity):
        admit(session=session_of(alice), owner=alice)
    assert (Turn.objects.count(), Event.objects.count(), QueueGate.objects.get().next_arrival) == before


def test_an_overdue_entry_frees_its_place_for_the_one_who_asks(alice, session_of, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE, settings.AGENT_QUEUE_CAPACITY = 0, 1
    first, second = crowd(2)
    admit(session=session_of(first), owner=first)
    waiting = admit(session=session_of(second), owner=second)
    fake_clock.advance(600.001)
    admit(session=session_of(alice), owner=alice)
    waiting.refresh_from_db()
    assert waiting.state == Turn.State.EXPIRED


def test_the_batch_lane_has_a_bound_of_its_own(alice, bob, session_of, settings, fake_clock):
    settings.AGENT_BATCH_MAX = 2
    admit(session=session_of(bob), owner=bob)
    for _ in range(2):
        admit(session=session_of(alice), owner=alice, lane=Turn.Lane.BATCH)
    with pytest.raises(OverCapacity):
        admit(session=session_of(alice), owner=alice, lane=Turn.Lane.BATCH)
    assert admit(session=session_of(alice), owner=alice)


def test_a_repeated_key_joins_the_same_turn_whatever_became_of_it(alice, session_of, fake_clock):
    session = session_of(alice)
    turn = admit(session=session, owner=alice, idempotency_key="k1")
    assert admit(session=session, owner=alice, idempotency_key="k1").id == turn.id
    cancel_turn(turn)
    assert admit(session=session, owner=alice, idempotency_key="k1").id == turn.id
    assert admit(session=session, owner=alice, idempotency_key="k2").id != turn.id


def test_the_same_key_in_another_session_is_another_turn(alice, session_of, fake_clock):
    turn = admit(session=session_of(alice), owner=alice, idempotency_key="k1")
    cancel_turn(turn)
    assert admit(session=session_of(alice), owner=alice, idempotency_key="k1").id != turn.id


def test_a_key_that_is_too_long_is_refused(alice, session_of, fake_clock):
    with pytest.raises(Invalid, match="201 characters"):
        admit(session=session_of(alice), owner=alice, idempotency_key="k" * 201)


def test_a_session_that_was_deleted_meanwhile_is_not_found(alice, session_of, fake_clock):
    session = session_of(alice)
    type(session).objects.all().delete()
    with pytest.raises(NotFound):
        admit(session=session, owner=alice)


def test_a_turn_that_needs_no_run_is_answered_at_once_and_takes_no_place(alice, session_of, fake_clock):
    session = session_of(alice)
    admit(session=session, owner=alice)
    message = {"text": "?", "understood": [], "not_understood": ["x"], "suggestions": []}
    turn = answer(
        session=session, owner=alice, text="x", message=message, outcome="not_understood", idempotency_key="a"
    )
    assert turn.state == Turn.State.FINISHED
    assert list(turn.events.values_list("number", "type")) == [(1, "ready"), (2, "message"), (3, "done")]
    assert turn.events.get(number=3).data == {"outcome": "not_understood"}
    again = answer(
        session=session, owner=alice, text="x", message=message, outcome="not_understood", idempotency_key="a"
    )
    assert again.id == turn.id


def test_the_constraint_turns_a_race_into_run_active(alice, session_of, fake_clock, monkeypatch):
    # What two gates at once would see: both look before either inserts.
    session = session_of(alice)
    admit(session=session, owner=alice)
    monkeypatch.setattr(admission, "busy", lambda owner: None)
    with pytest.raises(RunActive):
        admit(session=session, owner=alice)
    assert Turn.objects.count() == 1
    assert User.objects.count() == 1
