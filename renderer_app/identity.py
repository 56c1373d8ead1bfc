"""Who a worker is, so that one whose process is provably gone is recovered at once and not after its lease."""

import hashlib
import os
import socket
from functools import lru_cache
from pathlib import Path


def me() -> str:
    """This process: `host:pid:start:view`, at most 120 characters.

    `start` is the process's start in clock ticks since boot, so that a reused pid is another process; `view` is
    a digest of boot and pid namespace: only processes with the same view can judge by pids.
    """
    pid = os.getpid()
    return f"{socket.gethostname()[:40]}:{pid}:{_start(pid)}:{_view(pid)}"


def gone(worker: str) -> bool:
    """True when `worker` ran where this process can see it, and its process does not exist any more.

    False for anything that cannot be proved: another host, another container, an unreadable name.
    """
    parts = worker.rsplit(":", 3)
    if len(parts) != 4 or not parts[1].isdigit() or parts[3] == "?" or parts[3] != _view(os.getpid()):
        return False
    return _start(int(parts[1])) != parts[2]


def _start(pid: int) -> str:
    """When a process started, or "gone" when there is none or only a zombie."""
    try:
        # The name in parentheses may hold anything, also spaces and parentheses.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "gone"
    return "gone" if fields[0] in "ZX" else fields[19]


@lru_cache(maxsize=4)
def _view(pid: int) -> str:
    """What this process can see of pids; by pid, since a fork may have moved to another namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return hashlib.sha256(f"{boot} {os.readlink('/proc/self/ns/pid')}".encode()).hexdigest()[:12]
    except OSError:
        return "?"
