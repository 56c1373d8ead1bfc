"""A real key-value server and real run workers for tests, on the test's own database and files."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError

from anyplot_site import ground
from tests.queue.waiting import until

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass
class KeyValueServer:
    """A private server on a unix socket that can be killed and started again."""

    folder: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.folder}/kv.sock"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [ground.key_value_binary(), "--port", "0", "--unixsocket", f"{self.folder}/kv.sock", "--save", ""],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        until(self.answers)

    def answers(self) -> bool:
        try:
            return bool(Redis.from_url(self.url).ping())
        except RedisError:
            return False

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def flush(self) -> None:
        Redis.from_url(self.url).flushall()


@dataclass
class Workers:
    """Run workers of a test; all are killed at its end."""

    home: Path
    url: str
    log: Path
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, **environment: str) -> subprocess.Popen[bytes]:
        environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
            "DJANGO_SETTINGS_MODULE": "anyplot_site.settings",
            "ANYPLOT_HOME": str(self.home),
            "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
            "REDIS_URL": self.url,
            "AGENT_RENDERER": "fake",
            "AGENT_RUNS_PER_MINUTE": "0",
            **environment,
        }
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "run_worker"], cwd=CHECKOUT, env=environment, stdout=log, stderr=log
            )
        self.started.append(process)
        return process

    def stop(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()


@contextmanager
def key_value_server(folder: Path) -> Iterator[KeyValueServer]:
    """A running server; its folder's path must be short, for it holds a socket."""
    server = KeyValueServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def horses(worker: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The work-horses of a worker."""
    try:
        return psutil.Process(worker.pid).children()
    except psutil.NoSuchProcess:
        return []
