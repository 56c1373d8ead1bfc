"""One sandbox as a process of the host: start it, know its memory, see it gone."""

import json
import os
import select
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

from anyplot_site import bounds
from renderer_app.contract import RenderJob
from renderer_app.sandbox import launch

PAGE = os.sysconf("SC_PAGE_SIZE")
PIPE_BYTES = 1 << 20
F_SETPIPE_SZ = 1031


class SandboxStuck(Exception):
    """A killed sandbox is still there (RE5): nothing more may be started beside it."""


class Sandbox:
    """A running sandbox. Start it from a thread that lives as long as it does: its end is the sandbox's end."""

    def __init__(self, job: RenderJob, view: launch.View, *, mode: str, nonce: str) -> None:
        """Start bubblewrap with `job` in a sealed memory file; raises OSError or launch.NoLauncher."""
        self.started = time.monotonic()
        self.errors = os.memfd_create("errors", os.MFD_CLOEXEC)
        self.result, result_end = os.pipe()
        self.info, info_end = os.pipe()
        self.init_pid = 0
        self.init: int | None = None
        job_file = _job_file(job, mode, nonce)
        try:
            _widen(self.result)
            arguments = launch.command(view, job.limits, theme=job.theme, descriptors=(job_file, result_end, info_end))
            # An empty environment: what bubblewrap gets, the sandbox could read in its /proc.
            self.process = subprocess.Popen(
                arguments,
                env={},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                pass_fds=(job_file, result_end, info_end),
            )
        except BaseException:
            for descriptor in (self.errors, self.result, self.info):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (job_file, result_end, info_end):
                os.close(descriptor)
        os.set_blocking(self.info, False)

    def read(self, timeout: float) -> bytes | None:
        """What the collector sent within `timeout` seconds; None for nothing, empty at its end."""
        if not select.select([self.result], [], [], timeout)[0]:
            return None
        return os.read(self.result, PIPE_BYTES)

    def memory_bytes(self) -> int:
        """Resident memory of everything in the sandbox but bubblewrap; 0 while it is not known."""
        self._meet()
        if not self.init_pid:
            return 0
        return sum(_resident(pid) for pid in [self.init_pid, *_children(self.init_pid)])

    def complaint(self) -> str:
        """What bubblewrap or the collector wrote on its own standard error: for logs and launcher failures."""
        return os.pread(self.errors, 4000, 0).decode("utf-8", "replace").strip()

    def kill(self) -> None:
        """End it and see it gone; raises SandboxStuck when it outlives `RENDER_KILL_CONFIRM_S`.

        Process 1 of the sandbox takes all others with it, and is only gone when they are.
        """
        self._meet()
        if self.init is not None:
            # bubblewrap then takes leave of its child and ends by itself; killed first, it would leave a zombie.
            _signal_kill(self.init)
            try:
                self.process.wait(bounds.RENDER_KILL_CONFIRM_S / 2)
            except subprocess.TimeoutExpired:
                self.process.kill()
        else:
            self.process.kill()
        self.wait(bounds.RENDER_KILL_CONFIRM_S)

    def wait(self, timeout: float) -> int:
        """The exit code of bubblewrap once all is gone; raises SandboxStuck."""
        end = time.monotonic() + timeout
        self._meet()
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired as problem:
            raise SandboxStuck(f"The sandbox {self.process.pid} outlives its end.") from problem
        if self.init is not None and not select.select([self.init], [], [], max(0.0, end - time.monotonic()))[0]:
            raise SandboxStuck(f"Process {self.init_pid} of the sandbox outlives its end.")
        return code

    def close(self) -> None:
        """Let go of every descriptor; the sandbox must be gone."""
        for descriptor in (self.errors, self.result, self.info, self.init):
            if descriptor is not None:
                os.close(descriptor)

    def _meet(self) -> None:
        """Learn the id of the sandbox's process 1 from bubblewrap, and take a handle that can't be reused."""
        if self.init is not None:
            return
        try:
            report = os.read(self.info, 4096)
            self.init_pid = int(json.loads(report)["child-pid"])
            self.init = os.pidfd_open(self.init_pid)
        except (BlockingIOError, ValueError, KeyError, ProcessLookupError):
            self.init_pid = 0


def _job_file(job: RenderJob, mode: str, nonce: str) -> int:
    """The job as an open file: u32 length, header as JSON, script, data. A file, so that nobody waits for a reader."""
    code = job.code.encode()
    limits = job.limits
    header: dict[str, Any] = {
        "mode": mode,
        "nonce": nonce,
        "theme": job.theme,
        "format": job.format,
        "output_name": job.output_name,
        "code_bytes": len(code),
        "data_bytes": len(job.data),
        "watch_s": bounds.RENDER_WATCH_S,
        "cpu_s": limits.cpu_s,
        "memory_bytes": limits.memory_mib << 20,
        "file_budget_bytes": limits.file_budget_mib << 20,
        "entries": limits.entries,
        "output_bytes": limits.output_bytes,
        "probe_bytes": limits.probe_bytes,
        "picture_bytes": bounds.RENDER_PICTURE_BYTES,
        "open_files": bounds.RENDER_OPEN_FILES,
    }
    body = json.dumps(header).encode()
    file = os.memfd_create("job", os.MFD_CLOEXEC)
    view = memoryview(struct.pack("<I", len(body)) + body + code + job.data)
    while view:
        view = view[os.write(file, view) :]
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _widen(pipe: int) -> None:
    """Room for a picture in the pipe; a small pipe works too."""
    import fcntl

    try:
        fcntl.fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES)
    except OSError:
        return


def _children(pid: int) -> list[int]:
    """The children of a process; the script can't have any of its own."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def _signal_kill(pidfd: int) -> None:
    import signal

    try:
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    except ProcessLookupError:
        return


def host_available_mib() -> float:
    """Memory that the host could still give, in MiB; infinity where it isn't told."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return float("inf")
