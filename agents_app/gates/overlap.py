"""Do two turned boxes overlap, and how deep? The separating axis test for convex quadrilaterals."""

import math
from collections.abc import Sequence

from anyplot_site import bounds

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Box = tuple[float, float, float, float]


def box(quad: Quad) -> Box:
    """The upright box around a quad: x0, y0, x1, y1."""
    xs = [point[0] for point in quad]
    ys = [point[1] for point in quad]
    return min(xs), min(ys), max(xs), max(ys)


def depth(first: Quad, second: Quad) -> float:
    """How far one quad would have to move to leave the other, in their unit; 0 when they are apart or touch.

    Two convex shapes are apart exactly when some edge's normal separates them; the depth is the smallest
    overlap over all those normals.
    """
    smallest = math.inf
    for quad in (first, second):
        for number in range(4):
            (x0, y0), (x1, y1) = quad[number], quad[(number + 1) % 4]
            length = math.hypot(x1 - x0, y1 - y0)
            if length == 0:
                continue
            normal_x, normal_y = (y0 - y1) / length, (x1 - x0) / length
            one = [x * normal_x + y * normal_y for x, y in first]
            two = [x * normal_x + y * normal_y for x, y in second]
            overlap = min(max(one), max(two)) - max(min(one), min(two))
            if overlap <= 0:
                return 0.0
            smallest = min(smallest, overlap)
    return 0.0 if smallest is math.inf else smallest


def pairs(quads: Sequence[Quad], allowed: float) -> tuple[list[tuple[int, int, float]], bool]:
    """Pairs (i, j, depth) of quads that overlap by more than `allowed`, i < j, and whether all were examined.

    Sweeps along x, so that ordinary figures cost little; a figure with everything in one place stops at
    `bounds.GATE_PAIRS` comparisons.
    """
    boxes = [box(quad) for quad in quads]
    order = sorted(range(len(quads)), key=lambda number: boxes[number][0])
    found: list[tuple[int, int, float]] = []
    examined = 0
    open_: list[int] = []
    for number in order:
        x0, y0, _, y1 = boxes[number]
        open_ = [other for other in open_ if boxes[other][2] - allowed > x0]
        for other in open_:
            if min(y1, boxes[other][3]) - max(y0, boxes[other][1]) <= allowed:
                continue
            examined += 1
            if examined > bounds.GATE_PAIRS:
                return found, False
            deep = depth(quads[number], quads[other])
            if deep > allowed:
                found.append((min(number, other), max(number, other), deep))
        open_.append(number)
    return found, True
