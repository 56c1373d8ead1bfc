"""The family of processes: `python -m anyplot_site.serve` starts it, keeps it alive and ends it.

The supervisor holds the listening socket, so a restarted web process keeps its port and no connection is
refused meanwhile. It runs one thread and no Django. Whoever dies is started again with a back-off; when
the supervisor ends, by whatever, nothing of the family is left: a child gets the parent-death signal, and
an orphaned grandchild is adopted (sub-reaper) and killed.
"""

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from anyplot_site import advice, bounds, ground, home, prepare
from anyplot_site.child import Child, libc, open_log
from anyplot_site.ground import CannotStart

PR_SET_CHILD_SUBREAPER = 36
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def environment_of(folder: Path, redis_url: str) -> dict[str, str]:
    """What the children see: the supervisor's environment and where this copy's things are."""
    return {
        **os.environ,
        "ANYPLOT_HOME": str(folder),
        "REDIS_URL": redis_url,
        "DJANGO_SETTINGS_MODULE": "anyplot_site.settings",
        "MPLCONFIGDIR": str(folder / "cache" / "matplotlib"),
        "PYTHONUNBUFFERED": "1",
    }


def key_value_server(folder: Path, environment: Mapping[str, str]) -> Child:
    """A private server on a unix socket that keeps nothing on disk."""
    path = home.key_value_socket(folder)
    ground.private_folder(path.parent)
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "dir": str(path.parent),
        "daemonize": "no",
    }
    command = [ground.key_value_binary(), *(part for name, value in options.items() for part in (f"--{name}", value))]
    return Child("kv", "key-value server", command, environment, folder / "logs" / "kv.log")


def workers(folder: Path, environment: Mapping[str, str], runs: int, renders: int) -> list[Child]:
    """As many run workers and render workers as may be busy at a time."""
    return [
        Child(name, f"{kind} worker", [sys.executable, "manage.py", f"{kind}_worker"], environment, log)
        for kind, count in (("run", runs), ("render", renders))
        for name in (kind if number == 0 else f"{kind}-{number + 1}" for number in range(count))
        for log in [folder / "logs" / f"{name}.log"]
    ]


def web_server(folder: Path, environment: Mapping[str, str], listener: socket.socket) -> Child:
    """The web process, which serves on the supervisor's socket."""
    command = [sys.executable, "-m", "anyplot_site.web", str(listener.fileno())]
    log = folder / "logs" / "web.log"
    return Child("web", "web server", command, environment, log, kept_open=(listener.fileno(),))


@dataclass
class Alarm:
    """Wakes the supervisor when a signal came; `stop` is set by the first that asks to end."""

    stop: signal.Signals | None = None
    ears: int = field(init=False)
    mouth: int = field(init=False)

    def __post_init__(self) -> None:
        self.ears, self.mouth = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(self.mouth, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in STOP_SIGNALS:
            signal.signal(number, self._stop)

    def _stop(self, number: int, _frame: object) -> None:
        self.stop = self.stop or signal.Signals(number)

    def wait(self, seconds: float, *others: socket.socket) -> bool:
        """Sleep until a signal, news on one of `others` (then True), or `seconds` have passed."""
        watched: list[int | socket.socket] = [self.ears, *others]
        ready, _, _ = select.select(watched, [], [], max(0.0, seconds))
        if self.ears in ready:
            with suppress(BlockingIOError):
                os.read(self.ears, 1024)
        return any(other in ready for other in others)


class Family:
    """The supervisor's story: start, watch, stop."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.alarm = Alarm()
        self.children: list[Child] = []
        self.address_file = folder / "run" / "address"
        self.environment: dict[str, str] = {}
        command = [sys.executable, "-m", "anyplot_site.advice"]
        self.advice = Child("advice", "advice", command, self.environment, folder / "logs" / "advice.log")
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)

    def say(self, text: str) -> None:
        """A line for the person at the terminal, and for the log."""
        with suppress(OSError):  # a closed terminal is no reason to end
            print(text, flush=True)
        with suppress(OSError), open_log(self.folder / "logs" / "family.log") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {text}\n".encode())

    def bring_up(self, *children: Child) -> None:
        """Start children and watch them from now on."""
        for child in children:
            child.start()
            self.children.append(child)

    def once(self, child: Child) -> int | None:
        """Run a child to its end; its exit code, or None when the family was asked to stop meanwhile."""
        child.start()
        assert child.process is not None
        while child.process.poll() is None and self.alarm.stop is None:
            self.alarm.wait(1.0)
        if self.alarm.stop is not None:
            child.end()
            return None
        return child.process.returncode

    def look_after(self) -> None:
        """Reap who ended, start again whose back-off is over, and pass on advice."""
        for child in self.children:
            if child.process is not None and (code := child.process.poll()) is not None:
                child.kill()  # what is left of its group
                child.process = None
                wait = child.fell()
                how = f"signal {-code}" if code < 0 else f"code {code}"
                self.say(f"anyplot: the {child.title} ended ({how}); it starts again in {wait:g} s. See {child.log}")
                self.kill_strays()
            if child.process is None and time.monotonic() >= child.due:
                child.start()
        if self.advice.process is not None and self.advice.process.poll() is not None:
            self.advice.process = None
            for line in self.advice.log.read_text(errors="replace").splitlines():
                if line.startswith(advice.MARK):
                    self.say(line)

    def next_due(self) -> float:
        """Seconds until something must be started; at most one."""
        waits = [child.due - time.monotonic() for child in self.children if child.process is None]
        return min([1.0, *waits])

    def serve_until_stopped(self, address: str, connection: socket.socket) -> None:
        """Tell the address when the site answers, then watch until asked to stop; CannotStart if it never does."""
        announced = False
        give_up = time.monotonic() + bounds.START_LIMIT_S
        while self.alarm.stop is None:
            news = self.alarm.wait(self.next_due(), *([] if announced else [connection]))
            if news and not announced:
                if connection.recv(100).startswith(b"HTTP/1.1 200"):
                    announced = True
                    self.announce(address)
                    self.bring_up(*workers(self.folder, self.environment, self.runs, self.renders))
                    self.advice.log.unlink(missing_ok=True)
                    self.advice.start()
                else:  # the web process died with our question unanswered
                    connection.close()
                    connection = ask(self.listener)
            self.look_after()
            if not announced and time.monotonic() > give_up:
                raise CannotStart(
                    f"the site did not answer within {bounds.START_LIMIT_S} s. The reason is at the end of "
                    f"{self.folder / 'logs' / 'web.log'}"
                )

    def announce(self, address: str) -> None:
        """The site serves: tell the person, and programs through `run/address`."""
        part = self.address_file.with_suffix(".part")
        part.write_text(address + "\n")
        part.replace(self.address_file)
        self.say(f"anyplot agents: {address}")
        self.say(f"Files and logs are in {self.folder}. Ctrl-C stops everything.")

    def strays(self) -> Iterator[int]:
        """Processes that were orphaned by one of ours and adopted by us."""
        ours = {child.process.pid for child in [*self.children, self.advice] if child.process is not None}
        for entry in os.listdir("/proc"):
            if entry.isdigit() and int(entry) not in ours:
                with suppress(OSError):
                    # The name in parentheses may hold spaces; the parent is the second field after it.
                    parent = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[1]
                    if int(parent) == os.getpid():
                        yield int(entry)

    def kill_strays(self) -> None:
        """End what a dead child left behind."""
        for process in list(self.strays()):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(process, 0)

    def end(self) -> None:
        """Stop everybody: the key-value server last, since the others say goodbye through it."""
        with suppress(FileNotFoundError):
            self.address_file.unlink()
        self.advice.end()
        for first in (False, True):
            leaving = [child for child in self.children if (child.name == "kv") == first and child.process is not None]
            for child in leaving:
                child.signal(signal.SIGTERM)
            deadline = time.monotonic() + bounds.STOP_GRACE_S
            while any(child.process and child.process.poll() is None for child in leaving):
                if time.monotonic() > deadline:
                    break
                self.alarm.wait(0.2)
            for child in leaving:
                child.end()
        # A killed stray may leave strays of its own.
        while list(self.strays()):
            self.kill_strays()

    def run(self, *, host: str, port: int, redis_url: str, runs: int, renders: int) -> None:
        """Start the family and keep it until a signal asks it to stop. Raises CannotStart.

        `runs` and `renders` are how many workers of each kind there are.
        """
        self.runs, self.renders = runs, renders
        self.listener = ground.listen(host, port)
        address = ground.address_of(self.listener)
        own_server = not redis_url
        redis_url = redis_url or home.key_value_url(self.folder)
        self.environment.update(environment_of(self.folder, redis_url))
        if own_server:
            self.bring_up(key_value_server(self.folder, self.environment))
        if not prepare.is_current(self.folder, self.environment):
            self.say("anyplot: preparing the database and the pages ...")
            log = self.folder / "logs" / "prepare.log"
            command = [sys.executable, "-m", "anyplot_site.prepare"]
            code = self.once(Child("prepare", "preparation", command, self.environment, log))
            if code is None:
                return
            if code != 0:
                raise CannotStart(f"the database could not be prepared. The reason is at the end of {log}")
        self.bring_up(web_server(self.folder, self.environment, self.listener))
        self.serve_until_stopped(address, ask(self.listener))


def ask(listener: socket.socket) -> socket.socket:
    """A connection with one unanswered GET /healthz, in the listener's queue until the web process takes it."""
    address = listener.getsockname()
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address[0], address[0])
    connection = socket.create_connection((host, address[1]), timeout=bounds.START_LIMIT_S)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    return connection


def main() -> None:
    """Serve until stopped; every reason not to start is one sentence."""
    if not sys.platform.startswith("linux"):
        ground.stop("this runs on Linux only: the sandbox that draws the plots needs its kernel.")
    os.umask(0o077)
    folder = home.folder()
    family = None
    try:
        ground.make_home(folder)
        lock = ground.lock_home(folder)
        from anyplot_site import settings  # names a bad variable, and makes the secret in the home

        family = Family(folder)
        family.run(
            host=settings.HOST,
            port=settings.PORT,
            redis_url=os.environ.get("REDIS_URL", ""),
            runs=settings.AGENT_RUN_CONCURRENCY,
            renders=settings.AGENT_RENDER_CONCURRENCY if settings.AGENT_RENDERER == "queue" else 0,
        )
    except CannotStart as reason:
        if family is not None:
            family.end()
        ground.stop(str(reason))
    except Exception as error:
        if family is not None:
            family.end()
        if type(error).__name__ == "ImproperlyConfigured":
            ground.stop(str(error))
        raise
    family.end()
    family.say("anyplot: stopped.")
    os.close(lock)


if __name__ == "__main__":
    main()
