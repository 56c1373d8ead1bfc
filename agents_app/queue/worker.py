"""The run worker: RQ's, made independent of the key-value server's health.

RQ's own bookkeeping (births, heartbeats, registries) is for its dashboard; without the server it is left out.
Between two jobs the worker looks at the rows about once a second, so that a flushed or silent server costs
nothing but that second: turns whose message was lost are taken straight from their rows.
"""

import ctypes
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FrameType
from typing import Any

from django.db import close_old_connections, connections
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.exceptions import DequeueTimeout
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker.base import WorkerStatus

from agents_app.models import Turn
from agents_app.queue import carrier
from agents_app.queue.dispatch import dispatch
from anyplot_site import bounds
from renderer_app import beats

log = logging.getLogger(__name__)

_PR_SET_PDEATHSIG = 1
_SOCKET_S = 5.0  # a server that hangs holds the worker up for this long, then it looks at the rows
_REBIRTH_S = 30.0
_ONE_SIGNAL_S = 1.0
_gone = (RedisError, OSError)


def die_with_parent(parent: int) -> None:
    """End this process by SIGKILL when its parent ends, however it ends; at once when it has ended already."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        raise OSError(ctypes.get_errno(), "the parent-death signal could not be set")
    if os.getppid() != parent:  # it ended between the fork and the call
        os._exit(1)


class RunWorker(Worker):
    """Takes turns from exactly one queue, each in a process of its own that dies with this one.

    `run(turn_id, token)` is what RQ's job does; it is called directly for a turn whose message was lost while
    the key-value server is away. `prepare()` is called in each new process before it works. `ahead` are pieces
    of work that make later runs quicker, done one at a time while there is nothing else to do: what is in this
    process's memory is in that of every run's process.
    """

    def __init__(
        self,
        connection: Redis,
        *,
        run: Callable[[str, int], None],
        prepare: Callable[[], None],
        ahead: Iterable[Callable[[], object]] = (),
    ) -> None:
        self._run_turn, self._prepare = run, prepare
        self._ahead = iter(ahead)
        self._beaten_at = self._born_at = 0.0
        self._stopping_since = 0.0
        self._looked_at = 0.0
        self._away = False
        queue = Queue(carrier.QUEUE, connection=connection, serializer=JSONSerializer)
        super().__init__(
            [queue],
            connection=connection,
            serializer=JSONSerializer,
            log_job_description=False,
            job_monitoring_interval=bounds.WORKER_BEAT_S,
        )
        self.log_result_lifespan = False
        self.log.setLevel(logging.WARNING)  # what a run came to, the run says itself

    # --- the loop -----------------------------------------------------------------------------
    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """The next job; None when the worker is to stop. Looks at the rows between two waits."""
        self.set_state(WorkerStatus.IDLE)
        while not self._stop_requested:
            self._look()
            try:
                self._be_known()
                found: tuple[Job, Queue] | None = self.queue_class.dequeue_any(
                    self._ordered_queues,
                    max(1, round(bounds.TICK_S)),
                    connection=self.connection,
                    job_class=self.job_class,
                    serializer=self.serializer,
                    death_penalty_class=self.death_penalty_class,
                )
                self._back()
                return found
            except DequeueTimeout:
                self._back()
                self._work_ahead()
            except _gone as error:
                if not self._away:
                    log.warning("the key-value server is away (%s); turns are taken from their rows", error)
                self._away = True
                self._take_from_rows()
                self._born_at = 0.0
                time.sleep(bounds.STREAM_LOOK_ALONE_S)
            except Exception:
                # A job that cannot be read: its turn is sent again.
                log.exception("a message could not be read")
                self._away = False
        return None

    def _work_ahead(self) -> None:
        """One piece of what may be useful later."""
        try:
            if (piece := next(self._ahead, None)) is not None:
                piece()
        except Exception:
            log.exception("a piece of work ahead failed")

    def _back(self) -> None:
        if self._away:
            log.warning("the key-value server is back")
        self._away = False

    def _look(self) -> None:
        """What any idle process does for the queue, about once a second, and a sign of life."""
        if time.monotonic() - self._looked_at < bounds.STREAM_LOOK_ALONE_S:
            return
        self._looked_at = time.monotonic()
        try:
            close_old_connections()
            dispatch()
            if time.monotonic() - self._beaten_at >= bounds.WORKER_BEAT_S:
                beats.beat("run")
                self._beaten_at = time.monotonic()
        except Exception as error:
            # A database that is being restarted; the next look finds what is due.
            log.warning("the worker could not look at the queue: %s", type(error).__name__)
            connections.close_all()

    def _be_known(self) -> None:
        """Be in the dashboard's list, also after the server was emptied."""
        if time.monotonic() - self._born_at < _REBIRTH_S:
            return
        if not self.connection.exists(self.key):
            Worker.register_birth(self)  # type: ignore[no-untyped-call]
        Worker.heartbeat(self)
        self._born_at = time.monotonic()

    def _take_from_rows(self) -> None:
        """Without the carrier: run the oldest turn that was started and that nobody has taken up."""
        try:
            turn = Turn.objects.filter(state=Turn.State.RUNNING, claimed_at=None).order_by("started_at").first()
        except Exception as error:
            log.warning("the rows could not be read: %s", type(error).__name__)
            return
        if turn is None:
            return
        turn_id, token = str(turn.id), turn.token
        self._state = WorkerStatus.BUSY
        pid = self._fork()
        if pid == 0:
            try:
                self.setup_work_horse_signals()  # type: ignore[no-untyped-call]
                self._run_turn(turn_id, token)
            except BaseException:
                log.exception("a run ended badly")
                os._exit(1)
            os._exit(0)
        self._horse_pid = pid
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            self._look()
            time.sleep(bounds.RENDER_WATCH_S)
        self._horse_pid = 0
        self._state = WorkerStatus.IDLE

    # --- one process for each run ---------------------------------------------------------------
    def _fork(self) -> int:
        """Fork; in the child all is prepared: it dies with the worker and has its own connections."""
        connections.close_all()  # a connection that two processes share is none
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                die_with_parent(parent)
                os.setpgrp()
                self._prepare()
            except BaseException:
                log.exception("a run's process could not be prepared")
                os._exit(1)
        return pid

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """A process for this job."""
        pid = self._fork()
        if pid == 0:
            self.main_work_horse(job, queue)
            os._exit(0)
        self._horse_pid = pid

    def wait_for_horse(self) -> tuple[int | None, int | None, Any]:
        """Wait for the process to end; a signal does not end the wait."""
        while True:
            try:
                return os.wait4(self.horse_pid, 0)
            except ChildProcessError:
                return None, None, None
            except InterruptedError:
                continue

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run one job; what RQ cannot write down meanwhile is left out."""
        try:
            super().execute_job(job, queue)
        except _gone as error:
            log.warning("RQ's notes on a run are incomplete: %s", type(error).__name__)
            if self._horse_pid:
                self.wait_for_horse()
                self._horse_pid = 0
            self.executions.clear()
            self._state = WorkerStatus.IDLE

    # --- stopping -----------------------------------------------------------------------------
    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """The first signal: no new turn; what runs, runs on. Noticed within a second."""
        signal.signal(signal.SIGINT, self.request_force_stop)
        signal.signal(signal.SIGTERM, self.request_force_stop)
        self._stop_requested = True
        self._stopping_since = time.monotonic()

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """The second signal: the run ends too; its turn goes back to its place.

        Ctrl-C reaches the worker and its supervisor, which passes it on: two within a second are one.
        """
        if time.monotonic() - self._stopping_since < _ONE_SIGNAL_S:
            return
        if self.horse_pid:
            with suppress(ProcessLookupError):
                os.kill(self.horse_pid, signal.SIGKILL)
        raise SystemExit(1)

    # --- RQ's notes, which must not stop a worker -------------------------------------------------
    def _set_connection(self, connection: Redis) -> Redis:
        # RQ would wait for minutes on a silent server.
        return connection

    def _set_ip_address(self, connection: Redis) -> None:
        self.ip_address = "unknown"

    def subscribe(self) -> None:
        """No thread that listens for commands: a process with threads should not fork, and rows carry stops."""

    def unsubscribe(self) -> None:
        """The end of `subscribe`."""

    def check_for_suspension(self, burst: bool) -> None:
        """The queue is paused by its own rows."""

    def run_maintenance_tasks(self) -> None:
        """RQ's registries, once in ten minutes."""
        with suppress(*_gone):
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]

    def register_birth(self) -> None:
        """Be in the dashboard's list, when there is one."""
        with suppress(*_gone):
            super().register_birth()  # type: ignore[no-untyped-call]

    def register_death(self) -> None:
        """Leave the dashboard's list."""
        with suppress(*_gone):
            super().register_death()  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """RQ's heartbeat."""
        with suppress(*_gone):
            super().heartbeat(timeout, pipeline)

    def maintain_heartbeats(self, job: Job, execution: Any) -> None:
        """RQ's heartbeats beside a run, and ours."""
        self._look()
        with suppress(*_gone):
            super().maintain_heartbeats(job, execution)

    def set_state(self, state: str, pipeline: Any = None) -> None:
        """Idle or busy."""
        self._state = state
        with suppress(*_gone):
            super().set_state(state, pipeline)


def connect(url: str) -> Redis:
    """The worker's connection: patient enough for a blocking wait of a second, not for a hanging server."""
    return carrier.connect(url, timeout_s=_SOCKET_S)
