"""What goes into a render and what comes out: frozen and validated at the border.

A render is one theme of one script. The renderer knows neither users nor models; it runs the code,
measures the drawn figure, and hands over the picture. Verdicts are made elsewhere.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from anyplot_site import bounds
from renderer_app import themes


class Reason(StrEnum):
    """Why a render gave no picture (RE3)."""

    TIMEOUT = "timeout"
    CPU = "cpu"
    MEMORY = "memory"
    FILE_BUDGET = "file_budget"
    OUTPUT = "output"
    PROBE = "probe"
    EXIT = "exit"
    SIGNAL = "signal"
    LAUNCHER = "launcher"
    CANCELED = "canceled"
    DEADLINE = "deadline"


# These say nothing about the script: they are never recorded as its failure (TO5).
INFRASTRUCTURE = frozenset({Reason.LAUNCHER, Reason.CANCELED, Reason.DEADLINE})


class Purpose(StrEnum):
    """Who waits for a render; the order is the order of service (SL2)."""

    PIPELINE = "pipeline"
    TOGGLE = "toggle"
    IDLE = "idle"


PURPOSE_ORDER = (Purpose.PIPELINE, Purpose.TOGGLE, Purpose.IDLE)
FORMATS = ("png", "svg", "pdf")


class RendererUnavailable(Exception):
    """The renderer could not be asked at all; nothing is known about the script."""


class RendererBusy(Exception):
    """No render slot came free within the wait (SL3)."""


@dataclass(frozen=True)
class Limits:
    """What one render may use (RE3). MiB are 1,048,576 bytes, seconds are wall or CPU seconds."""

    wall_s: float = bounds.RENDER_WALL_S
    cpu_s: float = bounds.RENDER_CPU_S
    memory_mib: int = bounds.RENDER_MEMORY_MIB
    file_budget_mib: int = bounds.RENDER_FILE_BUDGET_MIB
    entries: int = bounds.RENDER_ENTRIES
    scratch_mib: int = bounds.RENDER_SCRATCH_MIB
    output_bytes: int = bounds.RENDER_OUTPUT_BYTES
    probe_bytes: int = bounds.RENDER_PROBE_BYTES


@dataclass(frozen=True)
class RenderJob:
    """One script, its data and one theme.

    `code` is the whole `plot.py`; it finds `data` as `data.csv` in its working folder (empty data: no
    such file) and saves `plot-<theme>.<format>` there. Raises ValueError on an unknown theme or format,
    an empty or oversized script.
    """

    job_id: str
    theme: str
    code: str
    data: bytes = b""
    format: str = "png"
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.theme not in themes.THEMES:
            raise ValueError(f"Unknown theme {self.theme!r}: light or dark.")
        if self.format not in FORMATS:
            raise ValueError(f"Unknown format {self.format!r}: png, svg or pdf.")
        size = len(self.code.encode())
        if not 0 < size <= bounds.SCRIPT_BYTES:
            raise ValueError(f"The script has {size} bytes; between 1 and {bounds.SCRIPT_BYTES} are allowed.")

    @property
    def output_name(self) -> str:
        """The only file name that is collected."""
        return f"plot-{self.theme}.{self.format}"


@dataclass(frozen=True)
class RenderResult:
    """What came of a render.

    `picture` is the file as written (PNG: header and pixel count already checked, width and height in
    pixels; SVG and PDF: width and height None) or None. `probe` holds the measurements of the drawn
    figure (see `renderer_app/probe/`), or None. `reason` is None when the script ran to its end and left
    its picture; else `measured` and `limit` say by how much, in the unit that `detail` names, and `detail`
    is a sentence for a person. `output` is the end of what the script printed, paths stripped. `usage` has
    `wall_ms`, `cpu_ms`, `memory_mib`, `launch_ms` where known. `attempts` counts sandbox launches (RE6).
    """

    theme: str
    picture: bytes | None = None
    width: int | None = None
    height: int | None = None
    probe: dict[str, Any] | None = None
    reason: Reason | None = None
    measured: float | None = None
    limit: float | None = None
    detail: str = ""
    output: str = ""
    usage: dict[str, float] = field(default_factory=dict)
    attempts: int = 1

    @property
    def ok(self) -> bool:
        """True when there is a picture and nothing was refused."""
        return self.reason is None and self.picture is not None
