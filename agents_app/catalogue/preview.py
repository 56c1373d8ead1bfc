"""The pictures of the gallery: each script's own example, drawn in the sandbox, committed small.

`previews/index.json` holds the hash of the script that each picture was drawn from, so that a test can say
which are behind.
"""

import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from agents_app.catalogue import catalogue
from agents_app.catalogue.spec import Spec
from anyplot_site import bounds
from renderer_app import sandbox, themes
from renderer_app.contract import RenderJob

INDEX = "index.json"
QUALITIES = (88, 80, 72, 64, 56, 48)  # tried in this order until a picture is small enough


class PreviewFailed(Exception):
    """A script whose example could not be drawn; says why."""


def script_hash(script: str) -> str:
    """What the index keeps of a script."""
    return hashlib.sha256(script.encode()).hexdigest()[:16]


def index() -> dict[str, str]:
    """`{"<spec>/<library>": hash}` of the scripts that the committed pictures were drawn from."""
    path = catalogue.PREVIEWS / INDEX
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def behind(specs: list[Spec]) -> list[tuple[Spec, str]]:
    """The pairs whose script has changed since its pictures were drawn, or which lack a picture."""
    known = index()
    return [
        (spec, library)
        for spec in specs
        for library in spec.libraries
        if known.get(f"{spec.id}/{library}") != script_hash(catalogue.script(spec, library))
        or any(
            catalogue.preview_path(spec, library, theme, width) is None
            for theme in themes.THEMES
            for width in bounds.PREVIEW_WIDTHS_PX
        )
    ]


def draw(spec: Spec, library: str) -> Iterator[Path]:
    """Draw the pair's example in both themes, write its pictures and its line of the index; yields each path.

    Raises PreviewFailed with the renderer's sentence.
    """
    script = catalogue.script(spec, library)
    for theme in themes.THEMES:
        result = sandbox.run(RenderJob(f"preview-{spec.id}-{library}", theme, script))
        if result.picture is None:
            raise PreviewFailed(f"{spec.id} in {library}, {theme}: {result.detail}\n{result.output}".rstrip())
        size = (result.width, result.height)
        if size != themes.CANVASES[spec.canvas]:
            raise PreviewFailed(f"{spec.id} in {library}, {theme}: the picture is {size}, not its canvas.")
        for width in bounds.PREVIEW_WIDTHS_PX:
            path = catalogue.PREVIEWS / spec.id / f"{library}-{theme}-{width}.webp"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(webp(result.picture, width))
            yield path
    known = index() | {f"{spec.id}/{library}": script_hash(script)}
    text = json.dumps(dict(sorted(known.items())), indent=2)
    (catalogue.PREVIEWS / INDEX).write_text(text + "\n", encoding="utf-8")


def webp(png: bytes, width: int) -> bytes:
    """A PNG as a WebP of that width in pixels, of the best quality that stays small."""
    with Image.open(io.BytesIO(png)) as picture:
        height = round(picture.height * width / picture.width)
        small = picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    data = b""
    for quality in QUALITIES:
        out = io.BytesIO()
        small.save(out, "WEBP", quality=quality, method=6)
        data = out.getvalue()
        if len(data) <= bounds.PREVIEW_BYTES:
            break
    return data
