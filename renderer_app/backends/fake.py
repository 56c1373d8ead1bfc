"""Backend `fake`: no sandbox and no script, a small picture of the right size at once (tests, looking at pages).

What it draws and measures follows from the script's constants: canvas, theme, title and labels. A failure can
be planned by `plan`, or written into the script as a comment: `# fake: timeout`.
"""

import ast
import io
import re
import threading
from collections.abc import Callable
from typing import Any

from anyplot_site import bounds
from renderer_app import themes
from renderer_app.contract import Purpose, Reason, RenderJob, RenderResult
from renderer_app.sandbox import never

Planned = RenderResult | Exception | Callable[[RenderJob], RenderResult]

_plans: list[Planned] = []
_lock = threading.Lock()
jobs: list[RenderJob] = []  # what was asked for, newest last; tests read it
_KEEP = 100
_FAILURE = re.compile(r"^# fake: (\w+)$", re.MULTILINE)
_SIZE = re.compile(r"figsize=\(\s*([\d.]+)\s*,\s*([\d.]+)\s*\)")
# In shares of the canvas: a data area with three bars, left, bottom, right, top of each.
_AREA = (0.12, 0.14, 0.96, 0.88)
_BARS = ((0.2, 0.14, 0.35, 0.5), (0.45, 0.14, 0.6, 0.8), (0.7, 0.14, 0.85, 0.65))


def plan(*outcomes: Planned) -> None:
    """The next renders come to these ends, in order: a result, an exception to raise, or a function of the job."""
    with _lock:
        _plans.extend(outcomes)


def forget() -> None:
    """No plans and no memory of jobs."""
    with _lock:
        _plans.clear()
        jobs.clear()


class FakeBackend:
    """Deterministic and immediate."""

    def render(
        self, job: RenderJob, *, purpose: Purpose, wait_s: float, canceled: Callable[[], bool] = never
    ) -> RenderResult:
        """See `Backend.render`; nothing is ever waited for."""
        with _lock:
            jobs.append(job)
            del jobs[:-_KEEP]
            planned = _plans.pop(0) if _plans else None
        if canceled():
            return RenderResult(theme=job.theme, reason=Reason.CANCELED, detail="The render was canceled.")
        if isinstance(planned, Exception):
            raise planned
        if isinstance(planned, RenderResult):
            return planned
        if planned is not None:
            return planned(job)
        if found := _FAILURE.search(job.code):
            return failure(job, Reason(found[1]))
        return picture(job)

    def status(self) -> dict[str, Any]:
        """Always there, and honest about what it is."""
        return {
            "backend": "fake",
            "sandbox": "none",
            "tier": "none",
            "available": True,
            "detail": "Pictures are placeholders; no script runs.",
        }


def failure(job: RenderJob, reason: Reason) -> RenderResult:
    """A plausible refusal for `reason`."""
    told: dict[Reason, tuple[float | None, float | None, str]] = {
        Reason.TIMEOUT: (
            job.limits.wall_s + 0.1,
            job.limits.wall_s,
            f"The script ran longer than {job.limits.wall_s:g} s.",
        ),
        Reason.MEMORY: (
            job.limits.memory_mib + 12.0,
            job.limits.memory_mib,
            f"The script used more than {job.limits.memory_mib} MiB of memory.",
        ),
        Reason.EXIT: (1, 0, "The script stopped with an error: ValueError."),
        Reason.LAUNCHER: (None, None, "The sandbox could not be started."),
        Reason.CANCELED: (None, None, "The render was canceled."),
    }
    measured, limit, detail = told.get(reason, (None, None, f"The render was refused: {reason}."))
    output = (
        'Traceback (most recent call last):\n  File "plot.py", line 1\nValueError: planned'
        if reason is Reason.EXIT
        else ""
    )
    return RenderResult(job.theme, reason=reason, measured=measured, limit=limit, detail=detail, output=output)


def picture(job: RenderJob) -> RenderResult:
    """A picture of the exact canvas with three bars, and the measurements that belong to it."""
    from PIL import Image, ImageDraw

    width, height = _canvas(job.code)
    theme = themes.THEMES[job.theme]
    if job.format != "png":
        content = _vector(job.format, width, height, theme.page)
        return RenderResult(job.theme, picture=content, usage={"wall_ms": 1.0})
    image = Image.new("RGB", (width, height), theme.page)
    draw = ImageDraw.Draw(image)
    left, bottom, right, top = _px(_AREA, width, height)
    draw.line([(left, height - top), (left, height - bottom), (right, height - bottom)], fill=theme.ink, width=4)
    for x0, y0, x1, y1 in (_px(bar, width, height) for bar in _BARS):
        draw.rectangle((x0, height - y1, x1, height - y0), fill=themes.PALETTE[0], outline=theme.ink, width=3)
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return RenderResult(
        job.theme,
        picture=file.getvalue(),
        width=width,
        height=height,
        probe=_probe(job, width, height),
        usage={"wall_ms": 1.0, "cpu_ms": 1.0, "memory_mib": 1.0, "launch_ms": 1.0},
    )


def _px(box: tuple[float, float, float, float], width: int, height: int) -> tuple[int, int, int, int]:
    return round(box[0] * width), round(box[1] * height), round(box[2] * width), round(box[3] * height)


def _canvas(code: str) -> tuple[int, int]:
    if found := _SIZE.search(code):
        return round(float(found[1]) * bounds.CANVAS_DPI), round(float(found[2]) * bounds.CANVAS_DPI)
    return bounds.CANVAS_LANDSCAPE_PX


def _constants(code: str) -> dict[str, str]:
    """The script's constants that are texts."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return {}
    return {
        target.id: node.value.value
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _probe(job: RenderJob, width: int, height: int) -> dict[str, Any]:
    constants = _constants(job.code)
    ink = themes.THEMES[job.theme].ink
    texts = []
    for role, name, x, y, size in (
        ("title", "TITLE", 0.3, 0.91, 12.0),
        ("xlabel", "X_LABEL", 0.45, 0.02, 10.0),
        ("ylabel", "Y_LABEL", 0.01, 0.45, 10.0),
    ):
        if text := constants.get(name, ""):
            x0, y0, x1, y1 = _px((x, y, x + (0.03 if role == "ylabel" else 0.3), y + 0.05), width, height)
            quad = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
            rotation = 90.0 if role == "ylabel" else 0.0
            texts.append(
                {
                    "text": text,
                    "role": role,
                    "axes": 0,
                    "quad": quad,
                    "size_pt": size,
                    "color": ink,
                    "rotation": rotation,
                }
            )
    marks = [{"kind": "bars", "count": 3, "label": None, "colors": [themes.PALETTE[0]], "values": {}}]
    axes = {
        "index": 0,
        "bbox": list(_px(_AREA, width, height)),
        "xscale": "linear",
        "yscale": "linear",
        "xlim": [0.0, 1.0],
        "ylim": [0.0, 1.0],
        "title": constants.get("TITLE") or None,
        "xlabel": constants.get("X_LABEL") or None,
        "ylabel": constants.get("Y_LABEL") or None,
        "polar": False,
        "marks": marks,
    }
    return {
        "canvas": {"width": width, "height": height, "dpi": bounds.CANVAS_DPI},
        "figure_title": None,
        "axes": [axes],
        "texts": texts,
        "legends": [],
        "marks_total": 3,
    }


_PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
%%EOF
"""
_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">
<rect width="100%" height="100%" fill="{page}"/>
</svg>
"""


def _vector(picture_format: str, width: int, height: int, page: str) -> bytes:
    return _PDF if picture_format == "pdf" else _SVG.format(width=width, height=height, page=page).encode()
