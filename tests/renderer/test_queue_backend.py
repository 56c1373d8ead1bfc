"""The queue backend with real processes: a worker, a key-value server, and what happens when one of them dies."""

import itertools
import shutil
import signal
import sqlite3
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.renderer.deployment import Deployment, outcome
from tests.renderer.scripts import ENDLESS, SMALL
from tests.renderer.waiting import eventually

pytestmark = pytest.mark.sandbox

# Long enough to be killed in the middle, and soon over when it is left alone.
SLOW = "import time\nprint('begun', flush=True)\ntime.sleep(1.5)\n" + SMALL


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with its database, for all tests of this file."""
    home = tmp_path_factory.mktemp("home")
    Deployment(home).prepare()
    return home


@pytest.fixture
def deployment(prepared: Path) -> Iterator[Deployment]:
    """A deployment without workers yet; everything that it starts is ended."""
    made = Deployment(prepared)
    with sqlite3.connect(prepared / "db.sqlite3") as database:
        database.execute("delete from renderer_app_renderrequest")
        database.execute("delete from renderer_app_workerbeat")
    (prepared / "worker.log").write_text("")
    shutil.rmtree(prepared / "files", ignore_errors=True)
    made.start_server()
    try:
        yield made
    finally:
        made.close()


def sandboxes(worker: "subprocess.Popen[str]") -> list[psutil.Process]:
    """The sandbox processes of a worker: none, or bubblewrap with what is in it."""
    return psutil.Process(worker.pid).children(recursive=True)


def rendering(deployment: Deployment, worker: "subprocess.Popen[str]") -> bool:
    """Whether a script is being run: bubblewrap, the collector and the script's process are there."""
    return "rendering" in deployment.states() and len(sandboxes(worker)) >= 3


def test_a_render_goes_through_the_worker_and_leaves_no_file(deployment):
    deployment.start_worker()
    told = outcome(deployment.wait_for(SMALL))
    assert (told["ok"], told["size"], told["marks"]) == (True, [200, 100], 1), deployment.log()
    assert deployment.states() == ["done"]
    assert deployment.files() == []
    assert deployment.rows("select result from renderer_app_renderrequest")[0][0].count("probe") == 0


def test_a_failing_script_is_an_answer(deployment):
    deployment.start_worker()
    told = outcome(deployment.wait_for("1 / 0\n"))
    assert (told["reason"], told["detail"]) == ("exit", "The script stopped with an error: ZeroDivisionError.")
    assert "line 1" in told["output"]


def test_rq_carries_the_id_of_the_row_and_nothing_else(deployment):
    # Nobody takes the nudge yet.
    person = deployment.wait_for(SMALL)
    assert eventually(lambda: deployment.redis().llen("rq:queue:render") == 1)
    (job_id,) = deployment.redis().lrange("rq:queue:render", 0, -1)
    stored = deployment.redis().hgetall(b"rq:job:" + job_id)
    ((row_id,),) = deployment.rows("select id from renderer_app_renderrequest")
    assert row_id in zlib.decompress(stored[b"data"]).decode().replace("-", "")
    assert stored[b"description"] == b"render"
    deployment.start_worker()
    assert outcome(person)["ok"]


def test_the_worker_is_registered_with_rq_again_after_the_server_forgot_everything(deployment):
    deployment.start_worker()
    assert eventually(lambda: deployment.redis().scard("rq:workers:render") == 1)
    deployment.redis().flushall()
    assert eventually(lambda: deployment.redis().scard("rq:workers:render") == 1)


def test_renders_are_served_one_at_a_time_and_pipelines_first(deployment):
    people = []
    for number, purpose in enumerate(("idle", "toggle", "pipeline"), start=1):
        people.append(deployment.wait_for(SMALL, purpose=purpose))
        assert eventually(lambda number=number: len(deployment.states()) == number)
    # Two workers, one slot.
    deployment.start_worker()
    deployment.start_worker()
    for person in people:
        assert outcome(person)["ok"]
    served = deployment.rows(
        "select purpose, started_at, finished_at from renderer_app_renderrequest order by started_at"
    )
    assert [purpose for purpose, _, _ in served] == ["pipeline", "toggle", "idle"]
    assert all(one[2] <= next_one[1] for one, next_one in itertools.pairwise(served))


class TestDeadWorkers:
    def test_a_render_whose_worker_is_killed_is_done_by_the_next_one(self, deployment):
        worker = deployment.start_worker()
        person = deployment.wait_for(SLOW)
        assert eventually(lambda: rendering(deployment, worker)), deployment.log()
        members = sandboxes(worker)
        worker.kill()
        worker.wait()
        assert eventually(lambda: not any(member.is_running() for member in members), within_s=5)
        deployment.start_worker()
        told = outcome(person)
        assert told["ok"], told
        assert deployment.rows("select state, attempts from renderer_app_renderrequest") == [("done", 2)]

    def test_a_render_that_kills_two_workers_is_given_up_with_a_sentence(self, deployment):
        person = deployment.wait_for(ENDLESS)
        for _ in range(2):
            worker = deployment.start_worker()
            assert eventually(lambda worker=worker: rendering(deployment, worker)), deployment.log()
            worker.kill()
            worker.wait()
        told = outcome(person)
        assert told == {
            "raised": "RendererUnavailable",
            "detail": "The render worker died while it drew this plot, twice.",
        }
        assert deployment.states() == ["lost"]
        deployment.start_worker()
        assert outcome(deployment.wait_for(SMALL))["ok"]

    def test_a_worker_that_is_asked_to_stop_gives_its_render_back_and_leaves_nothing(self, deployment):
        worker = deployment.start_worker()
        person = deployment.wait_for(ENDLESS, wall_s=3)
        assert eventually(lambda: rendering(deployment, worker)), deployment.log()
        members = sandboxes(worker)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(10) == 0
        assert not any(member.is_running() for member in members)
        assert deployment.rows("select state, attempts from renderer_app_renderrequest") == [("waiting", 0)]
        assert deployment.rows("select name from renderer_app_workerbeat") == []
        deployment.start_worker()
        assert outcome(person)["reason"] == "timeout"


class TestDeadServer:
    def test_a_render_needs_no_key_value_server(self, deployment):
        worker = deployment.start_worker()
        deployment.kill_server()
        assert outcome(deployment.wait_for(SMALL))["ok"], deployment.log()
        assert worker.poll() is None

    def test_a_worker_that_starts_without_a_server_renders_too(self, deployment):
        deployment.kill_server()
        deployment.start_worker()
        assert outcome(deployment.wait_for(SMALL))["ok"], deployment.log()

    def test_a_server_that_dies_in_mid_render_and_comes_back_empty_costs_nothing(self, deployment):
        worker = deployment.start_worker()
        person = deployment.wait_for(SLOW)
        assert eventually(lambda: rendering(deployment, worker)), deployment.log()
        deployment.kill_server()
        deployment.start_server()
        assert outcome(person)["ok"], deployment.log()
        assert worker.poll() is None
        assert outcome(deployment.wait_for(SMALL))["ok"], deployment.log()
        assert eventually(lambda: deployment.redis().scard("rq:workers:render") == 1)


class TestPeopleWhoLeave:
    def test_a_canceled_render_is_ended_within_seconds(self, deployment):
        worker = deployment.start_worker()
        person = deployment.wait_for(ENDLESS, cancel_after=8)
        assert eventually(lambda: rendering(deployment, worker)), deployment.log()
        assert outcome(person)["reason"] == "canceled"
        assert eventually(lambda: deployment.states() == ["canceled"] and not sandboxes(worker), within_s=5)

    def test_a_render_whose_waiter_is_killed_makes_room_for_the_next(self, deployment):
        worker = deployment.start_worker()
        person = deployment.wait_for(ENDLESS)
        assert eventually(lambda: rendering(deployment, worker)), deployment.log()
        person.kill()
        assert outcome(deployment.wait_for(SMALL))["ok"]
        assert deployment.states() == ["canceled", "done"]

    def test_a_canceled_render_that_still_waits_leaves_no_file(self, deployment):
        told = outcome(deployment.wait_for(SMALL, cancel_after=1))
        assert told["reason"] == "canceled"
        assert (deployment.states(), deployment.files()) == (["canceled"], [])


class TestBusy:
    def test_a_wait_without_a_free_slot_ends_in_a_sentence(self, deployment):
        deployment.start_worker()
        deployment.wait_for(ENDLESS, wall_s=20)
        assert eventually(lambda: "rendering" in deployment.states())
        told = outcome(deployment.wait_for(SMALL, wait_s=1))
        assert told == {"raised": "RendererBusy", "detail": "No render slot came free within 1 s."}

    def test_a_wait_without_a_worker_says_so(self, deployment):
        told = outcome(deployment.wait_for(SMALL, wait_s=1))
        assert told == {"raised": "RendererUnavailable", "detail": "No render worker is running."}
        assert deployment.files() == []
