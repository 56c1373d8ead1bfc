"""Small pictures: the catalogue's committed previews, and thumbnails of a person's own plots."""

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from PIL import Image

from agents_app import selectors
from agents_app.catalogue import catalogue
from agents_app.catalogue.spec import Spec
from agents_app.web import people
from agents_app.web.refused import answered

WIDTHS = (320, 640)
THUMBNAIL_WIDTH = 480
FOREVER = "max-age=31536000, immutable"


def picture(spec: Spec, library: str) -> dict[str, object] | None:
    """Context of a preview: `light` and `dark` with src and srcset, and the canvas's size; None without files."""
    themes: dict[str, dict[str, str]] = {}
    for theme in ("light", "dark"):
        urls = {
            width: f"/previews/{spec.id}/{library}-{theme}-{width}.webp?v={int(path.stat().st_mtime)}"
            for width in WIDTHS
            if (path := catalogue.preview_path(spec, library, theme, width))
        }
        if not urls:
            return None
        themes[theme] = {
            "src": urls[max(urls)],
            "srcset": ", ".join(f"{url} {width}w" for width, url in urls.items()),
        }
    height = 640 if spec.canvas == "square" else 360
    return {**themes, "canvas": spec.canvas, "width": 640, "height": height}


@lru_cache(maxsize=512)
def _bytes(path: Path, modified: float) -> bytes:
    """A preview's bytes, kept while the file stays the same."""
    return path.read_bytes()


@answered
def preview(request: HttpRequest, spec: str, library: str, theme: str, width: str) -> HttpResponse:
    """One committed WebP; the address carries its version, so it may be kept forever."""
    path = catalogue.preview_path(catalogue.get_spec(spec), library, theme, int(width))
    if path is None:
        raise Http404("There is no such preview.")
    answer = HttpResponse(_bytes(path, path.stat().st_mtime), content_type="image/webp")
    answer["Cache-Control"] = f"public, {FOREVER}"
    return answer


@answered
def thumbnail(request: HttpRequest, session: UUID, version: int, theme: str) -> HttpResponse:
    """A finished version's picture, 480 px wide; versions never change, so a browser keeps it."""
    found = selectors.version(people.owner(request), session, version)
    artifact = found.artifacts.filter(theme=theme, format="png").exclude(file="").first()
    if artifact is None:
        raise Http404("This version has no picture in this theme.")
    with artifact.file.open("rb") as file, Image.open(file) as image:
        image.thumbnail((THUMBNAIL_WIDTH, THUMBNAIL_WIDTH), reducing_gap=2.0)
        small = BytesIO()
        image.convert("RGB").save(small, "WEBP", quality=82, method=2)
    answer = HttpResponse(small.getvalue(), content_type="image/webp")
    answer["Cache-Control"] = f"private, {FOREVER}"
    return answer
