"""What runs inside the sandbox: take the job, run the script, measure the figure, hand over the picture.

Two processes. The *collector* is process 1 of the sandbox and trusted: it imports nothing of the script's
world, holds the scratch folder, counts what is written, reads what the script says, and hands over the
picture when the script's process is gone. The *script's process* is its child and trusted with nothing: it
imports matplotlib, puts the filter and the limits on itself and runs the script. What it reports about its
own figure is a claim; how it ended, what it used and which file it left is the collector's word.

No Django and nothing of the project but this file, `seccomp` and `probe`. Everything that is needed comes in
with the job. The frames that go to the host are described in `sandbox/frames.py`; the two must agree.
"""

import ctypes
import json
import os
import resource
import select
import signal
import stat
import struct
import sys
import time
import types
from typing import Any, NoReturn

SCRATCH = "/scratch"
WORK = SCRATCH + "/work"
CONFIG = SCRATCH + "/config"  # matplotlib's own folder; its font cache is mounted into it
SCRIPT_NAME = "plot.py"

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
MIB = 1 << 20
CHUNK = 1 << 16
# One file may pass the budget by this much, so that the measurement shows the excess and names the limit.
FILE_SLACK_MIB = 1
START = b"\x01start\n"
END = b"\x02end\n"


def main(job_fd: int, result_fd: int) -> None:
    """Serve the one job that lies in `job_fd`; answer in frames on `result_fd`."""
    # Nobody of the same user may look into the collector: neither its memory nor its descriptors.
    _prctl(PR_SET_DUMPABLE, 0)
    job, code, data = read_job(job_fd)
    send(result_fd, b"H", b"")
    os.makedirs(CONFIG, exist_ok=True)
    if job["mode"] == "fonts":
        _prepare_fonts(result_fd)
        return
    os.mkdir(WORK)
    os.chdir(WORK)
    _write(SCRIPT_NAME, code)
    if data:
        _write("data.csv", data)
    if job["mode"] == "check":
        code = b""
    Collector(job, code, result_fd).serve()


def read_job(job_fd: int) -> tuple[dict[str, Any], bytes, bytes]:
    """The job's header, script and data from an open file: u32 length, header as JSON, script, data."""
    with os.fdopen(job_fd, "rb") as file:
        (length,) = struct.unpack("<I", file.read(4))
        job = json.loads(file.read(length))
        return job, file.read(job["code_bytes"]), file.read(job["data_bytes"])


def send(fd: int, kind: bytes, body: bytes) -> None:
    """Write one frame: its kind, the length of its body, its body."""
    view = memoryview(struct.pack("<cI", kind, len(body)) + body)
    while view:
        view = view[os.write(fd, view) :]


def _write(name: str, content: bytes) -> None:
    with open(name, "xb") as file:
        file.write(content)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(f"prctl {option} was refused.")


# --- the collector ------------------------------------------------------------------------------


class Collector:
    """The trusted parent of the script's process."""

    def __init__(self, job: dict[str, Any], code: bytes, result_fd: int) -> None:
        self.job = job
        self.code = code
        self.result_fd = result_fd
        self.folder = os.open(WORK, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.claims = bytearray()
        self.claims_seen = 0
        self.output_seen = 0
        self.status: int | None = None
        self.usage: Any = None

    def serve(self) -> None:
        """Fork the script's process, watch it to its end, hand over what it left."""
        claims, claims_end = os.pipe()
        output, output_end = os.pipe()
        child = os.fork()
        if child == 0:
            run_script(self.job, self.code, claims_end, output_end)  # never returns
        os.close(claims_end)
        os.close(output_end)
        sources = {claims: self._take_claims, output: self._take_output}
        for source in sources:
            os.set_blocking(source, False)
        period = self.job["watch_s"]
        next_measure = 0.0
        end = os.pidfd_open(child)
        open_sources = [*sources, end]
        while self.status is None:
            # A script may close its pipes and run on: only its end is its end.
            ready = select.select(open_sources, [], [], period)[0]
            for source in ready:
                if source != end and not sources[source](source):
                    open_sources.remove(source)
            if time.monotonic() >= next_measure:
                send(self.result_fd, b"M", struct.pack("<QQ", *self.measure()))
                next_measure = time.monotonic() + period
            if end in ready:
                _, self.status, self.usage = os.wait4(child, 0)
        open_sources.remove(end)
        for source in open_sources:
            while sources[source](source):
                pass
        self._finish()

    def measure(self) -> tuple[int, int]:
        """Bytes and entries in use on the scratch volume: as the kernel counts them, deleted open files included."""
        volume = os.fstatvfs(self.folder)
        return (volume.f_blocks - volume.f_bfree) * volume.f_frsize, volume.f_files - volume.f_ffree

    def _read(self, source: int) -> bytes | None:
        """A chunk; None when there is nothing now; empty at the end."""
        try:
            return os.read(source, CHUNK)
        except BlockingIOError:
            return None

    def _take_claims(self, source: int) -> bool:
        chunk = self._read(source)
        if not chunk:
            return False
        before = self.claims_seen
        self.claims_seen += len(chunk)
        limit = self.job["probe_bytes"] + len(START) + len(END) + 2 * len(self.job["nonce"])
        if self.claims_seen > limit:
            # The host decides; this process only keeps no more than is allowed.
            if before <= limit:
                send(self.result_fd, b"X", struct.pack("<Q", self.claims_seen))
            return True
        self.claims += chunk
        if before < len(START) <= self.claims_seen and self.claims.startswith(START):
            send(self.result_fd, b"S", b"")
        return True

    def _take_output(self, source: int) -> bool:
        chunk = self._read(source)
        if not chunk:
            return False
        room = self.job["output_bytes"] + 1 - self.output_seen
        self.output_seen += len(chunk)
        if room > 0:
            send(self.result_fd, b"O", chunk[:room])
        return True

    def _finish(self) -> None:
        used, entries = self.measure()
        picture, found = b"", "refused"
        ended = bytes(self.claims).startswith(START) and bytes(self.claims).endswith(self._end_mark())
        claims = bytes(self.claims)[len(START) : -len(self._end_mark())] if ended else b""
        # Over budget: nothing is collected.
        if used <= self.job["file_budget_bytes"] and entries <= self.job["entries"]:
            picture, found = self._picture()
        end = {
            "status": self.status,
            "ended": ended,
            "cpu_ms": round((self.usage.ru_utime + self.usage.ru_stime) * 1000),
            "max_rss_kib": self.usage.ru_maxrss,
            "used": used,
            "entries": entries,
            "picture": found,
        }
        send(self.result_fd, b"C", claims)
        send(self.result_fd, b"P", picture)
        send(self.result_fd, b"E", json.dumps(end).encode())

    def _end_mark(self) -> bytes:
        return END + str(self.job["nonce"]).encode()

    def _picture(self) -> tuple[bytes, str]:
        """The one file that is collected, and a word for what was found: ok, absent, irregular, large."""
        try:
            # Without following a link, and without waiting for the other end of a FIFO.
            file = os.open(self.job["output_name"], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.folder)
        except FileNotFoundError:
            return b"", "absent"
        except OSError:
            return b"", "irregular"
        try:
            facts = os.fstat(file)
            if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
                return b"", "irregular"
            if facts.st_size > self.job["picture_bytes"]:
                return b"", "large"
            parts = []
            left = facts.st_size
            while left > 0 and (chunk := os.read(file, min(left, MIB))):
                parts.append(chunk)
                left -= len(chunk)
            return b"".join(parts), "ok"
        finally:
            os.close(file)


def _prepare_fonts(result_fd: int) -> None:
    """Build matplotlib's font list over the fonts that renders will see, and hand the file over."""
    import matplotlib.font_manager as fonts

    name = f"fontlist-v{fonts.FontManager.__version__}.json"
    with open(os.path.join(CONFIG, name), "rb") as file:
        send(result_fd, b"P", file.read())
    send(result_fd, b"E", json.dumps({"name": name}).encode())


# --- the script's process ---------------------------------------------------------------------------


def run_script(job: dict[str, Any], code: bytes, claims_fd: int, output_fd: int) -> NoReturn:
    """Be the script's process to its end. Nothing that happens here may reach the collector's code."""
    exit_code = 1
    try:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        claims_fd = os.dup2(claims_fd, 3)
        os.closerange(4, 4096)
        exit_code = _run_script(job, code, claims_fd)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        # No clean-up of the script's making runs: exit handlers, threads, destructors.
        os._exit(exit_code)


def _run_script(job: dict[str, Any], code: bytes, claims_fd: int) -> int:
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, job["open_files"])
    _limit(resource.RLIMIT_FSIZE, job["file_budget_bytes"] + FILE_SLACK_MIB * MIB)
    saved = Saved(job) if job["mode"] == "render" else None
    if saved is not None:
        saved.watch()
    # Imports are ours: the script's limits start here.
    spent = resource.getrusage(resource.RUSAGE_SELF)
    cpu = int(spent.ru_utime + spent.ru_stime + job["cpu_s"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    _limit(resource.RLIMIT_AS, _address_space() + job["memory_bytes"])
    from renderer_app import seccomp

    seccomp.install()
    os.write(claims_fd, START)
    failed = "" if job["mode"] == "check" else execute(code)
    claims = {"failed": failed, "probe": saved.probe if saved else None, "probe_error": saved.error if saved else ""}
    sys.stdout.flush()
    sys.stderr.flush()
    body = memoryview(_dump(claims) + END + job["nonce"].encode())
    while body:
        body = body[os.write(claims_fd, body) :]
    return 1 if failed else 0


def execute(code: bytes) -> str:
    """Run the script as `__main__`; the name of the exception that ended it, or an empty text."""
    module = types.ModuleType("__main__")
    module.__file__ = SCRIPT_NAME
    sys.modules["__main__"] = module
    sys.argv = [SCRIPT_NAME]
    try:
        exec(compile(code, SCRIPT_NAME, "exec", dont_inherit=True), module.__dict__)
    except SystemExit as leaving:
        if leaving.code in (None, 0):
            return ""
        print(f"The script ended itself: {leaving.code}", file=sys.stderr)
        return "SystemExit"
    except BaseException as problem:
        _explain(problem)
        return type(problem).__name__
    return ""


def _explain(problem: BaseException) -> None:
    """Print the traceback as far as it is the script's own: a person can mend those lines."""
    import traceback

    try:
        story = traceback.TracebackException.from_exception(problem, limit=-200)
        link: traceback.TracebackException | None = story
        while link is not None:
            own = [frame for frame in link.stack if frame.filename == SCRIPT_NAME]
            link.stack = traceback.StackSummary.from_list(own[-20:])
            link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
        sys.stderr.write("".join(story.format()))
    except BaseException:  # even the failure may fail: by lack of memory, by a __str__ of the script's making
        sys.stderr.write(f"{type(problem).__name__}\n")


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def _address_space() -> int:
    """Bytes of address space in use: libraries reserve far more than they touch."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _dump(claims: dict[str, Any]) -> bytes:
    try:
        return json.dumps(claims, allow_nan=False).encode()
    except Exception as problem:
        claims = {**claims, "probe": None, "probe_error": f"{type(problem).__name__} in the measurements"}
        return json.dumps(claims).encode()


class Saved:
    """Sees every save of the expected picture, and keeps the measurements of the last one."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.picture = f"plot-{job['theme']}.png"
        self.probe: dict[str, Any] | None = None
        self.error = ""

    def watch(self) -> None:
        """Wrap matplotlib's saving: the wanted format, the fast encoder, the measurement."""
        import functools

        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        from renderer_app.probe import measure

        figures: Any = Figure
        canvases: Any = FigureCanvasAgg
        save, draw_png = figures.savefig, canvases.print_png

        @functools.wraps(save)
        def savefig(figure: Any, fname: Any, *args: Any, **options: Any) -> Any:
            if self.job["format"] != "png" and self._expected(fname):
                fname = os.fspath(fname)[: -len("png")] + self.job["format"]
                for png_only in ("format", "pil_kwargs", "metadata"):
                    options.pop(png_only, None)
            return save(figure, fname, *args, **options)

        @functools.wraps(draw_png)
        def print_png(canvas: Any, filename_or_obj: Any, *, metadata: Any = None, pil_kwargs: Any = None) -> Any:
            # Run-length encoding: the same pixels in a third of the time.
            fast = {"compress_type": 3, "compress_level": 1, **(pil_kwargs or {})}
            result = draw_png(canvas, filename_or_obj, metadata=metadata, pil_kwargs=fast)
            if self._expected(filename_or_obj):
                self._measure(canvas, measure)
            return result

        figures.savefig = savefig
        canvases.print_png = print_png

    def _expected(self, target: Any) -> bool:
        return isinstance(target, str | os.PathLike) and os.path.basename(os.fspath(target)) == self.picture

    def _measure(self, canvas: Any, measure: Any) -> None:
        # Here the figure still has the resolution at which it is saved, and the renderer that drew it.
        width, height = canvas.get_width_height(physical=True)
        try:
            self.probe, self.error = measure(canvas.figure, width=width, height=height), ""
        except Exception as problem:
            self.probe, self.error = None, f"{type(problem).__name__}: {problem}"[:500]
