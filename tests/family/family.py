"""A real process family for tests: its own home, a free port, no limit on the rate of runs."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

CHECKOUT = Path(__file__).resolve().parent.parent.parent
Found = TypeVar("Found")


def eventually(look: Callable[[], Found], what: str, seconds: float = 30, every: float = 0.05) -> Found:
    """The first true answer of `look`, asked again and again until a deadline that only a broken product reaches."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        if found := look():
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"After {seconds:g} s still not true: {what}")
        pause.wait(every)


@dataclass
class Family:
    """One running copy of the product."""

    home: Path
    supervisor: subprocess.Popen[str]
    base_url: str = ""

    def child(self, word: str) -> psutil.Process | None:
        """The living child of the supervisor whose command line holds `word`, e.g. `render_worker`."""
        for process in psutil.Process(self.supervisor.pid).children():
            try:
                if any(word in part for part in process.cmdline()):
                    return process
            except psutil.Error:
                continue
        return None

    def whole(self) -> bool:
        """Whether every process of the family lives."""
        return all(self.child(word) for word in ("anyplot_site.web", "run_worker", "render_worker", "kv.sock"))

    def everybody(self) -> list[psutil.Process]:
        """The supervisor and all its descendants."""
        top = psutil.Process(self.supervisor.pid)
        return [top, *top.children(recursive=True)]

    def words(self) -> str:
        """What was said at the terminal and the ends of the logs, for a failed assertion."""
        logs = sorted((self.home / "logs").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}" for log in logs)

    def stop(self) -> int:
        """End it as Ctrl-C does; its exit code."""
        if self.supervisor.poll() is None:
            self.supervisor.send_signal(2)
        return self.supervisor.wait(timeout=60)


def start(home: Path, **environment: str) -> Family:
    """Boot a family and wait until it serves. The home is removed by whoever made it."""
    # A run under pytest is no reason for the product to behave otherwise.
    aside = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PYTEST_CURRENT_TEST"}
    clean = {name: value for name, value in os.environ.items() if name not in aside}
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "anyplot_site.serve"],
        cwd=CHECKOUT,
        env={**clean, "ANYPLOT_HOME": str(home), "PORT": "0", "AGENT_RUNS_PER_MINUTE": "0", **environment},
        stdout=subprocess.DEVNULL,
        text=True,
    )
    family = Family(home, supervisor)
    address = home / "run" / "address"
    try:
        eventually(lambda: address.exists() or supervisor.poll() is not None, "the family serves", 90)
        assert supervisor.poll() is None, f"the family ended\n{family.words()}"
    except AssertionError:
        supervisor.kill()
        raise
    family.base_url = address.read_text().strip()
    return family
