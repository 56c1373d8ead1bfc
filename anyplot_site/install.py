"""Puts a virtual environment in place from a lock file; run by the Makefile with the system's Python.

Standard library only, since nothing else is installed yet. Does nothing when the environment already holds
what the lock says, so every target may call it.

Use: `python3 -m anyplot_site.install .venv requirements.lock`
"""

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

STAMP = "anyplot-installed.json"


def stop(sentence: str) -> NoReturn:
    """End with one sentence and a non-zero code."""
    sys.exit(f"anyplot: {sentence}")


def digest(lock: Path) -> str:
    """The lock's SHA-256 in hex."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def usable(venv: Path) -> bool:
    """Whether the environment's Python and pip start; false after a half-made one or an upgraded system Python."""
    try:
        return (
            subprocess.run([venv / "bin" / "python", "-c", "import pip"], check=False, capture_output=True).returncode
            == 0
        )
    except OSError:
        return False


def installed(venv: Path) -> dict[str, str]:
    """The locks that this environment holds: name to SHA-256."""
    try:
        stamp = json.loads((venv / STAMP).read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def create(venv: Path) -> None:
    """Make an empty environment; one sentence with the remedy where Python's venv module is not whole."""
    try:
        import ensurepip  # noqa: F401 - Debian splits it off, and `venv` then fails half-way
        import venv as builder
    except ImportError:
        stop(
            f"Python's venv module is missing for {sys.executable}. Install it (Debian and Ubuntu: "
            "apt-get install python3-venv) and run this again."
        )
    try:
        builder.create(venv, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        stop(f"The virtual environment {venv} could not be made ({error}). Look at the rights of its folder.")


def install(venv: Path, lock: Path) -> None:
    """Install `lock` with its hashes checked."""
    print(f"anyplot: installing {lock.name} into {venv} (a minute or two, once) ...", flush=True)
    command = [str(venv / "bin" / "python"), "-m", "pip", "install", "-qq", "--no-input"]
    # A person's own index settings hold; their own target folders must not.
    environment = {
        name: value for name, value in os.environ.items() if name not in {"PIP_TARGET", "PIP_PREFIX", "PIP_USER"}
    }
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--require-hashes", "-r", str(lock)], check=False, env=environment
    )
    if done.returncode != 0:
        stop(f"{lock.name} could not be installed; pip's words are above. Check the network and run this again.")


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One installation at a time; the lock is on the folder itself, so that no file of ours is left there."""
    guard = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("anyplot: waiting for another installation to end ...", flush=True)
            fcntl.flock(guard, fcntl.LOCK_EX)
        yield
    finally:
        os.close(guard)


def main(venv: Path, lock: Path) -> None:
    """Bring `venv` to what `lock` says, one process at a time."""
    if not sys.platform.startswith("linux"):
        stop("this runs on Linux only: the sandbox that draws the plots needs its kernel.")
    with alone(venv.resolve().parent):
        held = installed(venv) if usable(venv) else None
        if held is None:
            create(venv)
            held = {}
        if held.get(lock.name) != digest(lock):
            install(venv, lock)
            (venv / STAMP).write_text(json.dumps({**held, lock.name: digest(lock)}, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except PermissionError as error:
        stop(f"{error.filename} cannot be written by this user. Remove it, or name another folder: make run VENV=...")
    except KeyboardInterrupt:
        stop("stopped; run this again to go on.")
