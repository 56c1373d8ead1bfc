"""Numbers and colors as JSON can hold them: finite, bounded, and honest about what was left out."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib import colors as mcolors

MARK_VALUES = 6_000  # values of all marks of a figure together; beyond it only their summary is kept
COLORS = 16  # distinct colors named of one mark
TEXT_CHARACTERS = 500
TEXTS = 2_000
TICKS = 400  # of one axis
MARKS = 400  # measured one by one; further ones are counted only
ENTRIES = 200  # of one legend


class Budget:
    """How many single values may still be written down."""

    def __init__(self, values: int = MARK_VALUES) -> None:
        self.left = values

    def take(self, count: int) -> bool:
        """True when `count` more values fit; they are then spent."""
        if count > self.left:
            return False
        self.left -= count
        return True


def number(value: Any, digits: int | None = None) -> float | None:
    """A finite float, rounded to `digits` decimals when given; None for what is missing, masked or infinite."""
    if value is None or value is np.ma.masked:
        return None
    result = float(value)
    if not math.isfinite(result):
        return None
    return result if digits is None else round(result, digits)


def px(values: Iterable[Any]) -> list[float | None]:
    """Pixel positions, to a hundredth."""
    return [number(value, 2) for value in values]


def array(values: Any) -> np.ndarray[Any, Any]:
    """A flat float array in which everything masked or not a number is NaN."""
    floats = np.ma.asarray(values).astype(float)
    return np.asarray(np.ma.filled(floats, np.nan), dtype=float).ravel()


def summary(values: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Count of finite values, their extremes and sum: enough to check an aggregate when the values are cut."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return {"count": 0, "min": None, "max": None, "sum": None}
    return {
        "count": int(finite.size),
        "min": number(finite.min()),
        "max": number(finite.max()),
        "sum": number(finite.sum()),
    }


def columns(budget: Budget, values: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, Any]:
    """Parallel arrays as `{"values": {name: [...]}, "summary": {...}, "cut": n}`.

    When the budget is spent `values` is empty and `cut` says how many rows were left out.
    """
    length = max((len(column) for column in values.values()), default=0)
    fits = budget.take(length * len(values))
    return {
        "values": {name: [number(value) for value in column] for name, column in values.items()} if fits else {},
        "summary": {name: summary(column) for name, column in values.items()},
        "cut": 0 if fits else length,
    }


def color(value: Any) -> str | None:
    """`#RRGGBB` (upper case), or None for what is invisible or no color."""
    try:
        red, green, blue, alpha = mcolors.to_rgba(value)
    except (ValueError, TypeError):
        return None
    if alpha == 0:
        return None
    return mcolors.to_hex((red, green, blue)).upper()


def distinct_colors(values: Any) -> list[str]:
    """The distinct visible colors of RGBA rows, in order of appearance, at most `COLORS`."""
    rows = np.asarray(values, dtype=float)
    if rows.ndim != 2 or len(rows) == 0:
        return []
    _, first = np.unique(rows, axis=0, return_index=True)
    found: list[str] = []
    for index in sorted(int(i) for i in first):
        name = color(tuple(rows[index]))
        if name is not None and name not in found:
            found.append(name)
        if len(found) == COLORS:
            break
    return found


def color_indexes(values: Any, count: int) -> np.ndarray[Any, Any] | None:
    """For every one of `count` marks the number of its color, 0 for the first; None when all share one."""
    rows = np.asarray(values, dtype=float)
    if rows.ndim != 2 or len(rows) != count or count == 0:
        return None
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    if len(first) < 2:
        return None
    rank = np.argsort(np.argsort(first))
    return np.asarray(rank[inverse.ravel()], dtype=float)


def text(value: Any) -> str:
    """A text, cut to a length that a person would still read."""
    return str(value)[:TEXT_CHARACTERS]
