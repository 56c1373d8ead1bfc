"""The render worker: takes waiting renders one at a time and puts each into a sandbox.

RQ carries: a nudge on the queue `render` makes the worker look at once, and RQ's records show the work on the
dashboard. Rows decide: before it listens, after every job and every second the worker looks at the rows
itself, so that a lost nudge, a flushed server or a dead colleague costs a second and no render. That is why
`RenderWorker` replaces RQ's own waiting (up to seven minutes deaf in one call, sleeping up to a minute between
attempts at a lost server, quitting on the first error elsewhere) and why `serve` starts it anew when the
server was gone at an awkward moment.
"""

import signal
import threading
import time
from typing import Any

import redis.exceptions
import structlog
from django.core.files.base import ContentFile
from django.db import DatabaseError, connection
from rq import Queue, SimpleWorker
from rq.exceptions import DequeueTimeout, StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker.base import WorkerStatus
from rq.worker_registration import register

from anyplot_site import bounds
from renderer_app import beats, identity, kv, record, sandbox, slots
from renderer_app.contract import Reason, RenderResult
from renderer_app.holding import Holding
from renderer_app.models import RenderRequest
from renderer_app.sandbox import check
from renderer_app.sandbox.watch import Refusal

log = structlog.get_logger(__name__)

# One worker per process: RQ's job function and the signal handlers have nothing else to find it by.
stopping = threading.Event()
stuck = threading.Event()


def render_waiting() -> int:
    """Render what waits, one after the other, until nothing does or the worker is to stop; how many."""
    count = 0
    while not stopping.is_set() and not stuck.is_set() and slots.waiting() and render_one():
        count += 1
    return count


def render_one() -> bool:
    """Claim the next waiting render and do it; False when there was none, or no slot, or the worker stops."""
    row = slots.claim(identity.me())
    if row is None:
        return False
    connection.close()  # none is held while the sandbox works
    with Holding(row) as holding:
        result = _render(row, lambda: holding.ended() or stopping.is_set())
    if holding.lost:
        log.warning("render.lease_lost", render=str(row.pk))
        return True
    if result.reason is Reason.CANCELED and stopping.is_set() and not holding.cancel:
        slots.release(row.pk, row.token)
        return False
    _finish(row, result, canceled=holding.cancel)
    return True


def _render(row: RenderRequest, canceled: Any) -> RenderResult:
    try:
        return sandbox.run(record.job_of(row), canceled=canceled)
    except sandbox.SandboxStuck as problem:
        # RE5: nothing may run beside it. This process ends, and the supervisor starts another.
        stuck.set()
        log.error("render.sandbox_stuck", detail=str(problem))
        detail = "The sandbox could not be ended; the renderer starts anew."
    except (OSError, ValueError) as problem:
        log.error("render.job_unreadable", render=str(row.pk), error=type(problem).__name__)
        detail = "The files of the render could not be read."
    return RenderResult(theme=row.theme, reason=Reason.LAUNCHER, detail=detail)


def _finish(row: RenderRequest, result: RenderResult, *, canceled: bool) -> None:
    storage, name = row.picture.storage, ""
    if result.picture is not None and not canceled:
        wanted = RenderRequest._meta.get_field("picture").generate_filename(row, f"{row.pk}.{row.format}")
        name = storage.save(wanted, ContentFile(result.picture))
    if not slots.finish(row.pk, row.token, result=record.as_json(result), picture=name, canceled=canceled):
        log.warning("render.too_late", render=str(row.pk))
        if name:
            storage.delete(name)
        return
    kv.tell(str(row.pk))


def look_after_rows() -> None:
    """One look at the rows: recover what died, render what waits. A database that is away is met again next time."""
    try:
        for row in slots.recover():
            kv.tell(str(row.pk))
        render_waiting()
    except DatabaseError as problem:
        log.warning("render.database", error=type(problem).__name__)
    finally:
        connection.close()


class Pulse:
    """The worker's sign of life, from a thread of its own: a long render must not look like a dead worker."""

    def __init__(self) -> None:
        self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _beat(self) -> None:
        swept = 0.0
        while not stopping.is_set():
            try:
                found = check.available()
                beats.beat(
                    "render", {"ok": found.ok, "tier": found.tier, "detail": found.detail, "remedy": found.remedy}
                )
                if time.monotonic() - swept > bounds.RENDER_FILES_KEEP_S:
                    slots.sweep()
                    beats.forget()
                    swept = time.monotonic()
            except DatabaseError as problem:
                log.warning("render.beat_failed", error=type(problem).__name__)
            finally:
                connection.close()
            stopping.wait(bounds.WORKER_BEAT_S)


class RenderWorker(SimpleWorker):
    """RQ's worker in one process, with short waits between which it looks at the rows."""

    log_result_lifespan = False

    @property
    def dequeue_timeout(self) -> int:
        """Seconds of one wait; RQ also derives the socket's time-out from it."""
        return int(bounds.TICK_S)

    def _install_signal_handlers(self) -> None:
        """The command has installed its own: they only set `stopping`, so that no write is cut in the middle."""

    def check_for_suspension(self, burst: bool) -> None:
        """RQ's own suspension is not ours: whether renders run is decided by rows."""

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """The next nudge; between waits the rows."""
        pause = 0.0
        while not stopping.is_set() and not stuck.is_set():
            look_after_rows()
            if pause:
                stopping.wait(pause)
            try:
                self._introduce()
                self.set_state(WorkerStatus.IDLE)
                self.heartbeat()
                found: tuple[Job, Queue] | None = self.queue_class.dequeue_any(
                    self._ordered_queues,
                    timeout,
                    connection=self.connection,
                    job_class=self.job_class,
                    serializer=self.serializer,
                    death_penalty_class=self.death_penalty_class,
                )
                return found
            except DequeueTimeout:
                pause = 0.0
            except (redis.exceptions.RedisError, OSError) as problem:
                log.warning("render.server_away", error=type(problem).__name__)
                pause = bounds.TICK_S
        raise StopRequested

    def _introduce(self) -> None:
        """Register again where a restarted or flushed server has forgotten this worker."""
        if not self.connection.exists(self.key):
            self.register_birth()  # type: ignore[no-untyped-call]
        elif not self.connection.sismember(self.redis_workers_keys, self.key):
            register(self)


def serve() -> int:
    """Work until a signal says stop; the exit code."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    log.info("render.worker", name=identity.me())
    Pulse().start()
    try:
        sandbox.prepare_fonts()  # before the first job comes
    except Refusal as refusal:
        log.error("render.no_sandbox", detail=refusal.detail)
    backoff = list(bounds.RESTART_BACKOFF_S)
    while not stopping.is_set() and not stuck.is_set():
        look_after_rows()
        try:
            connected = kv.connect_fresh()
            queue = Queue(kv.QUEUE, connection=connected, serializer=JSONSerializer)
            worker = RenderWorker([queue], connection=connected, serializer=JSONSerializer, name=_rq_name())
            worker.work(logging_level="WARNING", with_scheduler=False)
            backoff = list(bounds.RESTART_BACKOFF_S)
        except (redis.exceptions.RedisError, OSError, ValueError) as problem:
            # ValueError: RQ's way to say that the server still knows a worker of this name.
            log.warning("render.server_away", error=type(problem).__name__)
        pause = backoff.pop(0) if len(backoff) > 1 else backoff[0]
        end = time.monotonic() + pause
        while not stopping.is_set() and time.monotonic() < end:
            look_after_rows()
            stopping.wait(min(bounds.TICK_S, max(0.0, end - time.monotonic())))
    beats.leave()
    return 1 if stuck.is_set() else 0


def _rq_name() -> str:
    """A name of its own for every start of the loop: the server may remember the last one for a while."""
    return f"render-{identity.me().replace(':', '-')}-{time.monotonic_ns()}"
