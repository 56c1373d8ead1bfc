"""The watchdog: follow one sandbox from its start to its end, and end it when it passes a limit (RE3-RE5)."""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from anyplot_site import bounds
from renderer_app.contract import Reason, RenderJob, RenderResult
from renderer_app.sandbox import claims, output, picture
from renderer_app.sandbox.frames import Frame, FrameReader, Malformed
from renderer_app.sandbox.process import Sandbox, host_available_mib

MIB = 1 << 20
EXIT_GRACE_S = 5  # from the collector's last word to the end of its process


@dataclass
class Refusal(Exception):
    """A limit was passed or a promise broken: the reason, by how much, and a sentence."""

    reason: Reason
    detail: str
    measured: float | None = None
    limit: float | None = None


class LowMemory(Refusal):
    """The machine itself is short of memory: no fault of the script, and no better at once."""


@dataclass
class Watched:
    """What is known of a sandbox so far."""

    harness: bool = False  # the harness runs: from here on no retry (RE6)
    script_at: float | None = None  # monotonic time of the script's first line
    printed: bytearray = field(default_factory=bytearray)
    claims: bytes = b""
    picture: bytes = b""
    end: dict[str, object] | None = None
    peak_bytes: int = 0
    launch_ms: float = 0.0
    wall_ms: float = 0.0


def frame_bounds(job: RenderJob) -> dict[str, int]:
    """The longest body of each kind of frame, in bytes."""
    return {
        "H": 0,
        "S": 0,
        "M": 16,
        "X": 8,
        "O": job.limits.output_bytes + 1,
        "C": job.limits.probe_bytes + 4096,
        "P": max(bounds.RENDER_PICTURE_BYTES, bounds.RENDER_FONTS_BYTES),
        "E": 4096,
    }


def follow(sandbox: Sandbox, job: RenderJob, canceled: Callable[[], bool], seen: Watched) -> None:
    """Read the sandbox to its last frame, filling `seen`; raises Refusal. The caller kills and waits."""
    reader = FrameReader(frame_bounds(job))
    limits = job.limits
    next_look = 0.0
    while seen.end is None:
        chunk = sandbox.read(bounds.RENDER_WATCH_S)
        now = time.monotonic()
        if chunk == b"":
            if canceled():  # a stop may have reached the sandbox before us
                raise Refusal(Reason.CANCELED, "The render was canceled.")
            raise Refusal(Reason.LAUNCHER, "The sandbox ended without an answer.")
        try:
            for frame in reader.feed(chunk or b""):
                _take(frame, seen, job, now, sandbox)
        except Malformed as problem:
            raise Refusal(Reason.LAUNCHER, "The sandbox gave an unreadable answer.") from problem
        if seen.script_at is None:
            if now - sandbox.started > bounds.RENDER_LAUNCH_S:
                raise Refusal(
                    Reason.LAUNCHER,
                    f"The sandbox was not ready within {bounds.RENDER_LAUNCH_S} s.",
                    round(now - sandbox.started, 2),
                    bounds.RENDER_LAUNCH_S,
                )
        elif seen.end is None and now - seen.script_at > limits.wall_s:
            raise Refusal(
                Reason.TIMEOUT,
                f"The script ran longer than {limits.wall_s:g} s.",
                round(now - seen.script_at, 2),
                limits.wall_s,
            )
        memory = sandbox.memory_bytes()
        seen.peak_bytes = max(seen.peak_bytes, memory)
        if memory > limits.memory_mib * MIB:
            raise over_memory(memory, job)
        if now >= next_look:
            next_look = now + bounds.RENDER_POLL_S
            if canceled():
                raise Refusal(Reason.CANCELED, "The render was canceled.")
            check_host_memory()


def check_host_memory() -> None:
    """Raises LowMemory when the machine has less memory left than renders must leave alone."""
    available = host_available_mib()
    if available < bounds.RENDER_HOST_MEMORY_FLOOR_MIB:
        raise LowMemory(
            Reason.LAUNCHER,
            f"This machine has only {available:.0f} MiB of memory left; a render needs "
            f"{bounds.RENDER_HOST_MEMORY_FLOOR_MIB} MiB. Try again later.",
            round(available, 1),
            bounds.RENDER_HOST_MEMORY_FLOOR_MIB,
        )


def over_memory(used: int, job: RenderJob) -> Refusal:
    """The refusal of a script that took too much memory."""
    limit = job.limits.memory_mib
    return Refusal(Reason.MEMORY, f"The script used more than {limit} MiB of memory.", round(used / MIB, 1), limit)


def _take(frame: Frame, seen: Watched, job: RenderJob, now: float, sandbox: Sandbox) -> None:
    limits = job.limits
    match frame.kind:
        case "H":
            seen.harness = True
        case "S":
            seen.script_at = now
            seen.launch_ms = (now - sandbox.started) * 1000
        case "M":
            used, entries = frame.numbers()
            _check_files(used, entries, job)
        case "O":
            seen.printed += frame.body
            if len(seen.printed) > limits.output_bytes:
                raise Refusal(
                    Reason.OUTPUT,
                    f"The script printed more than {limits.output_bytes:,} bytes.",
                    len(seen.printed),
                    limits.output_bytes,
                )
        case "X":
            raise Refusal(
                Reason.PROBE,
                f"The measurements of the figure are longer than {limits.probe_bytes:,} bytes.",
                frame.numbers()[0],
                limits.probe_bytes,
            )
        case "C":
            seen.claims = frame.body
        case "P":
            seen.picture = frame.body
        case "E":
            seen.end = frame.facts()
            if seen.script_at is not None:
                seen.wall_ms = (now - seen.script_at) * 1000


def _check_files(used: int, entries: int, job: RenderJob) -> None:
    limits = job.limits
    if used > limits.file_budget_mib * MIB:
        raise Refusal(
            Reason.FILE_BUDGET,
            f"The script wrote more than {limits.file_budget_mib} MiB of files.",
            round(used / MIB, 1),
            limits.file_budget_mib,
        )
    if entries > limits.entries:
        raise Refusal(
            Reason.FILE_BUDGET,
            f"The script made more than {limits.entries:,} files and folders.",
            entries,
            limits.entries,
        )


def conclude(seen: Watched, job: RenderJob) -> RenderResult:
    """The result of a sandbox that came to its own end; raises Refusal."""
    end = seen.end or {}
    status, used, entries = (_whole(end.get(name)) for name in ("status", "used", "entries"))
    cpu_s = _whole(end.get("cpu_ms")) / 1000
    seen.peak_bytes = max(seen.peak_bytes, _whole(end.get("max_rss_kib")) * 1024)
    check_process(seen, job)
    _check_files(used, entries, job)
    said = _claims(seen, job) if end.get("ended") is True else None
    _check_end(status, cpu_s, said, seen, job)
    if said is None:
        raise Refusal(Reason.EXIT, "The script ended its process before its last line.", 0, 0)
    match end.get("picture"):
        case "ok":
            pass
        case "absent":
            raise Refusal(Reason.EXIT, f"The script ended without saving {job.output_name}.")
        case "large":
            raise Refusal(
                Reason.OUTPUT,
                f"{job.output_name} is larger than {bounds.RENDER_PICTURE_BYTES:,} bytes.",
                None,
                bounds.RENDER_PICTURE_BYTES,
            )
        case _:
            raise Refusal(Reason.OUTPUT, f"{job.output_name} is not an ordinary file.")
    try:
        size = picture.look(seen.picture, job.format, job.output_name)
    except picture.BadPicture as problem:
        raise Refusal(Reason.OUTPUT, str(problem), problem.measured, problem.limit) from problem
    detail = f"The figure could not be measured: {said.probe_error}." if said.probe_error else ""
    return RenderResult(
        theme=job.theme,
        picture=seen.picture,
        width=size.width,
        height=size.height,
        probe=said.probe,
        detail=detail,
        output=output.clean(bytes(seen.printed)),
        usage=usage(seen),
    )


def check_process(seen: Watched, job: RenderJob) -> None:
    """Raises Refusal when the script's process never came to the script: imports failed, or the filter was refused."""
    if seen.script_at is None:
        said = output.clean(bytes(seen.printed)).splitlines()
        why = f": {said[-1]}" if said else "."
        raise Refusal(Reason.LAUNCHER, f"The sandbox could not prepare the script's process{why}")


def usage(seen: Watched) -> dict[str, float]:
    """What the render took, as far as it is known."""
    found = {
        "launch_ms": round(seen.launch_ms, 1),
        "wall_ms": round(seen.wall_ms, 1),
        "memory_mib": round(seen.peak_bytes / MIB, 1),
    }
    if seen.end is not None:
        found["cpu_ms"] = float(_whole(seen.end.get("cpu_ms")))
    return found


def _claims(seen: Watched, job: RenderJob) -> claims.Claims:
    if len(seen.claims) > job.limits.probe_bytes:
        raise Refusal(
            Reason.PROBE,
            f"The measurements of the figure are longer than {job.limits.probe_bytes:,} bytes.",
            len(seen.claims),
            job.limits.probe_bytes,
        )
    try:
        return claims.read(seen.claims)
    except claims.Unreadable as problem:
        raise Refusal(Reason.PROBE, str(problem)) from problem


def _check_end(status: int, cpu_s: float, said: claims.Claims | None, seen: Watched, job: RenderJob) -> None:
    """Raises Refusal unless the script's process ended well."""
    limits = job.limits
    number = status & 0x7F
    if number:
        if number == signal.SIGXCPU or (number == signal.SIGKILL and cpu_s >= limits.cpu_s):
            raise Refusal(
                Reason.CPU,
                f"The script used more than {limits.cpu_s:g} s of processor time.",
                round(cpu_s, 2),
                limits.cpu_s,
            )
        name = signal.Signals(number).name if number in signal.valid_signals() else str(number)
        raise Refusal(Reason.SIGNAL, f"The script was ended by the signal {name}.", number, 0)
    code = status >> 8 & 0xFF
    if code == 0:
        return
    failed = said.failed if said else ""
    if failed in ("MemoryError", "_ArrayMemoryError"):
        raise Refusal(
            Reason.MEMORY,
            f"The script asked for more memory than the limit of {limits.memory_mib} MiB.",
            round(seen.peak_bytes / MIB, 1),
            limits.memory_mib,
        )
    detail = f"The script stopped with an error: {failed}." if failed else f"The script ended with exit code {code}."
    raise Refusal(Reason.EXIT, detail, code, 0)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
