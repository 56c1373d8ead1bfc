"""What the host sees in the picture itself, independent of anything that the sandbox says about it."""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from anyplot_site import bounds
from renderer_app import themes

PNG_END = b"IEND\xaeB`\x82"
SAMPLE_STEP = 3  # every third pixel of every third row: the thinnest spine is four pixels wide
NEAR = 12  # channel difference below which a pixel counts as the background's


@dataclass(frozen=True)
class Decoded:
    """A decoded picture, or the sentence that says why it could not be decoded (`error`).

    `sample` is every third pixel as RGB (rows top first); `ink_share` the share of it that is not the page.
    """

    error: str = ""
    width: int = 0
    height: int = 0
    ink_share: float = 0.0
    sample: Any = None
    theme: str = "light"

    def data_ink_px(self, area: tuple[float, float, float, float], covered: list[tuple[float, ...]]) -> int:
        """Pixels inside `area` (x0, y0, x1, y1, origin bottom left) that stand out more than a grid line would.

        The background is the area's most frequent color. What texts and legends cover (`covered` boxes) does
        not count.
        """
        rows, columns = self._cells(area, shrink=2)
        shown = self.sample[rows, columns]
        if shown.size == 0:
            return 0
        background = _most_frequent(shown)
        theme = themes.THEMES[self.theme]
        grid = max(abs(a - b) for a, b in zip(_rgb(theme.rule), _rgb(theme.page), strict=True))
        stands_out = _difference(shown, background) > grid + NEAR
        for box in covered:
            x0, y0, x1, y1 = box
            above, beside = self._cells((x0, y0, x1, y1))
            stands_out[
                max(above.start - rows.start, 0) : max(above.stop - rows.start, 0),
                max(beside.start - columns.start, 0) : max(beside.stop - columns.start, 0),
            ] = False
        return int(stands_out.sum()) * SAMPLE_STEP**2

    def _cells(self, area: tuple[float, float, float, float], shrink: int = 0) -> tuple[slice, slice]:
        """Rows and columns of the sample that `area` covers, `shrink` cells less on each side."""
        height, width = self.sample.shape[:2]
        across, down = width / max(self.width, 1), height / max(self.height, 1)
        x0, y0, x1, y1 = area
        left, right = int(x0 * across) + shrink, int(x1 * across) + 1 - shrink
        top, bottom = int((self.height - y1) * down) + shrink, int((self.height - y0) * down) + 1 - shrink
        return (
            slice(min(max(top, 0), height), min(max(bottom, 0), height)),
            slice(min(max(left, 0), width), min(max(right, 0), width)),
        )


def decode(data: bytes, theme: str) -> Decoded:
    """Decode a PNG whole and measure its ink against the theme's page color.

    Everything that is not exactly one PNG picture of a bearable size is an `error`, never an exception.
    """
    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as opened:
            width, height = opened.size
            if width * height > bounds.RENDER_PIXELS:
                return Decoded(
                    error=f"The picture has {width * height} pixels; at most {bounds.RENDER_PIXELS} are read."
                )
            if getattr(opened, "n_frames", 1) != 1:
                return Decoded(error="The file holds several pictures; one was expected.")
            opened.load()
            image: Image.Image = opened if opened.mode in ("RGB", "RGBA") else opened.convert("RGBA")
            # Sampled before it becomes an array: a whole array is 23 MB of copying.
            small = (max(1, width // SAMPLE_STEP), max(1, height // SAMPLE_STEP))
            sample = np.asarray(image.resize(small, Image.Resampling.NEAREST))
    except Image.UnidentifiedImageError:
        return Decoded(error="The file is not a PNG picture.")
    except Exception as error:  # decoders raise what they like; the kind of error is enough
        return Decoded(error=f"The picture can't be decoded ({type(error).__name__}).")
    if not data.endswith(PNG_END):
        return Decoded(error="The file goes on after the end of the picture.")
    page = _rgb(themes.THEMES[theme].page)
    if sample.shape[2] == 4:
        sample = _over(sample, page)
    return Decoded(
        width=width,
        height=height,
        ink_share=float((_difference(sample, page) > NEAR).mean()),
        sample=sample,
        theme=theme,
    )


def pad(data: bytes, canvas: tuple[int, int], theme: str) -> bytes:
    """The picture in the middle of an exact canvas, the rest in the page color; a surplus is cut off evenly."""
    with Image.open(io.BytesIO(data), formats=("PNG",)) as opened:
        image = opened.convert("RGBA")
    page = Image.new("RGBA", canvas, (*_rgb(themes.THEMES[theme].page), 255))
    page.paste(image, ((canvas[0] - image.width) // 2, (canvas[1] - image.height) // 2), image)
    out = io.BytesIO()
    page.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _over(sample: Any, page: tuple[int, int, int]) -> Any:
    """RGBA pixels over the page color."""
    alpha = sample[:, :, 3:]
    if alpha.min() == 255:
        return sample[:, :, :3]
    share = alpha.astype(np.float32) / 255
    return (sample[:, :, :3] * share + np.array(page, dtype=np.float32) * (1 - share)).astype(np.uint8)


def _difference(pixels: Any, color: tuple[int, int, int]) -> Any:
    """The largest channel difference of each pixel, channel by channel (half the time of one whole-array step)."""
    found = np.zeros(pixels.shape[:2], dtype=np.uint8)
    for channel in range(3):
        values, level = pixels[:, :, channel], color[channel]
        np.maximum(found, np.where(values > level, values - level, level - values), out=found)
    return found


def _most_frequent(pixels: Any) -> tuple[int, int, int]:
    """The color that most pixels have, told apart by the upper five bits of each channel."""
    red, green, blue = (pixels[:, :, channel].astype(np.uint16) >> 3 for channel in range(3))
    keys = ((red << 10) | (green << 5) | blue).ravel()
    common = int(np.bincount(keys).argmax())
    row, column = divmod(int((keys == common).argmax()), pixels.shape[1])
    shown = pixels[row, column]
    return int(shown[0]), int(shown[1]), int(shown[2])
