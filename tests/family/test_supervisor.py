"""The family lives and dies together."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from anyplot_site import home as home_module
from tests.client import Client
from tests.family.family import CHECKOUT, Family, eventually, start

pytestmark = pytest.mark.family


def gone(processes: list[psutil.Process]) -> bool:
    """Whether none of them runs any more (one that nobody has reaped does not run)."""
    return not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)


def healthy(family: Family) -> bool:
    """Whether the site answers."""
    address = urlsplit(family.base_url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    finally:
        connection.close()


def replaced(family: Family, word: str, old: int) -> bool:
    """Whether another process does that work now."""
    new = family.child(word)
    return new is not None and new.pid != old


def starting(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A start that must fail; what it said."""
    clean = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    return subprocess.run(
        [sys.executable, "-m", "anyplot_site.serve"],
        cwd=CHECKOUT,
        env={**clean, "ANYPLOT_HOME": str(folder), "PORT": "0", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """It ended with one line that holds the words, and no traceback."""
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0]


def test_a_second_copy_runs_beside_the_first_and_ctrl_c_leaves_nothing_of_it(family, tmp_path):
    other = start(tmp_path / "home")
    everybody = other.everybody()
    assert other.base_url != family.base_url
    assert healthy(family)
    assert healthy(other)
    assert other.stop() == 0
    assert gone(everybody)
    assert not (tmp_path / "home" / "run" / "address").exists()
    assert healthy(family)


def test_killing_the_supervisor_in_mid_render_leaves_nothing_running(tmp_path, data_dir):
    other = start(tmp_path / "home")
    eventually(other.whole, "all four processes run")
    person = Client(other.base_url)
    table = person.upload("penguins.csv", (data_dir / "H01_penguins.csv").read_bytes())
    session = person.session("scatter-basic", "matplotlib", table["id"])
    person.post(f"/v1/sessions/{session['id']}/messages")

    def rendering() -> list[psutil.Process]:
        """Everybody, once a sandbox is among them."""
        everybody = other.everybody()
        try:
            return everybody if any("bwrap" in process.name() for process in everybody) else []
        except psutil.NoSuchProcess:  # it ended between the two looks
            return []

    everybody = eventually(rendering, "a sandbox runs", every=0.01)
    assert len(everybody) > 6
    other.supervisor.kill()
    other.supervisor.wait()
    eventually(lambda: gone(everybody), f"all of {everybody} are gone")


def test_each_process_that_is_killed_comes_back(family):
    eventually(family.whole, "all four processes run")
    for word in ("kv.sock", "run_worker", "render_worker", "anyplot_site.web"):
        old = family.child(word)
        assert old is not None
        old.kill()
        eventually(partial(replaced, family, word, old.pid), f"{word} is back")
    eventually(lambda: healthy(family) and family.whole(), "the family is whole")


def test_a_terminated_supervisor_in_a_long_path_cleans_up_its_socket(tmp_path):
    folder = tmp_path / ("a-very-long-name-" * 8)
    path = home_module.key_value_socket(folder)
    assert path.parent != folder / "run"
    other = start(folder)
    assert path.is_socket()
    other.supervisor.send_signal(signal.SIGTERM)
    assert other.supervisor.wait(60) == 0
    assert not path.exists()
    path.parent.rmdir()


def test_a_second_copy_in_the_same_home_is_one_sentence(family):
    one_sentence(starting(family.home), "already runs", str(family.home), "ANYPLOT_HOME")
    assert healthy(family)


def test_a_taken_port_is_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        one_sentence(starting(tmp_path / "home", PORT=port), port, "is taken", "PORT=8001")


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"PORT": "eighty"}, ("PORT is 'eighty'", "number")),
        ({"PORT": "70000"}, ("PORT is 70000", "65535")),
        ({"ANYPLOT_PROFILE": "staging"}, ("ANYPLOT_PROFILE", "embedded or production")),
        ({"ANYPLOT_PROFILE": "production"}, ("SECRET_KEY is not set",)),
        ({"AGENT_QUEUE_MAX_WAIT_S": "800"}, ("AGENT_QUEUE_MAX_WAIT_S", "AGENT_TURN_MAX_S")),
        ({"HOST": "203.0.113.1"}, ("HOST=203.0.113.1", "cannot be listened on")),
    ],
)
def test_a_bad_setting_is_one_sentence_that_names_it(tmp_path, environment, words):
    one_sentence(starting(tmp_path / "home", **environment), *words)


def test_a_home_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    one_sentence(starting(tmp_path / "file" / "home"), "cannot be written", "ANYPLOT_HOME")
