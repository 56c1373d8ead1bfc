"""Every visible text of a figure with its rotated box in pixels of the saved picture."""

import math
from collections.abc import Iterator
from typing import Any

from matplotlib import text as mtext
from matplotlib.table import Table
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from renderer_app.probe import plain

# What the draw measured is cached; asking the renderer again costs a millisecond a text.
METRICS: Any = getattr(mtext, "_get_text_metrics_with_cache", None)


def quad(artist: Any, renderer: Any) -> list[list[float]] | None:
    """The four corners of a text's box, turned as the text is, counter-clockwise from its own lower left.

    The box is tight around the first line's height and the last line's depth, not around the font's full
    line height. None for a text of no extent.
    """
    if isinstance(artist, Annotation):
        artist.update_positions(renderer)
    x, y = artist.get_transform().transform(artist.get_unitless_position())
    try:
        _, lines, ((left, bottom), (width, height)) = artist._get_layout(renderer)
        lower, upper = _slack(artist, renderer, lines)
    except (TypeError, ValueError):  # another matplotlib's layout: its upright box will do
        box: Bbox = Text.get_window_extent(artist, renderer)
        return [[box.x0, box.y0], [box.x1, box.y0], [box.x1, box.y1], [box.x0, box.y1]]
    if width <= 0 or height <= 0:
        return None
    angle = math.radians(artist.get_rotation())
    cos, sin = math.cos(angle), math.sin(angle)
    corners = ((0.0, lower), (width, lower), (width, height - upper), (0.0, height - upper))
    points = [[x + left + u * cos - v * sin, y + bottom + u * sin + v * cos] for u, v in corners]
    if not all(math.isfinite(value) for point in points for value in point):
        return None
    return [[round(value, 2) for value in point] for point in points]


def _slack(artist: Any, renderer: Any, lines: Any) -> tuple[float, float]:
    """How many pixels of the layout box below the last line and above the first hold no ink."""

    def extent(line: str) -> tuple[float, float]:
        clean, ismath = artist._preprocess_math(line)
        font, dpi = artist.get_fontproperties(), artist.get_figure(root=True).dpi
        if METRICS is None:
            _, height, descent = renderer.get_text_width_height_descent(clean, font, ismath)
        else:
            _, height, descent = METRICS(renderer, clean, font, ismath=ismath, dpi=dpi)
        return height - descent, descent

    first, (_, ascent, _), _ = lines[0]
    last, (_, _, descent), _ = lines[-1]
    if not first.strip() or not last.strip():
        return 0.0, 0.0
    return max(0.0, descent - extent(last)[1]), max(0.0, ascent - extent(first)[0])


class TextCollector:
    """Gathers the texts of a figure, each once, with a role."""

    def __init__(self, renderer: Any) -> None:
        self.renderer = renderer
        self.found: list[dict[str, Any]] = []
        self.cut = 0
        self.unmeasured = 0
        self._seen: set[int] = set()

    def add(self, artist: Any, role: str, axes: int | None) -> None:
        """Measure one text, unless it is empty, invisible, clipped away or already there."""
        if id(artist) in self._seen:
            return
        self._seen.add(id(artist))
        try:
            content = artist.get_text()
            if not artist.get_visible() or not content.strip() or artist.get_alpha() == 0:
                return
            if isinstance(artist, Annotation) and not _is_anchored(artist, self.renderer):
                return
            if len(self.found) >= plain.TEXTS:
                self.cut += 1
                return
            corners = quad(artist, self.renderer)
            if corners is None or _clipped_away(artist, corners):
                return
            shown = artist._get_wrapped_text() if artist.get_wrap() else content
            self.found.append(
                {
                    "text": plain.text(shown),
                    "role": role,
                    "axes": axes,
                    "quad": corners,
                    "size_pt": plain.number(artist.get_fontsize(), 2),
                    "color": plain.color(artist.get_color()),
                    "rotation": plain.number(artist.get_rotation(), 2),
                }
            )
        except Exception:  # one broken artist of a script must not cost the other measurements
            self.unmeasured += 1

    def add_all(self, artists: Iterator[Any], role: str, axes: int | None) -> None:
        """Measure every text found in `artists` or inside them (tables, anchored boxes)."""
        for artist in artists:
            if isinstance(artist, Text):
                self.add(artist, role, axes)
            elif artist.get_visible():
                cells = artist.get_celld().values() if isinstance(artist, Table) else ()
                for inner in (*artist.findobj(Text), *(cell.get_text() for cell in cells)):
                    self.add(inner, role, axes)


def _clipped_away(artist: Any, corners: list[list[float]]) -> bool:
    """True when the text's clip box leaves nothing of it."""
    if not artist.get_clip_on():
        return False
    box = artist.get_clip_box()
    if box is None:
        return False
    xs, ys = [point[0] for point in corners], [point[1] for point in corners]
    return bool(max(xs) < box.x0 or min(xs) > box.x1 or max(ys) < box.y0 or min(ys) > box.y1)


def _is_anchored(artist: Any, renderer: Any) -> bool:
    """True when an annotation is drawn: what it points at is in the view, where that matters."""
    return bool(artist._check_xy(renderer))
