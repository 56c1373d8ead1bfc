"""The marks of an axes and the values that they show, read back from matplotlib's artists.

seaborn draws matplotlib's artists, so one reader serves both libraries. Values are in data units as drawn:
dates are matplotlib's day numbers, categories their positions.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib import collections as mcollections
from matplotlib import colors as mcolors
from matplotlib import patches as mpatches
from matplotlib.path import Path

from renderer_app.probe import plain
from renderer_app.probe.boxes import box_of, read_boxes

Array = np.ndarray[Any, Any]
Mark = dict[str, Any]
NO_LINE = ("None", "none", " ", "")
ROUNDING = 1e-9
LINE_POINTS_EACH = 4  # segments of a line collection are given as x0, y0, x1, y1


class MarkReader:
    """Reads one axes; `budget` is shared by all axes of the figure."""

    def __init__(self, axes: Any, budget: plain.Budget) -> None:
        self.axes = axes
        self.budget = budget
        self.unmeasured = 0
        self.uncounted = 0

    def read(self) -> list[Mark]:
        """All visible marks in drawing order of their kinds: bars, boxes, wedges, points, lines, areas, images."""
        marks: list[Mark] = []
        readers = (self._bars_of_containers, self._patches_and_lines, self._collections, self._images)
        self._in_containers: set[int] = set()
        for reader in readers:
            source = reader()
            while True:
                try:
                    mark = next(source, None)
                except Exception:  # a broken artist of a script must not cost the other measurements
                    self.unmeasured += 1
                    break
                if mark is None:
                    break
                if len(marks) < plain.MARKS:
                    marks.append(mark)
                else:
                    self.uncounted += mark["count"]
        return marks

    # --- what every mark has -------------------------------------------------------------

    def _mark(self, kind: str, artist: Any, count: int, values: dict[str, Array], **extra: Any) -> Mark:
        label = artist.get_label() if artist is not None else None
        return {
            "kind": kind,
            "count": int(count),
            "label": plain.text(label) if isinstance(label, str) and label and not label.startswith("_") else None,
            **plain.columns(self.budget, values),
            **extra,
        }

    def _inside(self, x: Array, y: Array) -> int:
        """How many points lie in the view."""
        if self.axes.name != "rectilinear":
            return int(np.isfinite(x).sum())
        x_low, x_high, y_low, y_high = self._view()
        with np.errstate(invalid="ignore"):
            return int(((x >= x_low) & (x <= x_high) & (y >= y_low) & (y <= y_high)).sum())

    def _view(self) -> tuple[float, float, float, float]:
        """The visible range of both axes, wider by what rounding may take from a mark on the very edge."""
        found: list[float] = []
        for limits in (self.axes.get_xlim(), self.axes.get_ylim()):
            low, high = sorted(float(value) for value in limits)
            slack = ROUNDING * (high - low)
            found += [low - slack, high + slack]
        return found[0], found[1], found[2], found[3]

    def _is_data(self, transform: Any) -> bool:
        """True when positions are in data units on both axes (else it is a reference line or decoration)."""
        return all(transform.contains_branch_seperately(self.axes.transData))

    # --- rectangles ------------------------------------------------------------------------

    def _bars(self, rectangles: list[Any], orientation: str | None, artist: Any) -> Mark:
        x, y, width, height = (
            plain.array([getattr(bar, f"get_{name}")() for bar in rectangles]) for name in ("x", "y", "width", "height")
        )
        if self.axes.name == "rectilinear":
            x_low, x_high, y_low, y_high = self._view()
            with np.errstate(invalid="ignore"):
                inside = int(
                    (
                        (np.maximum(x, x + width) >= x_low)
                        & (np.minimum(x, x + width) <= x_high)
                        & (np.maximum(y, y + height) >= y_low)
                        & (np.minimum(y, y + height) <= y_high)
                    ).sum()
                )
        else:
            inside = len(rectangles)
        faces = [bar.get_facecolor() for bar in rectangles]
        return self._mark(
            "bars",
            artist,
            len(rectangles),
            {"x": x, "y": y, "width": width, "height": height},
            orientation=orientation,
            inside=inside,
            colors=plain.distinct_colors(faces),
            edges=plain.distinct_colors([bar.get_edgecolor() for bar in rectangles]),
        )

    def _bars_of_containers(self) -> Iterator[Mark]:
        for container in self.axes.containers:
            patches = getattr(container, "patches", None)
            if patches is None or not hasattr(container, "errorbar"):
                continue
            shown = [bar for bar in patches if bar.get_visible()]
            self._in_containers.update(id(bar) for bar in patches)
            if shown:
                yield self._bars(shown, getattr(container, "orientation", None), container)

    # --- other patches, and lines, which may belong to boxes ----------------------------------

    def _patches_and_lines(self) -> Iterator[Mark]:  # noqa: PLR0912 (one pass over two lists)
        rectangles: list[Any] = []
        wedges: list[Any] = []
        outlines: list[tuple[Any, tuple[float, float, float, float]]] = []
        others: list[Any] = []
        references = 0
        for patch in self.axes.patches:
            if id(patch) in self._in_containers or not patch.get_visible():
                continue
            if not self._is_data(patch.get_data_transform()):
                references += 1
            elif isinstance(patch, mpatches.Wedge):
                wedges.append(patch)
            elif isinstance(patch, mpatches.Rectangle):
                # seaborn's handles for a legend are rectangles of no size.
                if patch.get_width() or patch.get_height():
                    rectangles.append(patch)
            elif isinstance(patch, mpatches.PathPatch) and (outline := box_of(patch.get_path())):
                outlines.append((patch, outline))
            else:
                others.append(patch)

        lines = [line for line in self.axes.lines if line.get_visible()]
        data_lines = [line for line in lines if self._is_data(line.get_transform())]
        references += len(lines) - len(data_lines)
        used: set[int] = set()
        if not outlines:  # boxes without a face are drawn as closed lines
            closed = [(line, outline) for line in data_lines if (outline := _closed_line(line))]
            outlines, used = closed, {id(line) for line, _ in closed}
        if outlines:
            points = [
                (plain.array(line.get_xdata(orig=False)), plain.array(line.get_ydata(orig=False)), _markers_only(line))
                for line in data_lines
                if id(line) not in used
            ]
            numbers = [id(line) for line in data_lines if id(line) not in used]
            boxes = read_boxes([outline for _, outline in outlines], points)
            if boxes is None:
                others.extend(patch for patch, _ in outlines if id(patch) not in used)
                used = set()
            else:
                used |= {numbers[number] for number in boxes["used"]}
                yield self._boxes(boxes, [patch for patch, _ in outlines])
        if rectangles:
            yield self._bars(rectangles, None, None)
        if wedges:
            yield self._wedges(wedges)
        for patch in others:
            yield self._polygon(patch)
        for line in data_lines:
            if id(line) not in used and (mark := self._line(line)):
                yield mark
        if references:
            yield self._mark("reference", None, references, {}, inside=references, colors=[], reference=True)

    def _boxes(self, boxes: dict[str, Any], patches: list[Any]) -> Mark:
        columns = boxes["columns"]
        positions, medians = columns["position"], columns["median"]
        x, y = (positions, medians) if boxes["orientation"] == "vertical" else (medians, positions)
        return self._mark(
            "boxes",
            None,
            len(patches),
            columns,
            orientation=boxes["orientation"],
            outliers=boxes["beyond"],
            inside=self._inside(x, y),
            colors=plain.distinct_colors([p.get_facecolor() for p in patches if isinstance(p, mpatches.Patch)]),
            edges=plain.distinct_colors([_edge(patch) for patch in patches]),
        )

    def _wedges(self, wedges: list[Any]) -> Mark:
        return self._mark(
            "wedges",
            None,
            len(wedges),
            {
                "share": plain.array([(wedge.theta2 - wedge.theta1) / 360 for wedge in wedges]),
                "radius": plain.array([wedge.r for wedge in wedges]),
            },
            labels=[plain.text(wedge.get_label()) for wedge in wedges[: plain.ENTRIES]],
            inside=len(wedges),
            colors=plain.distinct_colors([wedge.get_facecolor() for wedge in wedges]),
            edges=plain.distinct_colors([wedge.get_edgecolor() for wedge in wedges]),
        )

    def _polygon(self, patch: Any) -> Mark:
        points = np.asarray(patch.get_patch_transform().transform(patch.get_path().vertices), dtype=float)
        return self._mark(
            "polygons",
            patch,
            1,
            {"x": plain.array(points[:, 0]), "y": plain.array(points[:, 1])},
            inside=1,
            colors=plain.distinct_colors([patch.get_facecolor()]),
            edges=plain.distinct_colors([patch.get_edgecolor()]),
        )

    def _line(self, line: Any) -> Mark | None:
        dots = _markers_only(line)
        if not dots and line.get_linestyle() in NO_LINE:
            return None
        x, y = plain.array(line.get_xdata(orig=False)), plain.array(line.get_ydata(orig=False))
        shown = int((np.isfinite(x) & np.isfinite(y)).sum())
        if not shown:
            return None
        name = line.get_markerfacecolor() if dots else line.get_color()
        color = plain.color(name)
        return self._mark(
            "points" if dots else "line",
            line,
            shown if dots else 1,
            {"x": x, "y": y},
            inside=self._inside(x, y),
            colors=[color] if color else [],
            style=str(line.get_linestyle()),
            marker=str(line.get_marker()),
            width_pt=plain.number(line.get_linewidth(), 2),
        )

    # --- collections ---------------------------------------------------------------------------

    def _collections(self) -> Iterator[Mark]:
        for collection in self.axes.collections:
            if not collection.get_visible():
                continue
            if isinstance(collection, mcollections.PathCollection):
                if mark := self._points(collection):
                    yield mark
            elif isinstance(collection, mcollections.LineCollection):
                yield self._segments(collection)
            elif isinstance(collection, mcollections.QuadMesh):
                shown = collection.get_array()
                yield self._colored(collection, "mesh", 0 if shown is None else int(np.size(shown)))
            elif isinstance(collection, mcollections.PolyCollection | mcollections.PatchCollection):
                yield self._areas(collection)
            else:
                yield self._colored(collection, "collection", len(collection.get_paths()))

    def _points(self, collection: Any) -> Mark | None:
        offsets = collection.get_offsets()
        x, y = plain.array(offsets[:, 0]), plain.array(offsets[:, 1])
        shown = np.isfinite(x) & np.isfinite(y)
        if not shown.any():
            return None
        if not self._is_data(collection.get_offset_transform()):
            return self._mark("reference", collection, int(shown.sum()), {}, inside=0, colors=[], reference=True)
        values = {"x": x, "y": y}
        faces = collection.get_facecolors()
        if len(faces) == 0:
            faces = collection.get_edgecolors()
        sizes = np.asarray(collection.get_sizes(), dtype=float)
        if len(sizes) == len(x) and len(set(sizes)) > 1:
            values["size"] = sizes
        if (mapped := collection.get_array()) is not None:
            values["color_value"] = plain.array(mapped)
        elif (indexes := plain.color_indexes(faces, len(x))) is not None:
            values["color"] = indexes
        return self._mark(
            "points",
            collection,
            int(shown.sum()),
            values,
            inside=self._inside(x, y),
            colors=plain.distinct_colors(faces),
            edges=plain.distinct_colors(collection.get_edgecolors()),
            alpha=plain.number(collection.get_alpha()) if np.isscalar(collection.get_alpha()) else None,
            size_pt2=plain.summary(sizes),
        )

    def _segments(self, collection: Any) -> Mark:
        segments = [np.asarray(segment, dtype=float) for segment in collection.get_segments()]
        straight = [segment for segment in segments if segment.shape == (2, 2)]
        flat = np.array([segment.ravel() for segment in straight]).reshape(-1, LINE_POINTS_EACH)
        data = self._is_data(collection.get_transform())
        return self._mark(
            "segments" if data else "reference",
            collection,
            len(segments),
            {name: flat[:, number] for number, name in enumerate(("x0", "y0", "x1", "y1"))} if data else {},
            inside=len(segments),
            colors=plain.distinct_colors(collection.get_colors()),
            **({} if data else {"reference": True}),
        )

    def _areas(self, collection: Any) -> Mark:
        paths = collection.get_paths()
        offsets = collection.get_offsets()
        values: dict[str, Array] = {}
        if len(offsets) > 1:  # one shape at many places: a hexbin
            values = {"x": plain.array(offsets[:, 0]), "y": plain.array(offsets[:, 1])}
        elif len(paths) == 1:
            vertices = np.asarray(paths[0].vertices, dtype=float)
            values = {"x": plain.array(vertices[:, 0]), "y": plain.array(vertices[:, 1])}
        if (mapped := collection.get_array()) is not None:
            values["color_value"] = plain.array(mapped)
        count = max(len(paths), len(offsets) if len(offsets) > 1 else 0)
        return self._mark(
            "polygons",
            collection,
            count,
            values,
            inside=count,
            colors=plain.distinct_colors(collection.get_facecolors()),
            edges=plain.distinct_colors(collection.get_edgecolors()),
        )

    def _colored(self, collection: Any, kind: str, count: int) -> Mark:
        mapped = collection.get_array()
        values = {} if mapped is None else {"color_value": plain.array(mapped)}
        return self._mark(
            kind, collection, count, values, inside=count, colors=plain.distinct_colors(collection.get_facecolors())
        )

    def _images(self) -> Iterator[Mark]:
        for image in self.axes.images:
            if image.get_visible():
                size = np.shape(image.get_array())
                values = {"color_value": plain.array(image.get_array())} if len(size) == 2 else {}
                yield self._mark(
                    "image", image, 1, values, inside=1, colors=[], shape=[int(length) for length in size[:2]]
                )


def _markers_only(line: Any) -> bool:
    return line.get_linestyle() in NO_LINE and line.get_marker() not in (*NO_LINE, None)


def _closed_line(line: Any) -> tuple[float, float, float, float] | None:
    """The box that a closed line of a box's outline draws, or None."""
    x, y = plain.array(line.get_xdata(orig=False)), plain.array(line.get_ydata(orig=False))
    if len(x) not in (5, 11) or x[0] != x[-1] or y[0] != y[-1]:
        return None
    return box_of(Path(np.column_stack([x, y])))


def _edge(artist: Any) -> Any:
    """The RGBA color of a patch's edge, or of the line that stands for one."""
    return artist.get_edgecolor() if isinstance(artist, mpatches.Patch) else mcolors.to_rgba(artist.get_color())
