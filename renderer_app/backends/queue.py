"""Backend `queue`: the job becomes a row, a render worker draws it, a nudge brings the news back."""

import time
import uuid
from collections.abc import Callable
from typing import Any

from django.db import DatabaseError, connection

from anyplot_site import bounds
from renderer_app import beats, identity, kv, record, slots
from renderer_app.backends import bounded
from renderer_app.contract import Purpose, Reason, RendererBusy, RendererUnavailable, RenderJob, RenderResult
from renderer_app.models import RenderRequest
from renderer_app.sandbox import never

State = RenderRequest.State


class QueueBackend:
    """Render workers anywhere in the deployment take the job from the database."""

    def render(
        self, job: RenderJob, *, purpose: Purpose, wait_s: float, canceled: Callable[[], bool] = never
    ) -> RenderResult:
        """See `Backend.render`. Must not be called inside a transaction: no worker would ever see the row."""
        if connection.in_atomic_block:
            raise RuntimeError("A render can't be waited for inside a transaction.")
        job = bounded(job)
        row = record.row_of(job)
        try:
            record.store_files(row, job)
            slots.admit(row, purpose=purpose, wait_s=wait_s, waiter=identity.me())
        except (OSError, DatabaseError) as problem:
            raise RendererUnavailable("The render could not be stored.") from problem
        finally:
            connection.close()
        kv.send(str(row.pk))
        try:
            return self._wait(row.pk, job, wait_s, canceled)
        except (RendererBusy, RendererUnavailable):
            raise
        except BaseException:
            # Whoever waited is gone, by an alarm or an interrupt: nobody wants the picture any more.
            slots.cancel(row.pk)
            raise

    def status(self) -> dict[str, Any]:
        """What the render workers say of their sandbox."""
        workers = beats.living("render")
        detail = dict(workers[0].detail) if workers else {}
        return {
            "backend": "queue",
            "sandbox": "bwrap",
            "tier": detail.get("tier", "none"),
            "available": any(worker.detail.get("ok") for worker in workers),
            "detail": detail.get("detail", "") if workers else "No render worker is running.",
        }

    def _wait(self, request_id: uuid.UUID, job: RenderJob, wait_s: float, canceled: Callable[[], bool]) -> RenderResult:
        recover_at = 0.0
        trouble_since: float | None = None
        while True:
            try:
                row = RenderRequest.objects.filter(pk=request_id).defer("result").first()
                if row is None:
                    raise RendererUnavailable("The record of the render is gone.")
                if row.state not in RenderRequest.ACTIVE:
                    return self._take(request_id, wait_s)
                if canceled():
                    return self._give_up(row, job)
                if time.monotonic() >= recover_at:
                    recover_at = time.monotonic() + bounds.TICK_S
                    for changed in slots.recover():
                        kv.tell(str(changed.pk))
                        kv.send(str(changed.pk))
                trouble_since = None
            except DatabaseError as problem:
                # A database that restarts keeps the row; one that stays away ends the wait.
                trouble_since = trouble_since or time.monotonic()
                if time.monotonic() - trouble_since > bounds.LEASE_S:
                    raise RendererUnavailable("The database can't be reached.") from problem
            finally:
                connection.close()
            kv.listen(str(request_id), bounds.RENDER_POLL_S)

    def _give_up(self, row: RenderRequest, job: RenderJob) -> RenderResult:
        was_waiting = row.state == State.WAITING
        slots.cancel(row.pk)
        if was_waiting:
            # A worker that claimed it in this moment finds its files gone and ends it; else the sweep removes them.
            ended = RenderRequest.objects.filter(pk=row.pk, state=State.CANCELED).first()
            if ended is not None:
                slots.drop_files(ended)
        return RenderResult(theme=job.theme, reason=Reason.CANCELED, detail="The render was canceled.")

    def _take(self, request_id: uuid.UUID, wait_s: float) -> RenderResult:
        """The end of a row, as an answer or as an exception; its files are no longer needed."""
        row = RenderRequest.objects.get(pk=request_id)
        try:
            match row.state:
                case State.DONE:
                    return record.result_of(row)
                case State.CANCELED:
                    return RenderResult(theme=row.theme, reason=Reason.CANCELED, detail="The render was canceled.")
                case State.EXPIRED if beats.alive("render"):
                    raise RendererBusy(f"No render slot came free within {wait_s:g} s.")
                case State.EXPIRED:
                    raise RendererUnavailable("No render worker is running.")
                case _:
                    raise RendererUnavailable("The render worker died while it drew this plot, twice.")
        except OSError as problem:
            raise RendererUnavailable("The picture of the render is gone.") from problem
        finally:
            slots.drop_files(row)
