"""Box plots read back from their shapes: the same for both libraries, upright or lying."""

from typing import Any

import numpy as np

from renderer_app.probe import plain

Array = np.ndarray[Any, Any]
RECTANGLE_POINTS = (4, 5, 6)
NOTCHED_POINTS = (11, 12)


def box_of(path: Any) -> tuple[float, float, float, float] | None:
    """x0, y0, x1, y1 of a box's closed outline (plain or notched), or None for another shape."""
    points = np.asarray(path.vertices, dtype=float)
    if path.codes is not None and path.codes[-1] == path.CLOSEPOLY:
        points = points[:-1]  # the closing vertex is ignored by drawing and may hold anything
    if len(points) not in RECTANGLE_POINTS + NOTCHED_POINTS or not np.isfinite(points).all():
        return None
    if len(points) in RECTANGLE_POINTS and (len(set(points[:, 0])) > 2 or len(set(points[:, 1])) > 2):
        return None
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


class Lines:
    """The lines of an axes with their extents at hand, so that a box finds its own without looking at all."""

    def __init__(self, lines: list[tuple[Array, Array, bool]]) -> None:
        self.lines = lines
        self.markers_only = np.array([line[2] for line in lines], dtype=bool)
        self.length = np.array([len(line[0]) for line in lines], dtype=int)
        self.low: Array = np.array([[_extreme(values, np.min) for values in (x, y)] for x, y, _ in lines])
        self.high: Array = np.array([[_extreme(values, np.max) for values in (x, y)] for x, y, _ in lines])

    def within(self, axis: int, low: float, high: float) -> list[int]:
        """Numbers of the lines that stay between `low` and `high` on `axis`, in drawing order."""
        if not self.lines:
            return []
        return [int(i) for i in np.flatnonzero((self.low[:, axis] >= low) & (self.high[:, axis] <= high))]


def _extreme(values: Array, pick: Any) -> float:
    finite = values[np.isfinite(values)]
    return float(pick(finite)) if finite.size else float("nan")


def read_boxes(shapes: list[tuple[float, float, float, float]], lines: list[tuple[Array, Array, bool]]) -> Any:
    """Quartiles, medians, whiskers and outliers of the boxes, or None when the lines make no box plot.

    `lines` are (x, y, markers only). A box's median is the widest two-point line across it; its whiskers are
    the two-point lines that leave it along its middle. Which lines were used comes back as `used` (numbers).
    """
    if not shapes:
        return None
    known = Lines(lines)
    for across in (0, 1):
        rows: list[dict[str, Any]] = []
        for shape in shapes:
            box = _read_box(shape, known, across, 1 - across)
            if box is None:
                break
            rows.append(box)
        if len(rows) == len(shapes):
            rows.sort(key=lambda box: box["position"])
            keys = ("position", "width", "q1", "median", "q3", "low", "high", "outliers")
            return {
                "orientation": "vertical" if across == 0 else "horizontal",
                "columns": {key: np.array([box[key] for box in rows], dtype=float) for key in keys},
                "beyond": plain.summary(np.array([value for box in rows for value in box["beyond"]], dtype=float)),
                "used": {number for box in rows for number in box["used"]},
            }
    return None


def _read_box(shape: tuple[float, float, float, float], known: Lines, across: int, along: int) -> dict[str, Any] | None:
    """One box, with `across` the axis of its position and `along` the axis of its values."""
    left, right = shape[across], shape[across + 2]
    q1, q3 = shape[along], shape[along + 2]
    middle, breadth = (left + right) / 2, right - left
    slack = max(breadth * 0.02, 1e-12)
    widest, median = -1.0, None
    low, high = q1, q3
    outliers: list[float] = []
    used: list[int] = []
    for number in known.within(across, left - slack, right + slack):
        x, y, _ = known.lines[number]
        values = (x, y)[along]
        start, end = known.low[number, across], known.high[number, across]
        flat = known.low[number, along] == known.high[number, along]
        in_middle = abs(start - middle) <= slack and abs(end - middle) <= slack
        if known.markers_only[number]:
            if in_middle:
                # A single marker inside the box is a mean, not an outlier.
                outliers.extend(float(value) for value in values[(values < q1) | (values > q3)])
                used.append(number)
        elif known.length[number] == 2 and in_middle:
            low = min(low, float(known.low[number, along]))
            high = max(high, float(known.high[number, along]))
            used.append(number)
        elif known.length[number] == 2 and flat:
            # A cap may lie as low as the median does; the median is as wide as the box and drawn later.
            inside = q1 <= values[0] <= q3 and abs((start + end) / 2 - middle) <= slack
            if inside and end - start >= widest - slack:
                widest, median = end - start, float(values[0])
            used.append(number)
    if median is None:
        return None
    return {
        "position": middle,
        "width": breadth,
        "q1": q1,
        "median": median,
        "q3": q3,
        "low": low,
        "high": high,
        "outliers": len(outliers),
        "beyond": outliers,
        "used": used,
    }
