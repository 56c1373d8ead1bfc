"""Backend `local`: this process runs the sandbox itself, in its turn (development, commands, small set-ups)."""

import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import connection

from anyplot_site import bounds
from renderer_app import identity, record, sandbox, slots
from renderer_app.backends import bounded
from renderer_app.contract import Purpose, Reason, RendererBusy, RendererUnavailable, RenderJob, RenderResult
from renderer_app.holding import Holding
from renderer_app.models import RenderRequest
from renderer_app.sandbox import check, never

_changed = threading.Condition()


class LocalBackend:
    """The serial rule is that of all backends: a row takes its place in the line, and its lease is the slot."""

    def render(
        self, job: RenderJob, *, purpose: Purpose, wait_s: float, canceled: Callable[[], bool] = never
    ) -> RenderResult:
        """See `Backend.render`."""
        job = bounded(job)
        gone = RenderResult(theme=job.theme, reason=Reason.CANCELED, detail="The render was canceled.")
        row = slots.admit(record.row_of(job), purpose=purpose, wait_s=wait_s, waiter=identity.me())
        ended = False
        try:
            claimed = self._claim(row, wait_s, canceled)
            if claimed is None:
                return gone
            with Holding(claimed) as holding:
                result = self._draw(job, lambda: holding.ended() or canceled())
            stated = {**record.as_json(result), "probe": None, "output": ""}
            cancel = result.reason is Reason.CANCELED
            ended = slots.finish(claimed.pk, claimed.token, result=stated, canceled=cancel)
            if holding.lost:
                raise RendererUnavailable("The render slot was lost while this plot was drawn.")
            return result
        finally:
            if not ended:
                slots.cancel(row.pk)
            with _changed:
                _changed.notify_all()

    def status(self) -> dict[str, Any]:
        """Whether this process can have a sandbox."""
        found = check.available()
        return {
            "backend": "local",
            "sandbox": "bwrap",
            "tier": found.tier,
            "available": found.ok,
            "detail": found.detail,
        }

    def _draw(self, job: RenderJob, canceled: Callable[[], bool]) -> RenderResult:
        try:
            return sandbox.run(job, canceled=canceled)
        except sandbox.SandboxStuck as problem:
            raise RendererUnavailable("The sandbox could not be ended; restart this process.") from problem

    def _claim(self, row: RenderRequest, wait_s: float, canceled: Callable[[], bool]) -> RenderRequest | None:
        """Wait for the slot; None when canceled."""
        end = time.monotonic() + wait_s
        while (claimed := slots.claim(identity.me(), only=row.pk)) is None:
            if canceled():
                return None
            if time.monotonic() >= end:
                raise RendererBusy(f"No render slot came free within {wait_s:g} s.")
            if not connection.in_atomic_block:
                connection.close()
            with _changed:
                _changed.wait(min(bounds.RENDER_POLL_S, max(0.01, end - time.monotonic())))
        return claimed
