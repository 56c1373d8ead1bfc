"""The first look at a picture, before anything decodes it."""

import struct
from dataclasses import dataclass

from anyplot_site import bounds

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class BadPicture(Exception):
    """Not a picture of its format; the message is a sentence, `measured` and `limit` say by how much where known."""

    def __init__(self, detail: str, measured: float | None = None, limit: float | None = None) -> None:
        super().__init__(detail)
        self.measured = measured
        self.limit = limit


@dataclass(frozen=True)
class Size:
    """Width and height in pixels; None for formats without pixels."""

    width: int | None = None
    height: int | None = None


def look(content: bytes, picture_format: str, name: str) -> Size:
    """The size of the picture `name`, read from its header alone; raises BadPicture."""
    if picture_format == "svg":
        if b"<svg" not in content[:4096]:
            raise BadPicture(f"{name} is no SVG picture.")
        return Size()
    if picture_format == "pdf":
        if not content.startswith(b"%PDF-"):
            raise BadPicture(f"{name} is no PDF document.")
        return Size()
    if not content.startswith(PNG_SIGNATURE) or content[12:16] != b"IHDR" or len(content) < 33:
        raise BadPicture(f"{name} is no PNG picture.")
    width, height = struct.unpack(">II", content[16:24])
    if not width or not height:
        raise BadPicture(f"{name} has no pixels.")
    if width * height > bounds.RENDER_PIXELS:
        # A small file can ask for gigabytes of pixels.
        raise BadPicture(
            f"{name} has {width * height:,} pixels; at most {bounds.RENDER_PIXELS:,} are allowed.",
            width * height,
            bounds.RENDER_PIXELS,
        )
    return Size(width, height)
