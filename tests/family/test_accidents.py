"""Processes of the real family are killed in the middle of work: rows and events stay right (QU13)."""

import http.client
import signal
import sqlite3
import threading
from contextlib import closing
from typing import Any

import pytest

from tests.client import Client
from tests.family.family import Family, eventually, start

pytestmark = pytest.mark.family


def rows(family: Family, query: str, *values: Any) -> list[tuple]:
    """What the family's database says."""
    with closing(sqlite3.connect(f"file:{family.home / 'db.sqlite3'}?mode=ro", uri=True, timeout=20)) as database:
        return database.execute(query, values).fetchall()


@pytest.fixture
def person(family) -> Client:
    """Somebody whose own turns are their only ones."""
    eventually(family.whole, "the family is whole")
    return Client(family.base_url)


@pytest.fixture
def session(person, data_dir) -> str:
    """A session on the penguins."""
    table = person.upload("penguins.csv", (data_dir / "H01_penguins.csv").read_bytes())
    return person.session("scatter-basic", "matplotlib", table["id"])["id"]


def pressed(person: Client, session: str) -> str:
    """Press Create plot without a stream; the turn's id."""
    return person.post(f"/v1/sessions/{session}/messages")["turn"]


def ended(family: Family, person: Client, session: str, turn: str) -> list[dict]:
    """All events of a turn that must end well, exactly once, with one version."""
    events = list(person.stream("GET", f"/v1/turns/{turn}/events"))
    stored = [event for event in events if event["id"] is not None]
    assert [event["id"] for event in stored] == list(range(1, len(stored) + 1))
    assert [event["type"] for event in stored].count("done") == 1
    assert stored[-1]["data"]["outcome"] == "ok", family.words()
    assert len(person.get(f"/v1/sessions/{session}/versions")["items"]) == 1
    key = turn.replace("-", "")
    assert rows(family, "select state, outcome from agents_app_turn where id = ?", key) == [("finished", "ok")]
    query = "select number from agents_app_event where turn_id = ? order by number"
    numbers = [number for (number,) in rows(family, query, key)]
    assert numbers == [event["id"] for event in stored]
    return stored


def test_a_render_worker_killed_in_mid_render_loses_nothing(family, person, session):
    turn = pressed(person, session)
    query = "select id from renderer_app_renderrequest where state = 'rendering'"
    eventually(lambda: rows(family, query), "the plot is being rendered", every=0.01)
    worker = family.child("render_worker")
    assert worker is not None
    # Stopped first: it can't finish between the look and the kill.
    worker.send_signal(signal.SIGSTOP)
    rendering = rows(family, query)
    worker.kill()
    assert rendering, "it was rendered before it could be stopped"

    ended(family, person, session, turn)
    after = rows(family, "select state, attempts from renderer_app_renderrequest where id = ?", rendering[0][0])
    assert after == [("done", 2)]
    eventually(lambda: (new := family.child("render_worker")) and new.pid != worker.pid, "a new render worker")


def test_ctrl_c_in_mid_render_keeps_the_plot_for_the_next_start(tmp_path, data_dir):
    first = start(tmp_path / "home")
    person = Client(first.base_url)
    table = person.upload("penguins.csv", (data_dir / "H01_penguins.csv").read_bytes())
    session = person.session("scatter-basic", "matplotlib", table["id"])["id"]
    turn = pressed(person, session)
    query = "select id from renderer_app_renderrequest where state = 'rendering'"
    eventually(lambda: rows(first, query), "the plot is being rendered", every=0.01)
    first.stop()

    second = start(tmp_path / "home")
    try:
        ended(second, Client(second.base_url, person.token), session, turn)
    finally:
        second.stop()


def test_a_run_worker_killed_in_mid_run_loses_nothing(family, person, session):
    turn = pressed(person, session)
    query = "select worker from agents_app_turn where state = 'running' and claimed_at is not null"
    eventually(lambda: rows(family, query), "the turn runs", every=0.01)
    worker = family.child("run_worker")
    assert worker is not None
    horses = worker.children(recursive=True)
    for process in (worker, *horses):
        process.send_signal(signal.SIGSTOP)
    assert rows(family, query), "it ended before it could be stopped"
    worker.kill()
    eventually(lambda: not any(horse.is_running() for horse in horses), "the work-horse dies with its worker")
    ended(family, person, session, turn)
    key = turn.replace("-", "")
    assert rows(family, "select attempts from agents_app_turn where id = ?", key) == [(2,)]


def test_a_key_value_server_killed_in_mid_run_loses_nothing(family, person, session):
    turn = pressed(person, session)
    server = family.child("kv.sock")
    assert server is not None
    server.kill()
    ended(family, person, session, turn)
    eventually(lambda: (new := family.child("kv.sock")) and new.pid != server.pid, "a new key-value server")
    # And the next one goes its usual way.
    table = person.get("/v1/datasets")["items"][0]
    other = person.session("box-basic", "seaborn", table["id"])["id"]
    assert person.turn(other)[-1]["data"]["outcome"] == "ok"


def test_a_key_value_server_killed_while_nothing_runs_is_not_noticed(family, person, session):
    server = family.child("kv.sock")
    assert server is not None
    server.kill()
    events = person.turn(session)
    assert events[-1]["data"]["outcome"] == "ok"


def test_a_web_process_killed_under_a_stream_is_rejoined_without_loss(family, person, session):
    first: list[dict] = []
    began = threading.Event()

    def listen() -> None:
        try:
            for event in person.stream("POST", f"/v1/sessions/{session}/messages", {}):
                first.append(event)
                began.set()
        except (OSError, http.client.HTTPException):
            began.set()

    listener = threading.Thread(target=listen)
    listener.start()
    assert began.wait(30)
    web = family.child("anyplot_site.web")
    assert web is not None
    web.kill()
    listener.join(30)
    assert first[0]["type"] == "ready"
    stored = ended(family, person, session, first[0]["data"]["turn"])
    seen = [event["id"] for event in first if event["id"] is not None]
    assert seen == [event["id"] for event in stored][: len(seen)]
