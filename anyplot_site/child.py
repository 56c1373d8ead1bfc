"""One process of the family: how it is started, restarted and ended."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from anyplot_site import bounds, home

PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None, use_errno=True)


@dataclass
class Child:
    """One process of the family and its history. `process` is None while it is down; `due` is when it starts again."""

    name: str
    title: str
    command: list[str]
    environment: Mapping[str, str]
    log: Path
    kept_open: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    due: float = 0.0
    started: float = 0.0
    falls: int = 0

    def start(self) -> None:
        """Start the process in a group of its own, its words in its log."""
        supervisor = os.getpid()

        def follow_parent() -> None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != supervisor:  # it died before the line above
                os._exit(1)

        with open_log(self.log) as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=home.CHECKOUT,
                env=dict(self.environment),
                pass_fds=self.kept_open,
                process_group=0,
                preexec_fn=follow_parent,  # noqa: PLW1509 - one thread only
            )
        self.started = time.monotonic()

    def fell(self) -> float:
        """Note that the process ended by itself; the seconds until it starts again."""
        calm = time.monotonic() - self.started > bounds.RESTART_CALM_S
        self.falls = 0 if calm else self.falls
        wait = bounds.RESTART_BACKOFF_S[min(self.falls, len(bounds.RESTART_BACKOFF_S) - 1)]
        self.falls += 1
        self.due = time.monotonic() + wait
        return wait

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process alone: what becomes of its own children is its decision.

        A render worker that is asked to stop ends its sandbox itself and gives the render back.
        """
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.process.pid, number)

    def kill(self) -> None:
        """Kill the process and what is left of its group."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process and its group, and see it gone."""
        self.kill()
        if self.process is not None:
            self.process.wait()
            self.process = None


def open_log(path: Path) -> IO[bytes]:
    """A log to append to; a long one is set aside first."""
    with suppress(FileNotFoundError):
        if path.stat().st_size > bounds.LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
    return path.open("ab")
