"""Real workers on a real key-value server, killed in every way (QU13)."""

import json
import os
import shutil
import signal
import tempfile
import zlib
from pathlib import Path

import psutil
import pytest
from redis import Redis

from agents_app.models import Turn, Version
from agents_app.queue import lease
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.dispatch import dispatch
from agents_app.services.send import send
from renderer_app import beats
from tests.queue.processes import Workers, horses, key_value_server
from tests.queue.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)

FOREVER = {"AGENT_RENDERER": "queue"}  # and no render worker: a run waits for its picture


@pytest.fixture
def server(settings):
    """A key-value server that this process uses too."""
    folder = Path(tempfile.mkdtemp(prefix="kv-"))
    with key_value_server(folder) as running:
        settings.REDIS_URL = running.url
        settings.AGENT_RUNS_PER_MINUTE = 0
        yield running
    shutil.rmtree(folder)


@pytest.fixture
def workers(server, tmp_path):
    """Starts run workers on this test's database and files."""
    started = Workers(tmp_path, server.url, tmp_path / "worker.log")
    yield started
    started.stop()


def now(turn):
    return Turn.objects.get(id=turn.id)


def ended(turn):
    """Waits for the end, doing meanwhile what any waiting process does."""

    def over():
        dispatch()
        return now(turn).state in Turn.TERMINAL

    until(over, 60)
    done = turn.events.filter(type="done").count()
    assert done == 1
    return now(turn)


def taken_up(turn):
    until(lambda: now(turn).claimed_at, 60)
    return now(turn)


def test_a_turn_is_carried_to_a_worker_and_comes_back_as_a_version(alice, penguins, workers):
    workers.start()
    until(lambda: beats.alive("run"))
    turn = ended(send(penguins(alice), alice))
    assert turn.state == Turn.State.FINISHED
    assert Version.objects.get().turn == turn
    assert turn.attempts == 1


def test_a_killed_work_horse_is_replaced_once_and_the_second_time_is_the_last(alice, penguins, workers):
    worker = workers.start(**FOREVER)
    turn = taken_up(send(penguins(alice), alice))
    os.kill(horses(worker)[0].pid, signal.SIGKILL)

    def again():
        dispatch()
        return now(turn).attempts == 2

    until(again, 60)
    os.kill(horses(worker)[0].pid, signal.SIGKILL)
    turn = ended(turn)
    assert (turn.state, turn.error_code) == (Turn.State.LOST, "worker_lost")
    assert [event.data["attempt"] for event in turn.events.filter(data__step="started")] == [1, 2]


def test_a_killed_worker_takes_its_work_horse_along_and_another_makes_the_plot(alice, penguins, workers):
    worker = workers.start(**FOREVER)
    turn = taken_up(send(penguins(alice), alice))
    horse = horses(worker)[0]
    worker.kill()
    worker.wait()
    until(lambda: not psutil.pid_exists(horse.pid))
    workers.start()
    turn = ended(turn)
    assert (turn.state, turn.attempts) == (Turn.State.FINISHED, 2)


def test_turns_are_made_while_the_key_value_server_is_gone_and_after_it_came_back(
    alice, bob, penguins, server, workers
):
    workers.start()
    until(lambda: beats.alive("run"))
    server.kill()
    assert ended(send(penguins(alice), alice)).state == Turn.State.FINISHED
    server.start()
    assert ended(send(penguins(bob), bob)).state == Turn.State.FINISHED


def test_a_flushed_server_loses_no_turn(alice, penguins, server, workers):
    turn = send(penguins(alice), alice)
    server.flush()
    workers.start()
    assert ended(turn).state == Turn.State.FINISHED


def test_a_worker_that_was_started_before_the_server_finds_its_work(alice, penguins, server, workers):
    server.kill()
    workers.start()
    turn = send(penguins(alice), alice)
    assert ended(turn).state == Turn.State.FINISHED
    server.start()
    assert ended(send(turn.session, alice)).state == Turn.State.FINISHED


def test_a_stopped_run_lets_its_place_go_and_the_next_one_starts(alice, bob, penguins, workers):
    worker = workers.start(**FOREVER)
    first = taken_up(send(penguins(alice), alice))
    second = send(penguins(bob), bob)
    horse = horses(worker)[0].pid
    assert cancel_turn(first)
    assert now(second).state == Turn.State.QUEUED
    taken_up(second)
    until(lambda: not psutil.pid_exists(horse))
    assert not lease.holds(first.id, first.token)


def test_the_first_signal_lets_a_run_end_and_the_second_puts_it_back(alice, penguins, workers):
    worker = workers.start(**FOREVER)
    turn = taken_up(send(penguins(alice), alice))
    horse = horses(worker)[0]
    worker.send_signal(signal.SIGTERM)
    worker.send_signal(signal.SIGTERM)  # as Ctrl-C and a supervisor do: within a second they are one
    pause = psutil.Process(worker.pid)
    with pytest.raises(psutil.TimeoutExpired):
        pause.wait(timeout=1.5)
    worker.send_signal(signal.SIGTERM)
    worker.wait(timeout=20)
    until(lambda: not psutil.pid_exists(horse.pid))
    workers.start()
    assert ended(turn).state == Turn.State.FINISHED


def test_an_idle_worker_ends_at_a_signal_and_leaves_the_list(workers, db):
    worker = workers.start()
    until(lambda: beats.alive("run"))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=20) == 0
    assert beats.alive("run") == 0


def test_the_message_holds_nothing_of_the_person(alice, penguins, server):
    session = penguins(alice)
    session.name = "Umsatz Bayern"
    session.save()
    turn = send(session, alice, operations=[{"op": "set_title", "text": "Umsatz Bayern"}])
    connection = Redis.from_url(server.url)
    jobs = [connection.hgetall(key) for key in connection.keys("rq:job:*")]
    assert len(jobs) == 1
    stored = b" ".join(jobs[0].values())
    assert b"Umsatz" not in stored
    assert jobs[0][b"description"] == b"run"
    assert json.loads(zlib.decompress(jobs[0][b"data"]))[2] == [str(turn.id), turn.token]


@pytest.mark.long
def test_a_run_that_slept_past_its_lease_ends_when_it_wakes_and_changes_nothing(alice, penguins, workers):
    worker = workers.start(**FOREVER)
    turn = taken_up(send(penguins(alice), alice))
    horse = horses(worker)[0]
    horse.suspend()
    workers.start()
    turn = ended(turn)
    assert (turn.state, turn.attempts) == (Turn.State.FINISHED, 2)
    events = turn.events.count()
    horse.resume()
    until(lambda: not psutil.pid_exists(horse.pid))
    assert turn.events.count() == events
    assert Version.objects.count() == 1
