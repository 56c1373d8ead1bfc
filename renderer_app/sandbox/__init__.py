"""One confined render: bubblewrap around the harness, limits around both, a watchdog outside.

`run(job)` is the whole of it. It never runs a script unconfined: where no sandbox can be had, the answer is
the reason `launcher` and a sentence (RE14). A warm parent and further tiers come in beside `run`: they
replace how a sandbox is started, not how it is watched or judged.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import structlog
from django.conf import settings

from anyplot_site import bounds
from renderer_app.contract import Limits, Reason, RenderJob, RenderResult
from renderer_app.sandbox import bundle, launch, output, watch
from renderer_app.sandbox.process import Sandbox, SandboxStuck
from renderer_app.sandbox.watch import Refusal, Watched

__all__ = ["SandboxStuck", "converse", "explain", "never", "prepare_fonts", "run"]

log = structlog.get_logger(__name__)


def never() -> bool:
    """Nobody cancels."""
    return False


def run(job: RenderJob, *, canceled: Callable[[], bool] = never) -> RenderResult:
    """Render one theme of one script, cold, and answer whatever came of it.

    Blocks until the sandbox is gone; `canceled` is asked four times a second. Call it from a thread that lives
    that long. Raises SandboxStuck when a killed sandbox stays: then nothing may be rendered beside it.
    """
    result = RenderResult(theme=job.theme)
    for attempt in range(1, bounds.RENDER_LAUNCH_ATTEMPTS + 1):
        result, final = _attempt(job, canceled)
        result = replace(result, attempts=attempt)
        # RE6: only a launcher that failed before the harness started is tried again.
        if result.reason is not Reason.LAUNCHER or final:
            return result
    times = {1: "once", 2: "twice"}.get(result.attempts, f"{result.attempts} times")
    return replace(result, detail=f"{result.detail} It was tried {times}.")


def _attempt(job: RenderJob, canceled: Callable[[], bool]) -> tuple[RenderResult, bool]:
    """One sandbox from start to end, and whether that is final: its harness ran, or another try would end the same."""
    seen = Watched()
    try:
        if settings.AGENT_SANDBOX != "bwrap":
            raise Refusal(Reason.LAUNCHER, f"There is no sandbox named {settings.AGENT_SANDBOX!r}; use bwrap.")
        watch.check_host_memory()
        if canceled():
            raise Refusal(Reason.CANCELED, "The render was canceled.")
        converse(job, launch.View(bundle.code(), prepare_fonts()), "render", canceled, seen)
        return watch.conclude(seen, job), seen.harness
    except Refusal as refusal:
        if refusal.reason is Reason.LAUNCHER:
            log.warning("render.launcher", detail=refusal.detail)
        return (
            RenderResult(
                theme=job.theme,
                reason=refusal.reason,
                measured=refusal.measured,
                limit=refusal.limit,
                detail=refusal.detail,
                output=output.clean(bytes(seen.printed)),
                usage=watch.usage(seen),
            ),
            seen.harness or isinstance(refusal, watch.LowMemory),
        )


def converse(job: RenderJob, view: launch.View, mode: str, canceled: Callable[[], bool], seen: Watched) -> None:
    """Start a sandbox, follow it to its last word, and see it gone; raises Refusal."""
    try:
        sandbox = Sandbox(job, view, mode=mode, nonce=secrets.token_hex(16))
    except (OSError, launch.NoLauncher) as problem:
        raise Refusal(Reason.LAUNCHER, f"The sandbox could not be started: {problem}") from problem
    try:
        watch.follow(sandbox, job, canceled, seen)
        try:
            sandbox.wait(watch.EXIT_GRACE_S)
        except SandboxStuck:
            sandbox.kill()
    except Refusal as refusal:
        sandbox.kill()
        complaint = sandbox.complaint()
        explained = refusal.reason is Reason.LAUNCHER and not isinstance(refusal, watch.LowMemory)
        if explained and complaint and not seen.harness:
            refusal.detail = explain(complaint)
        elif complaint:
            log.warning("render.sandbox", complaint=complaint)
        raise
    except BaseException:
        sandbox.kill()
        raise
    finally:
        sandbox.close()


def explain(complaint: str) -> str:
    """A sentence for what bubblewrap wrote when it could not set a sandbox up."""
    last = complaint.splitlines()[-1].removeprefix("bwrap: ").strip()
    refused = ("namespace", "uid map", "gid map", "Operation not permitted", "Permission denied")
    if any(word in complaint for word in refused):
        return f"This machine refuses the namespaces that the sandbox is made of ({last})."
    return f"The sandbox could not be set up: {last}."


def prepare_fonts() -> Path:
    """The font list for renders, built inside a sandbox the first time; raises Refusal."""
    if (ready := bundle.fonts()) is not None:
        return ready
    seen = Watched(script_at=time.monotonic())
    job = RenderJob("fonts", "light", "pass", limits=Limits(wall_s=bounds.RENDER_FONTS_S))
    converse(job, launch.View(bundle.code(), None), "fonts", never, seen)
    if not seen.picture or seen.end is None:
        raise Refusal(Reason.LAUNCHER, "The list of fonts could not be built.")
    return bundle.keep_fonts(str(seen.end.get("name")), seen.picture)
