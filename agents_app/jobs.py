"""The job that RQ carries: one run of a turn, from its claim to its end."""

import os
import uuid
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError

from agents_app.models import Turn
from agents_app.pipeline.outcome import PipelineJob
from agents_app.pipeline.run import run
from agents_app.queue import clock, events, lease, nudge
from agents_app.queue.finish import finish
from agents_app.queue.heart import Heart
from agents_app.queue.recovery import LATE
from agents_app.refusals import Refusal
from agents_app.selectors import file_bytes
from agents_app.services import budget
from agents_app.services.publish import publish
from agents_app.services.wish import make_definite
from anyplot_site import bounds
from renderer_app import identity
from renderer_app.backends import backend
from renderer_app.contract import Purpose, RenderJob, RenderResult

log = structlog.get_logger(__name__)

INTERNAL = "Something went wrong on our side. Nothing is lost; please send it again. (Reference {ref})"
FENCED_EXIT = 75  # EX_TEMPFAIL: the turn is another's now

# True in a process that lives for one run (`run_worker`): fenced, it ends itself, whatever it is doing.
alone = False


class Stale(Exception):
    """The turn is not this run's any more: stopped, deleted, or given to another worker."""


def run_turn(turn_id: str, token: int) -> None:
    """Run a started turn to its end. A doubled or stale message does nothing; every other run ends its turn.

    When the database is away the turn is left to recovery, which gives it to another run.
    """
    with structlog.contextvars.bound_contextvars(turn=turn_id):
        try:
            turn = lease.claim(turn_id, token, identity.me())
            if turn is None:
                return
            structlog.contextvars.bind_contextvars(attempt=turn.attempts)
            try:
                _Run(turn).tell()
            finally:
                lease.release(token)
                nudge.flush()
        except (DatabaseError, InterfaceError):
            # Not raised on: RQ would store its text, which may hold a person's data.
            log.exception("run.left_to_recovery")
        finally:
            structlog.contextvars.unbind_contextvars("attempt")


class _Run:
    """One run of one turn: what it reports, how it draws, and how it ends."""

    def __init__(self, turn: Turn) -> None:
        assert turn.deadline_at is not None
        self.turn = turn
        self.heart = Heart(
            lambda: lease.beat(turn.id, turn.token),
            lambda: lease.holds(turn.id, turn.token),
            left_s=(turn.deadline_at - clock.now()).total_seconds(),
            on_end=self._end_hard,
        )

    def tell(self) -> None:
        """The story: wish, pipeline, version."""
        try:
            with self.heart:
                self._run()
        except Stale:
            log.info("run.stopped")
        except Refusal as refusal:
            self._fail("validation", refusal.detail)
        except (DatabaseError, InterfaceError):
            raise
        except Exception:
            ref = uuid.uuid4().hex[:12]
            if self._fail("internal", INTERNAL.format(ref=ref), ref):
                log.exception("run.failed", ref=ref)

    def _run(self) -> None:
        turn = self.turn
        if turn.attempts == 1 and turn.lane != Turn.Lane.BATCH:
            budget.count_run(turn.owner)
        wish = make_definite(turn.session, operations=turn.operations, theme=turn.theme, base=turn.base)
        data_csv = file_bytes(wish.dataset.canonical)
        job = PipelineJob(str(turn.id), wish.recipe, data_csv, wish.dataset.columns, wish.changes)
        outcome = run(job, render=self._render, report=self._report)
        if outcome.status == "failed" and self.heart.must_stop():
            self._stopped()
            return
        self._report("publish")
        publish(turn, outcome, wish, data_csv)
        log.info("run.ended", status=outcome.status, code=outcome.error_code, **outcome.timings)

    def _render(self, job: RenderJob) -> RenderResult:
        return backend().render(
            job, purpose=Purpose.PIPELINE, wait_s=bounds.RENDER_WAIT_S, canceled=self.heart.must_stop
        )

    def _report(self, step: str, **fields: Any) -> None:
        if not events.report(self.turn.id, self.turn.token, step, **fields):
            raise Stale

    def _stopped(self) -> None:
        """The run ended early because it had to: out of time, or not ours any more."""
        if self.heart.reason == "deadline":
            self._fail("deadline", _late(self.turn))

    def _fail(self, code: str, detail: str, ref: str = "") -> bool:
        return finish(
            self.turn.id,
            self.turn.token,
            outcome="failed",
            error_code=code,
            lines=[events.error(code, detail, ref)],
        )

    def _end_hard(self, reason: str) -> None:
        """From the heart's thread: the work goes on although it must not."""
        log.error("run.ended_hard", reason=reason)
        if reason == "overrun":
            self._fail("deadline", _late(self.turn))
            nudge.flush()
        if alone:
            os._exit(FENCED_EXIT)


def _late(turn: Turn) -> str:
    assert turn.deadline_at is not None
    assert turn.started_at is not None
    return LATE.format(limit=round((turn.deadline_at - turn.started_at).total_seconds()))
