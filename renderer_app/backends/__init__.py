"""The ways to have a plot rendered, behind one interface: `backend()` gives the one of the settings (RB1)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from django.conf import settings

from renderer_app.contract import Purpose, RenderJob, RenderResult
from renderer_app.sandbox import never


class Backend(Protocol):
    """Renders jobs. Implementations hold no database connection and no transaction while they wait."""

    def render(
        self, job: RenderJob, *, purpose: Purpose, wait_s: float, canceled: Callable[[], bool] = never
    ) -> RenderResult:
        """Render `job` once a slot is free, waiting at most `wait_s` seconds for it.

        Raises RendererBusy when none came free and RendererUnavailable when the renderer could not be asked;
        both carry a sentence. What came of the script, and a cancellation, are answers.
        """
        ...

    def status(self) -> dict[str, Any]:
        """`{"backend", "sandbox", "tier", "available", "detail"}`."""
        ...


def backend() -> Backend:
    """The backend that `AGENT_RENDERER` names."""
    from renderer_app.backends.fake import FakeBackend
    from renderer_app.backends.local import LocalBackend
    from renderer_app.backends.queue import QueueBackend

    known: dict[str, Callable[[], Backend]] = {"queue": QueueBackend, "local": LocalBackend, "fake": FakeBackend}
    return known[settings.AGENT_RENDERER]()


def bounded(job: RenderJob) -> RenderJob:
    """The job under the operator's wall time, where that is shorter than its own."""
    if job.limits.wall_s <= settings.AGENT_RENDER_WALL_S:
        return job
    return replace(job, limits=replace(job.limits, wall_s=settings.AGENT_RENDER_WALL_S))
