"""Measurements and pictures made by hand."""

import io
from dataclasses import dataclass
from typing import Any

import pandas as pd
from PIL import Image, ImageDraw

from agents_app.catalogue.spec import Option, Role, Spec
from renderer_app import themes

BARS = Spec(
    id="hand-made",
    title="Hand-made",
    family="bar",
    folder=None,  # type: ignore[arg-type]
    roles=(Role("category", ("categorical",)), Role("value", ("numeric",)), Role("group", ("any",), False, color=True)),
    options=(
        Option("HORIZONTAL", "boolean", False, effect="swap_axes"),
        Option("VALUE_SCALE", "choice", "linear", ("linear", "log"), effect="scale:y"),
    ),
    grain=("category",),
    axes={"x": "category", "y": "value", "legend": "group"},
)


@dataclass
class Values:
    """What a table comes to, as `recipe.transforms.Prepared` has it."""

    frame: pd.DataFrame
    rows: dict[str, Any]


def png(size=(3200, 1800), *, theme="light", boxes=(), color=None) -> bytes:
    """A page in the theme's color with filled boxes (x0, y0, x1, y1, origin bottom left)."""
    image = Image.new("RGB", size, color or themes.THEMES[theme].page)
    pen = ImageDraw.Draw(image)
    for x0, y0, x1, y1 in boxes:
        pen.rectangle((x0, size[1] - y1, x1, size[1] - y0), fill=themes.PALETTE[0])
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def text(content: str, role: str, x: float, y: float, width: float = 100, height: float = 40, axes: Any = 0) -> dict:
    """A level text with its lower left corner at (x, y)."""
    quad = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    return {"text": content, "role": role, "axes": axes, "quad": quad, "size_pt": 8, "color": "#1A1A17", "rotation": 0}


def bars(heights: list[float | None], **more: Any) -> dict:
    """Upright bars of width 0.8 at 0, 1, 2, …"""
    values = {
        "x": [number - 0.4 for number in range(len(heights))],
        "y": [0.0] * len(heights),
        "width": [0.8] * len(heights),
        "height": heights,
    }
    present = [height for height in heights if height is not None]
    summary = {"height": {"count": len(present), "min": min(present, default=None), "max": max(present, default=None)}}
    base = {"kind": "bars", "count": len(heights), "inside": len(heights), "values": values, "summary": summary}
    return {**base, "orientation": "vertical", "cut": 0, "colors": ["#009E73"], **more}


def probe(marks: list[dict] | None = None, texts: list[dict] | None = None, **more: Any) -> dict:
    """Measurements of a landscape figure with one axes."""
    axes = {
        "index": 0,
        "bbox": [400, 300, 3000, 1600],
        "xlim": [-0.5, 2.5],
        "ylim": [0, 10],
        "xscale": "linear",
        "yscale": "linear",
        "title": "Value by category",
        "xlabel": "Category",
        "ylabel": "Value (€)",
        "marks": [bars([1.0, 2.0, 3.0])] if marks is None else marks,
    }
    canvas = {"width": 3200, "height": 1800, "dpi": 400}
    return {"canvas": canvas, "axes": [{**axes, **more.pop("axes", {})}], "texts": texts or [], "legends": [], **more}
