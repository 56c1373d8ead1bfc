"""Who renders when, decided by rows; time moves only when a test says so."""

import uuid
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile

from anyplot_site import bounds
from renderer_app import identity, slots
from renderer_app.contract import Purpose
from renderer_app.models import RenderRequest

pytestmark = pytest.mark.django_db
State = RenderRequest.State

HERE = identity.me()
GONE = HERE.rsplit(":", 3)[0] + f":{2**22 + 1}:1:" + HERE.rsplit(":", 1)[1]  # this host, a pid that can't be
ELSEWHERE = "another-host:77:123:abcdefabcdef"


@pytest.fixture(autouse=True)
def clock(time_stands):
    """Time stands."""
    return time_stands


def wait(
    name: str = "job", *, purpose: Purpose = Purpose.PIPELINE, wait_s: float = 120, waiter: str = HERE
) -> RenderRequest:
    """A render that waits for a worker."""
    row = RenderRequest(job_id=name, theme="light")
    row.script.save("x.py", ContentFile(b"pass"), save=False)
    row.data.save("x.csv", ContentFile(b"a\n1\n"), save=False)
    return slots.admit(row, purpose=purpose, wait_s=wait_s, waiter=waiter)


def state(row: RenderRequest) -> str:
    row.refresh_from_db()
    return row.state


class TestOrder:
    def test_renders_come_in_order_of_arrival(self, clock):
        first = wait("first")
        clock.advance(1)
        wait("second")
        assert slots.claim(HERE).pk == first.pk

    def test_a_pipeline_goes_before_a_toggle_and_a_toggle_before_an_idle_render(self, clock):
        for purpose in (Purpose.IDLE, Purpose.TOGGLE, Purpose.PIPELINE):
            wait(purpose.value, purpose=purpose)
            clock.advance(1)
        served = []
        while (row := slots.claim(HERE)) is not None:
            served.append(row.job_id)
            assert slots.finish(row.pk, row.token, result={})
        assert served == ["pipeline", "toggle", "idle"]

    def test_only_as_many_render_as_there_are_slots(self, settings):
        wait("a"), wait("b"), wait("c")
        assert slots.claim(HERE)
        assert slots.claim(ELSEWHERE) is None
        settings.AGENT_RENDER_CONCURRENCY = 2
        assert slots.claim(ELSEWHERE)
        assert slots.claim(ELSEWHERE) is None

    def test_a_row_that_its_own_process_renders_is_nothing_for_a_worker(self, clock):
        own = slots.admit(RenderRequest(job_id="own", theme="light"), purpose=Purpose.PIPELINE, wait_s=9, waiter=HERE)
        clock.advance(1)
        later = slots.admit(RenderRequest(job_id="b", theme="light"), purpose=Purpose.PIPELINE, wait_s=9, waiter=HERE)
        assert not slots.waiting()
        assert slots.claim(HERE) is None
        assert slots.claim(HERE, only=later.pk) is None
        assert slots.claim(HERE, only=own.pk).pk == own.pk

    def test_such_a_row_takes_the_same_slot(self):
        wait()
        own = slots.admit(RenderRequest(job_id="own", theme="light"), purpose=Purpose.PIPELINE, wait_s=9, waiter=HERE)
        assert slots.claim(HERE)
        assert slots.claim(HERE, only=own.pk) is None


class TestLeases:
    def test_every_claim_has_a_larger_token(self):
        wait(), wait()
        first = slots.claim(HERE)
        slots.finish(first.pk, first.token, result={})
        assert slots.claim(HERE).token > first.token

    def test_a_beat_lengthens_the_lease(self, clock):
        wait()
        row = slots.claim(HERE)
        clock.advance(20)
        assert slots.beat(row.pk, row.token) == slots.Beat(confirmed=True, cancel=False)
        clock.advance(20)
        assert slots.recover() == []
        assert state(row) == State.RENDERING

    def test_a_lease_that_runs_out_puts_the_render_back_to_its_place(self, clock):
        row, _ = wait("old"), clock.advance(1)
        wait("young")
        held = slots.claim(ELSEWHERE)
        clock.advance(bounds.LEASE_S)
        assert [one.pk for one in slots.recover()] == [row.pk]
        assert state(row) == State.WAITING
        again = slots.claim(HERE)
        assert (again.pk, again.attempts) == (row.pk, 2)
        assert slots.finish(held.pk, held.token, result={"late": True}) is False
        assert slots.beat(held.pk, held.token).confirmed is False

    def test_a_render_that_loses_two_workers_is_lost(self, clock):
        row = wait()
        for _ in range(bounds.RENDER_ATTEMPTS):
            assert slots.claim(ELSEWHERE).pk == row.pk
            clock.advance(bounds.LEASE_S)
            slots.recover()
        assert state(row) == State.LOST
        assert slots.claim(HERE) is None

    def test_a_worker_that_is_provably_gone_needs_no_waiting(self):
        row = wait()
        slots.claim(GONE)
        assert [one.pk for one in slots.recover()] == [row.pk]
        assert state(row) == State.WAITING

    def test_a_worker_elsewhere_is_never_provably_gone(self):
        wait()
        slots.claim(ELSEWHERE)
        assert slots.recover() == []

    def test_a_claim_recovers_by_itself(self):
        row = wait()
        slots.claim(GONE)
        assert slots.claim(HERE).pk == row.pk

    def test_a_slot_of_a_process_that_rendered_itself_and_is_gone_is_free_again(self):
        own = slots.admit(RenderRequest(job_id="own", theme="light"), purpose=Purpose.PIPELINE, wait_s=9, waiter=HERE)
        slots.claim(GONE, only=own.pk)
        wait()
        assert slots.claim(HERE)
        assert state(own) == State.LOST

    def test_a_released_render_does_not_count_as_tried(self):
        row = wait()
        for _ in range(3):
            held = slots.claim(HERE)
            assert slots.release(held.pk, held.token)
        assert state(row) == State.WAITING
        assert row.attempts == 0
        assert slots.release(held.pk, held.token) is False

    def test_a_render_that_goes_back_has_time_to_be_served(self, clock):
        row = wait(wait_s=10)
        slots.claim(ELSEWHERE)
        clock.advance(bounds.LEASE_S)
        slots.recover()
        assert slots.claim(HERE).pk == row.pk


class TestWaitersWhoAreGone:
    def test_a_render_that_nobody_waits_for_any_more_is_canceled(self):
        row = wait(waiter=GONE)
        assert [one.pk for one in slots.recover()] == [row.pk]
        assert state(row) == State.CANCELED

    def test_it_does_not_hold_up_the_next_one(self):
        wait("orphan", waiter=GONE)
        mine = wait("mine")
        assert slots.claim(HERE).pk == mine.pk

    def test_one_that_is_being_drawn_is_ended_by_its_worker(self):
        row = wait(waiter=ELSEWHERE)
        held = slots.claim(HERE)
        RenderRequest.objects.filter(pk=row.pk).update(waiter=GONE)
        assert slots.recover() == []
        assert state(row) == State.RENDERING
        assert slots.look(held.pk, held.token).cancel is True
        assert slots.recover() == []

    def test_when_both_are_gone_it_is_not_tried_again(self):
        row = wait(waiter=ELSEWHERE)
        slots.claim(GONE)
        RenderRequest.objects.filter(pk=row.pk).update(waiter=GONE)
        slots.recover()
        assert state(row) == State.CANCELED


class TestEnds:
    def test_a_wait_that_runs_out_expires_and_is_never_served(self, clock):
        row = wait(wait_s=10)
        clock.advance(10)
        assert slots.claim(HERE) is None
        assert state(row) == State.EXPIRED

    def test_a_waiting_render_is_canceled_at_once(self):
        row = wait()
        assert slots.cancel(row.pk)
        assert state(row) == State.CANCELED
        assert slots.cancel(row.pk) is False

    def test_a_running_render_hears_of_it_at_its_next_look(self):
        wait()
        row = slots.claim(HERE)
        assert slots.cancel(row.pk)
        assert slots.look(row.pk, row.token) == slots.Beat(confirmed=True, cancel=True)
        assert slots.beat(row.pk, row.token).cancel is True
        assert slots.finish(row.pk, row.token, result={}, canceled=True)
        assert state(row) == State.CANCELED

    def test_a_canceled_render_whose_worker_died_is_not_tried_again(self, clock):
        row = wait()
        slots.claim(ELSEWHERE)
        slots.cancel(row.pk)
        clock.advance(bounds.LEASE_S)
        slots.recover()
        assert state(row) == State.CANCELED

    def test_nothing_is_finished_twice(self):
        wait()
        row = slots.claim(HERE)
        assert slots.finish(row.pk, row.token, result={"n": 1})
        assert slots.finish(row.pk, row.token, result={"n": 2}) is False
        row.refresh_from_db()
        assert row.result == {"n": 1}

    def test_unknown_rows_are_no_error(self):
        nobody = uuid.uuid4()
        assert slots.look(nobody, 1).confirmed is False
        assert slots.cancel(nobody) is False


class TestFiles:
    def test_files_and_measurements_go_when_the_result_was_taken(self):
        wait()
        row = slots.claim(HERE)
        slots.finish(row.pk, row.token, result={"probe": {"texts": ["mine"]}, "output": "mine", "reason": None})
        row.refresh_from_db()
        names = [row.script.name, row.data.name]
        slots.drop_files(row)
        row.refresh_from_db()
        assert (row.script.name, row.data.name, row.result) == ("", "", {"reason": None})
        assert not any(row.script.storage.exists(name) for name in names)

    def test_the_sweep_takes_what_nobody_fetched_and_leaves_what_is_wanted(self, clock):
        old, active = wait("old"), wait("active")
        slots.cancel(old.pk)
        clock.advance(bounds.RENDER_FILES_KEEP_S + 1)
        fresh = wait("fresh")
        slots.cancel(fresh.pk)
        assert slots.sweep() == 1
        for row in (old, active, fresh):
            row.refresh_from_db()
        assert (bool(old.script), bool(active.script), bool(fresh.script)) == (False, True, True)


def test_the_clock_of_the_tests_is_the_one_that_rows_carry(clock):
    row = wait(wait_s=30)
    assert row.wait_until - row.created_at == timedelta(seconds=30)
    assert row.created_at == clock.at
