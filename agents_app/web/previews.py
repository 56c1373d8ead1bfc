"""Small pictures: the catalogue's committed previews, and thumbnails of a person's own plots."""

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from PIL import Image

from agents_app import selectors, shapes
from agents_app.catalogue import catalogue
from agents_app.catalogue.spec import Spec
from agents_app.web import people
from agents_app.web.refused import answered
from anyplot_site import bounds

THUMBNAIL_WIDTH = 480
FOREVER = "max-age=31536000, immutable"


def picture(spec: Spec, library: str) -> dict[str, object] | None:
    """Context of a preview: `light` and `dark` with src and srcset, and the canvas's size; None without files."""
    themes: dict[str, dict[str, str]] = {}
    for theme in ("light", "dark"):
        urls = {
            width: url
            for width in sorted(bounds.PREVIEW_WIDTHS_PX)
            if (url := shapes.preview_url(spec, library, theme, width))
        }
        if not urls:
            return None
        themes[theme] = {
            "src": urls[max(urls)],
            "srcset": ", ".join(f"{url} {width}w" for width, url in urls.items()),
        }
    width = max(bounds.PREVIEW_WIDTHS_PX)
    height = width if spec.canvas == "square" else width * 9 // 16
    return {**themes, "canvas": spec.canvas, "width": width, "height": height}


@lru_cache(maxsize=512)
def _bytes(path: Path, modified: float) -> bytes:
    """A preview's bytes, kept while the file stays the same."""
    return path.read_bytes()


@answered
def preview(request: HttpRequest, spec: str, library: str, theme: str, width: str) -> HttpResponse:
    """One committed WebP; it may be kept forever under an address that carries its version."""
    path = catalogue.preview_path(catalogue.get_spec(spec), library, theme, int(width))
    if path is None:
        raise Http404("There is no such preview.")
    answer = HttpResponse(_bytes(path, path.stat().st_mtime), content_type="image/webp")
    versioned = request.GET.get("v") == shapes.preview_version(path)
    answer["Cache-Control"] = f"public, {FOREVER if versioned else 'no-cache'}"
    return answer


@answered
def thumbnail(request: HttpRequest, session: UUID, version: int, theme: str) -> HttpResponse:
    """A finished version's picture, 480 px wide; versions never change, so a browser keeps it.

    Version 0 is the latest elsewhere; here it would be kept as a picture that it soon is not.
    """
    if version == 0:
        raise Http404("A thumbnail is of one version.")
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
