"""What starts, waits and leaves, at exact times (QU1-QU10, QU15, QU16)."""

import subprocess
import sys
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from agents_app.models import QueueGate, QueueStart, Turn
from agents_app.queue import lease, pause, presence
from agents_app.queue.admission import admit
from agents_app.queue.cancel import cancel_session, cancel_turn
from agents_app.queue.dispatch import dispatch, due
from agents_app.queue.finish import finish
from anyplot_site import bounds
from renderer_app import identity
from tests.queue.people import crowd

pytestmark = pytest.mark.django_db

ELSEWHERE = "another-host:1:1:0123456789ab"  # a worker that nobody here can see


@pytest.fixture
def ask(session_of):
    """Admits turns, each of a new person unless one is given."""
    people = iter(crowd(30))

    def make(**fields):
        owner = next(people)
        return admit(session=session_of(owner), owner=owner, **fields)

    return make


def state(turn):
    return Turn.objects.get(id=turn.id).state


def kinds(turn):
    return [(event.type, event.data.get("code") or event.data.get("outcome")) for event in turn.events.all()]


def claim(turn):
    turn.refresh_from_db()
    return lease.claim(turn.id, turn.token, ELSEWHERE)


def end(turn):
    turn.refresh_from_db()
    return finish(turn.id, turn.token, outcome="ok")


# --- order ----------------------------------------------------------------------------------


def test_turns_start_in_order_of_arrival(ask, unlimited, fake_clock):
    turns = [ask() for _ in range(4)]
    order = []
    for _ in turns:
        running = Turn.objects.get(state=Turn.State.RUNNING)
        order.append(running.id)
        end(running)
    assert order == [turn.id for turn in turns]


def test_premium_goes_before_standard_and_standard_before_batch(ask, unlimited, fake_clock):
    first, batch, standard, premium = ask(), ask(lane="batch"), ask(), ask(lane="premium")
    for expected in (premium, standard, batch):
        end(Turn.objects.get(state=Turn.State.RUNNING))
        assert state(expected) == Turn.State.RUNNING
    assert state(first) == Turn.State.FINISHED


def test_while_a_batch_run_waits_every_fourth_start_is_the_oldest_ones(ask, unlimited, fake_clock):
    ask()
    batch = [ask(lane="batch") for _ in range(2)]
    people = [ask() for _ in range(8)]
    order = []
    for _ in range(10):
        end(Turn.objects.get(state=Turn.State.RUNNING))
        order.append(Turn.objects.get(state=Turn.State.RUNNING).id)
    waiting = iter(people)
    expected = [batch[0] if n == 3 else batch[1] if n == 7 else next(waiting) for n in range(10)]
    assert order == [turn.id for turn in expected]


def test_starts_before_a_batch_run_waited_do_not_count_for_it(ask, unlimited, fake_clock):
    for _ in range(5):
        end(ask())
    ask()
    batch, person = ask(lane="batch"), ask()
    end(Turn.objects.get(state=Turn.State.RUNNING))
    assert state(person) == Turn.State.RUNNING
    assert state(batch) == Turn.State.QUEUED


# --- limits ---------------------------------------------------------------------------------


def test_never_more_than_the_allowed_number_are_in_flight(ask, unlimited, settings, fake_clock):
    settings.AGENT_RUN_CONCURRENCY = 3
    for _ in range(6):
        ask()
    assert Turn.objects.filter(state=Turn.State.RUNNING).count() == 3


@pytest.mark.parametrize(("after_s", "starts"), [(59.999999, False), (60.0, True)])
def test_a_start_exactly_sixty_seconds_ago_no_longer_counts(after_s, starts, ask, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE = 1
    end(ask())
    turn = ask()
    assert state(turn) == Turn.State.QUEUED
    fake_clock.advance(after_s)
    dispatch()
    assert (state(turn) == Turn.State.RUNNING) is starts


def test_the_window_slides_over_every_start(ask, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE = 2
    end(ask())
    fake_clock.advance(30)
    end(ask())
    third, fourth = ask(), ask()
    fake_clock.advance(30)
    dispatch()
    assert state(third) == Turn.State.RUNNING
    end(third)
    assert state(fourth) == Turn.State.QUEUED
    fake_clock.advance(30)
    dispatch()
    assert state(fourth) == Turn.State.RUNNING


@pytest.mark.parametrize(("after_s", "becomes"), [(600.0, Turn.State.RUNNING), (600.000001, Turn.State.EXPIRED)])
def test_a_turn_that_comes_exactly_when_its_wait_ends_starts_and_an_overdue_one_never(
    after_s, becomes, ask, unlimited, fake_clock
):
    running, turn = ask(), ask()
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(hours=1))
    fake_clock.advance(after_s)
    end(running)
    assert state(turn) == becomes


def test_a_wait_that_runs_out_ends_in_the_stream(ask, unlimited, fake_clock):
    running, turn = ask(), ask()
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(hours=1))
    fake_clock.advance(601)
    dispatch()
    assert kinds(turn) == [("ready", None), ("error", "capacity"), ("done", "expired")]


def test_a_batch_run_has_no_longest_wait(ask, unlimited, fake_clock):
    running, batch = ask(), ask(lane="batch")
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(days=9))
    fake_clock.advance(86_400)
    dispatch()
    assert state(batch) == Turn.State.QUEUED


def test_the_deadline_starts_when_the_turn_leaves_the_queue(ask, unlimited, fake_clock):
    running, turn = ask(), ask()
    claim(running)
    fake_clock.advance(25)
    end(running)
    turn.refresh_from_db()
    assert turn.deadline_at == fake_clock.now() + timedelta(seconds=180)


# --- leases ---------------------------------------------------------------------------------


def test_a_turn_is_claimed_once(ask, fake_clock):
    turn = ask()
    assert claim(turn).attempts == 1
    assert claim(turn) is None


def test_a_beat_keeps_the_lease_and_silence_loses_it_once_then_for_good(ask, unlimited, fake_clock):
    turn = ask()
    claim(turn)
    first = turn.token
    fake_clock.advance(29)
    assert lease.beat(turn.id, first).confirmed
    fake_clock.advance(30)
    dispatch()
    assert state(turn) == Turn.State.RUNNING
    fake_clock.advance(0.001)
    dispatch()
    turn.refresh_from_db()
    assert turn.token != first
    assert claim(turn).attempts == 2
    fake_clock.advance(30.001)
    dispatch()
    assert state(turn) == Turn.State.LOST
    assert kinds(turn)[-2:] == [("error", "worker_lost"), ("done", "failed")]


def test_a_lost_workers_turn_goes_back_to_its_old_place(ask, unlimited, fake_clock):
    first, second = ask(), ask()
    claim(first)
    fake_clock.advance(31)
    dispatch()
    assert state(first) == Turn.State.RUNNING
    assert state(second) == Turn.State.QUEUED


def test_stale_tokens_open_nothing(ask, unlimited, fake_clock):
    turn = ask()
    claim(turn)
    stale = turn.token
    fake_clock.advance(31)
    dispatch()
    assert not lease.beat(turn.id, stale).confirmed
    assert lease.beat(turn.id, stale).cancel
    assert not lease.holds(turn.id, stale)
    assert lease.claim(turn.id, stale, ELSEWHERE) is None
    assert not finish(turn.id, stale, outcome="ok")
    assert state(turn) == Turn.State.RUNNING


def test_running_is_no_waiting_as_far_as_the_whole_turn_allows(ask, settings, unlimited, fake_clock):
    # 890 - 180 - 600: at most 110 s of the lost run are given back (PR4).
    turn = ask()
    claim(turn)
    before = turn.wait_until
    pause.pause()  # so that it stays at its place
    fake_clock.advance(31)
    dispatch()
    turn.refresh_from_db()
    assert turn.state == Turn.State.QUEUED
    assert turn.wait_until == before + timedelta(seconds=31)
    pause.resume()
    turn.refresh_from_db()
    assert turn.state == Turn.State.RUNNING


def test_a_worker_whose_process_is_gone_is_recovered_at_once(ask, unlimited, fake_clock):
    script = "import sys; sys.path.insert(0, '.'); from renderer_app import identity; print(identity.me())"
    gone = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    turn = ask()
    lease.claim(turn.id, turn.token, gone)
    stale = turn.token
    assert due()
    dispatch()
    turn.refresh_from_db()
    assert turn.state == Turn.State.RUNNING
    assert turn.token != stale
    assert turn.claimed_at is None


def test_a_hanging_run_with_a_beating_heart_ends_by_its_deadline(ask, unlimited, fake_clock):
    turn = ask()
    claim(turn)
    for _ in range(38):
        fake_clock.advance(5)
        lease.beat(turn.id, turn.token)
    fake_clock.advance(5)
    assert not lease.beat(turn.id, turn.token).confirmed
    fake_clock.advance(26)
    dispatch()
    assert state(turn) == Turn.State.LOST
    assert kinds(turn)[-2:] == [("error", "deadline"), ("done", "failed")]


def test_a_message_that_nobody_took_up_is_sent_again_until_somebody_does(ask, unlimited, fake_clock, monkeypatch):
    sent = []
    monkeypatch.setattr("agents_app.queue.carrier.send_later", lambda turn: sent.append(turn.token))
    turn = ask()
    fake_clock.advance(2.999)
    dispatch()
    assert sent == [turn.token]
    for _ in range(2):
        fake_clock.advance(3)
        dispatch()
    assert sent == [turn.token] * 3
    claim(turn)
    fake_clock.advance(3)
    dispatch()
    assert len(sent) == 3


def test_a_start_that_nobody_took_up_is_no_start_and_no_attempt(ask, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE = 1
    turn, second = ask(), ask()
    fake_clock.advance(30.001)
    dispatch()
    turn.refresh_from_db()
    assert turn.state == Turn.State.RUNNING
    assert turn.attempts == 0
    assert QueueStart.objects.count() == 1
    assert state(second) == Turn.State.QUEUED
    assert claim(turn).attempts == 1


# --- stopping and leaving ---------------------------------------------------------------------


def test_a_stopped_turn_is_over_at_once_and_its_place_in_flight_when_its_worker_has_stopped(ask, unlimited, fake_clock):
    turn, second = ask(), ask()
    claim(turn)
    assert cancel_turn(turn)
    assert state(turn) == Turn.State.CANCELED
    assert state(second) == Turn.State.QUEUED
    answer = lease.beat(turn.id, turn.token)
    assert (answer.confirmed, answer.cancel) == (False, True)
    lease.release(turn.token)
    assert state(second) == Turn.State.RUNNING


def test_a_stopped_turns_place_is_free_when_its_silent_workers_lease_is_over(ask, unlimited, fake_clock):
    turn, second = ask(), ask()
    claim(turn)
    cancel_turn(turn)
    fake_clock.advance(30)
    dispatch()
    assert state(second) == Turn.State.QUEUED
    fake_clock.advance(0.001)
    dispatch()
    assert state(second) == Turn.State.RUNNING


def test_a_stop_before_a_worker_took_it_up_frees_its_place_at_once(ask, unlimited, fake_clock):
    turn, second = ask(), ask()
    cancel_turn(turn)
    assert state(second) == Turn.State.RUNNING
    assert claim(turn) is None


def test_a_second_stop_and_a_stop_after_the_end_do_nothing(ask, fake_clock):
    turn = ask()
    assert cancel_turn(turn)
    assert not cancel_turn(turn)
    assert [kind for kind, _ in kinds(turn)].count("done") == 1


def test_a_deleted_session_withdraws_its_turn_and_the_slot_stays_with_the_worker(ask, unlimited, fake_clock):
    turn, second = ask(), ask()
    claim(turn)
    assert cancel_session(turn.session)
    turn.session.delete()
    assert state(second) == Turn.State.QUEUED
    assert lease.beat(turn.id, turn.token).cancel
    lease.release(turn.token)
    assert state(second) == Turn.State.RUNNING


def test_a_client_that_left_is_withdrawn_after_its_grace(ask, unlimited, fake_clock):
    ask()
    turn = ask()
    presence.attached(turn.id)
    fake_clock.advance(45)
    presence.renew([turn.id])
    presence.detached(turn.id)
    fake_clock.advance(10)
    dispatch()
    assert state(turn) == Turn.State.QUEUED
    fake_clock.advance(0.001)
    dispatch()
    assert state(turn) == Turn.State.WITHDRAWN
    assert kinds(turn)[-1] == ("done", "canceled")


def test_a_reload_within_the_grace_keeps_the_place(ask, unlimited, fake_clock):
    running = ask()
    claim(running)
    turn = ask()
    presence.attached(turn.id)
    presence.detached(turn.id)
    fake_clock.advance(9)
    presence.attached(turn.id)
    fake_clock.advance(20)
    dispatch()
    assert state(turn) == Turn.State.QUEUED


def test_a_dead_web_process_loses_its_turns_after_forty_five_seconds(ask, unlimited, fake_clock):
    running, turn = ask(), ask()
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(hours=1))
    presence.attached(turn.id)
    fake_clock.advance(45.001)
    dispatch()
    assert state(turn) == Turn.State.WITHDRAWN


def test_a_program_that_never_attached_waits_its_whole_wait_even_when_it_asks(ask, unlimited, fake_clock):
    running, turn = ask(), ask()
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(hours=1))
    presence.polled(turn.id)
    fake_clock.advance(599)
    dispatch()
    assert state(turn) == Turn.State.QUEUED


def test_a_page_that_polls_is_present_for_thirty_seconds_each_time(ask, unlimited, fake_clock):
    running, turn = ask(), ask()
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(hours=1))
    presence.polled(turn.id, page=True)
    fake_clock.advance(30)
    dispatch()
    assert state(turn) == Turn.State.QUEUED
    presence.polled(turn.id, page=True)
    fake_clock.advance(30.001)
    dispatch()
    assert state(turn) == Turn.State.WITHDRAWN


def test_a_running_turn_goes_on_when_its_client_leaves(ask, fake_clock):
    turn = ask()
    claim(turn)
    presence.attached(turn.id)
    presence.detached(turn.id)
    fake_clock.advance(20)
    dispatch()
    assert state(turn) == Turn.State.RUNNING


# --- pause ----------------------------------------------------------------------------------


def test_a_paused_queue_admits_and_starts_nothing_and_paused_time_is_no_waiting(ask, unlimited, fake_clock):
    running, before = ask(), ask()
    claim(running)
    fake_clock.advance(20)
    assert pause.pause()
    assert not pause.pause()
    end(running)
    during = ask()
    fake_clock.advance(3_600)
    dispatch()
    assert {state(before), state(during)} == {Turn.State.QUEUED}
    assert pause.resume()
    assert state(before) == Turn.State.RUNNING
    during.refresh_from_db()
    assert during.wait_until == fake_clock.now() + timedelta(seconds=600)
    assert not pause.resume()


# --- the clock --------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [3_600, -3_600])
def test_a_jump_of_the_clock_expires_nothing_loses_no_lease_and_blocks_nothing(seconds, ask, settings, fake_clock):
    settings.AGENT_RUNS_PER_MINUTE = 2
    running, waiting = ask(), ask()
    claim(running)
    presence.attached(waiting.id)
    fake_clock.advance(10)
    fake_clock.jump(seconds)
    # A beat comes before any decision.
    assert lease.beat(running.id, running.token).confirmed
    dispatch()
    assert state(running) == Turn.State.RUNNING
    assert state(waiting) == Turn.State.QUEUED
    waiting.refresh_from_db()
    assert waiting.wait_until == fake_clock.now() + timedelta(seconds=590)
    # The lease is worth its 30 s, not an hour more or less.
    fake_clock.advance(30)
    dispatch()
    assert state(running) == Turn.State.RUNNING
    fake_clock.advance(0.001)
    dispatch()
    running.refresh_from_db()
    assert (running.state, running.claimed_at) == (Turn.State.RUNNING, None)
    # That was the second start of this minute, 40 s in it; the next comes when the first counts no more.
    end(running)
    presence.renew([waiting.id])
    fake_clock.advance(19.998)
    dispatch()
    assert state(waiting) == Turn.State.QUEUED
    fake_clock.advance(0.001)
    dispatch()
    assert state(waiting) == Turn.State.RUNNING


def test_a_quiet_hour_is_no_jump(ask, unlimited, fake_clock):
    running, waiting = ask(), ask()
    Turn.objects.filter(id=running.id).update(lease_until=F("lease_until") + timedelta(hours=2))
    fake_clock.advance(3_600)
    dispatch()
    assert state(waiting) == Turn.State.EXPIRED


def test_slow_drift_is_followed_and_never_adds_up_to_a_jump(ask, unlimited, fake_clock):
    _, waiting = ask(), ask()
    before = waiting.wait_until
    for _ in range(10):
        fake_clock.jump(10)
        fake_clock.advance(1)
        dispatch()
    waiting.refresh_from_db()
    assert waiting.wait_until == before


# --- the look before the gate -------------------------------------------------------------------


def test_nothing_is_due_in_an_empty_queue_and_the_gate_is_left_alone(fake_clock, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        assert dispatch() == []
    assert not QueueGate.objects.exists()


def test_the_look_agrees_that_a_full_queue_has_nothing_due(ask, unlimited, fake_clock, django_assert_max_num_queries):
    claim(ask())
    ask()
    with django_assert_max_num_queries(10):
        assert not due()


def test_a_hold_that_is_over_keeps_nobody_deciding(ask, unlimited, fake_clock, monkeypatch):
    turn = ask()
    claim(turn)
    cancel_turn(turn)
    monkeypatch.setattr(identity, "gone", lambda worker: worker == ELSEWHERE)
    assert due()
    fake_clock.advance(bounds.LEASE_S + 1)
    assert not due()
    # Nor does setting the clock bring it back.
    fake_clock.jump(3_600)
    ask()
    assert QueueStart.objects.get(token=turn.token).held_until < fake_clock.now()


def test_the_cost_of_a_decision_does_not_grow_with_what_is_over(ask, unlimited, fake_clock):
    def queries():
        with CaptureQueriesContext(connection) as seen:
            end(ask())
        return len(seen)

    queries()  # makes the gate's row
    first = queries()
    for _ in range(5):
        end(ask())
    assert queries() == first
