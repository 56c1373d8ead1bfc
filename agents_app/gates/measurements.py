"""The probe's measurements as typed data.

They come out of the sandbox, so they are claims: what has not the shape of a measurement is left out and
counted as `malformed`; nothing in here can raise, whatever the probe holds. Lengths are pixels of the saved
picture, origin bottom left.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from agents_app.gates.overlap import Point, Quad

ITEMS = 5_000  # more entries than this in any list are not read
HUGE = 1e7  # no pixel position of a real picture is larger


@dataclass(frozen=True)
class Text:
    """One visible text with its turned box."""

    text: str
    role: str
    axes: int | None
    quad: Quad
    size_pt: float | None = None
    rotation: float = 0.0


@dataclass(frozen=True)
class Tick:
    """One tick inside the view: its place in data units and the text drawn at it (empty: none)."""

    at: float | None
    text: str


@dataclass(frozen=True)
class Mark:
    """Marks of one kind; `values` are parallel columns in data units, empty when they were cut.

    `summary` has count, min, max, sum of each column, also when the values were cut.
    """

    kind: str
    count: int
    inside: int
    label: str | None = None
    values: dict[str, list[float | None]] = field(default_factory=dict)
    summary: dict[str, dict[str, float | None]] = field(default_factory=dict)
    cut: int = 0
    orientation: str | None = None
    reference: bool = False
    colors: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axes:
    """One visible axes."""

    index: int
    bbox: tuple[float, float, float, float]
    title: str = ""
    xlabel: str = ""
    ylabel: str = ""
    xscale: str = "linear"
    yscale: str = "linear"
    xunits: str | None = None
    yunits: str | None = None
    polar: bool = False
    colorbar: bool = False
    xticks: tuple[Tick, ...] = ()
    yticks: tuple[Tick, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Legend:
    """One visible legend."""

    axes: int | None
    title: str
    entries: tuple[str, ...]
    bbox: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class Figure:
    """A drawn figure as the gates see it."""

    width: float
    height: float
    axes: tuple[Axes, ...] = ()
    texts: tuple[Text, ...] = ()
    legends: tuple[Legend, ...] = ()
    title: str = ""
    shared_xlabels: tuple[str, ...] = ()
    shared_ylabels: tuple[str, ...] = ()
    malformed: int = 0

    @property
    def marks(self) -> list[Mark]:
        """All marks that show data, of all axes."""
        return [mark for axes in self.axes for mark in axes.marks if not mark.reference]


class _Reader:
    """Reads untrusted JSON, counting what is not as it should be."""

    def __init__(self) -> None:
        self.malformed = 0

    def number(self, value: Any) -> float | None:
        """A finite float or None."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        try:
            result = float(value)
        except OverflowError:
            return None
        return result if math.isfinite(result) else None

    def pixel(self, value: Any) -> float:
        result = self.number(value)
        if result is None or abs(result) > HUGE:
            raise ValueError("not a pixel position")
        return result

    def text(self, value: Any) -> str:
        return value if isinstance(value, str) else ""

    def items(self, value: Any) -> list[Any]:
        """A list, its surplus counted as malformed."""
        if not isinstance(value, list):
            self.malformed += value is not None
            return []
        self.malformed += max(0, len(value) - ITEMS)
        return value[:ITEMS]

    def each(self, value: Any, read: Any) -> tuple[Any, ...]:
        """`read` of every object in a list; those that it can't read are counted."""
        found = []
        for item in self.items(value):
            try:
                if not isinstance(item, dict):
                    raise TypeError("not an object")
                found.append(read(item))
            except (AttributeError, TypeError, ValueError, KeyError, IndexError):
                self.malformed += 1
        return tuple(found)

    def box(self, value: Any) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = (self.pixel(number) for number in value)
        return x0, y0, x1, y1

    def count(self, value: Any) -> int:
        result = self.number(value)
        if result is None or result < 0:
            raise ValueError("not a count")
        return int(result)

    def index(self, value: Any) -> int | None:
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    # --- the parts ---------------------------------------------------------------------------

    def quad_text(self, item: dict[str, Any]) -> Text:
        corners: list[Point] = [(self.pixel(point[0]), self.pixel(point[1])) for point in item["quad"]]
        if len(corners) != 4:
            raise ValueError("not a quad")
        return Text(
            text=self.text(item["text"]),
            role=self.text(item["role"]),
            axes=self.index(item.get("axes")),
            quad=(corners[0], corners[1], corners[2], corners[3]),
            size_pt=self.number(item.get("size_pt")),
            rotation=self.number(item.get("rotation")) or 0.0,
        )

    def mark(self, item: dict[str, Any]) -> Mark:
        values = {str(name): [self.number(v) for v in column] for name, column in (item.get("values") or {}).items()}
        if len({len(column) for column in values.values()}) > 1:
            raise ValueError("columns of different lengths")
        summaries = item.get("summary") or {}
        return Mark(
            kind=self.text(item["kind"]),
            count=self.count(item["count"]),
            inside=self.count(item.get("inside", 0)),
            label=self.text(item.get("label")) or None,
            values=values,
            summary={str(n): {str(k): self.number(v) for k, v in s.items()} for n, s in summaries.items()},
            cut=self.count(item.get("cut", 0)),
            orientation=self.text(item.get("orientation")) or None,
            reference=item.get("reference") is True,
            colors=tuple(c for c in self.items(item.get("colors")) if isinstance(c, str)),
            labels=tuple(t for t in self.items(item.get("labels")) if isinstance(t, str)),
        )

    def tick(self, item: dict[str, Any]) -> Tick:
        return Tick(self.number(item.get("at")), self.text(item.get("text")))

    def one_axes(self, item: dict[str, Any]) -> Axes:
        return Axes(
            index=self.count(item["index"]),
            bbox=self.box(item["bbox"]),
            title=self.text(item.get("title")),
            xlabel=self.text(item.get("xlabel")),
            ylabel=self.text(item.get("ylabel")),
            xscale=self.text(item.get("xscale")),
            yscale=self.text(item.get("yscale")),
            xunits=self.text(item.get("xunits")) or None,
            yunits=self.text(item.get("yunits")) or None,
            polar=item.get("polar") is True,
            colorbar=item.get("colorbar") is True,
            xticks=self.each(item.get("xticks"), self.tick),
            yticks=self.each(item.get("yticks"), self.tick),
            marks=self.each(item.get("marks"), self.mark),
        )

    def legend(self, item: dict[str, Any]) -> Legend:
        return Legend(
            axes=self.index(item.get("axes")),
            title=self.text(item.get("title")),
            entries=tuple(entry for entry in self.items(item.get("entries")) if isinstance(entry, str)),
            bbox=self.box(item["bbox"]) if item.get("bbox") else None,
        )


def read(probe: Any) -> Figure | None:
    """The probe's measurements, or None when there are none worth the name."""
    if not isinstance(probe, dict):
        return None
    reader = _Reader()
    try:
        canvas = probe["canvas"]
        width, height = reader.pixel(canvas["width"]), reader.pixel(canvas["height"])
    except (TypeError, ValueError, KeyError):
        return None
    shared = probe.get("shared_labels")
    shared = shared if isinstance(shared, dict) else {}
    axes = reader.each(probe.get("axes"), reader.one_axes)
    texts = reader.each(probe.get("texts"), reader.quad_text)
    legends = reader.each(probe.get("legends"), reader.legend)
    return Figure(
        width=width,
        height=height,
        axes=axes,
        texts=texts,
        legends=legends,
        title=reader.text(probe.get("figure_title")),
        shared_xlabels=tuple(reader.text(text) for text in reader.items(shared.get("xlabel"))),
        shared_ylabels=tuple(reader.text(text) for text in reader.items(shared.get("ylabel"))),
        malformed=reader.malformed,
    )
