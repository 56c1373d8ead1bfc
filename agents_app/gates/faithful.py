"""G2: what is drawn is what the table says.

The values read back from the marks are compared with the recipe's own aggregate of `data.csv`, which is
computed by code that the script does not share. What a plot draws is known from its specification (which role
an axis shows, which roles make one mark), never from its name. A kind of mark that can't be compared yet is
not judged: no verdict rather than a friendly one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agents_app.catalogue.spec import Spec
from agents_app.gates.evidence import Evidence
from agents_app.gates.labels import Names
from agents_app.gates.measurements import Figure, Mark, Tick
from agents_app.gates.verdict import Verdict
from agents_app.recipe.labels import swapped
from agents_app.recipe.recipe import Recipe
from anyplot_site import bounds

Floats = np.ndarray[Any, np.dtype[np.float64]]
DAY_US = 86_400_000_000
WHISKER = 1.5  # of the distance between the quartiles: where outliers begin
COUNT = "count"


@dataclass(frozen=True)
class Comparison:
    """How many marks of a kind were compared, how many differ, and the sentence about it when some do."""

    compared: int
    wrong: int
    noun: str
    text: str = ""


def shows_the_data(evidence: Evidence) -> Verdict | None:
    """G2: values read back equal the aggregate, all lie in the view, and every row is used or counted as dropped.

    `measured` is the number of marks that differ, or of rows unaccounted for.
    """
    figure, prepared, spec = evidence.figure, evidence.prepared, evidence.spec
    if figure is None or prepared is None or spec is None:
        return None
    rows = prepared.rows
    lost = rows.get("total", 0) - rows.get("used", 0) - rows.get("dropped", 0)
    if lost:
        return Verdict("G2", False, True, f"{abs(lost):,} rows are neither drawn nor counted as left out.", lost, 0)
    found = compare(figure, prepared.frame, spec, swapped(evidence.recipe, spec))
    if found is None:
        return None
    if found.wrong:
        return Verdict("G2", False, True, found.text, found.wrong, 0)
    hidden = sum(mark.count - mark.inside for mark in figure.marks if mark.kind in ("points", "bars", "boxes"))
    if hidden > 0:
        total = sum(mark.count for mark in figure.marks)
        text = f"{hidden:,} of {total:,} {found.noun} lie outside the visible range."
        return Verdict("G2", False, True, text, hidden, 0, asked=_range_asked(spec, evidence.recipe))
    text = f"All {found.compared:,} {found.noun} were read back from the plot and equal your data."
    if found.compared == 1:
        text = "The one mark was read back from the plot and equals your data."
    return Verdict("G2", True, True, text, 0, 0, details={"compared": found.compared})


def _range_asked(spec: Spec, recipe: Recipe) -> bool:
    """True when a scale that the person asked for may be what hides marks."""
    scales = {option.name for option in spec.options if option.effect.startswith("scale:")}
    return bool(scales & set(recipe.asked))


def compare(figure: Figure, frame: pd.DataFrame, spec: Spec, flipped: bool) -> Comparison | None:
    """Compare the drawn marks with the frame of role columns; None when they can't be compared."""
    by_kind: dict[str, list[Mark]] = {}
    for mark in figure.marks:
        by_kind.setdefault(mark.kind, []).append(mark)
    if "wedges" in by_kind:
        return _wedges(by_kind["wedges"], frame, spec)
    if "boxes" in by_kind:
        return _boxes(by_kind["boxes"], frame, spec)
    if "bars" in by_kind:
        if spec.axes.get("y") == COUNT and not spec.grain:
            return _histogram(by_kind["bars"], frame, spec, flipped)
        return _bars(figure, by_kind["bars"], frame, spec, flipped)
    drawn = [
        found
        for kind in ("points", "line")
        if (found := _positions(figure, by_kind.get(kind, []), frame, spec, flipped))
    ]
    # Where both are drawn, the one that is the data decides: a trend line beside points is no data.
    return min(drawn, key=lambda comparison: comparison.wrong, default=None)


# --- columns -------------------------------------------------------------------------------------


def numbers(values: Any) -> Floats | None:
    """A column as floats, dates as matplotlib's day numbers, missing as NaN; None for anything else."""
    if pd.api.types.is_datetime64_any_dtype(values):
        stamps = values.astype("datetime64[us]")
        return np.where(values.isna(), np.nan, stamps.astype("int64").to_numpy() / DAY_US)
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        return None
    return np.asarray(values.astype("Float64").to_numpy(dtype=float, na_value=np.nan), dtype=float)


def value_role(frame: pd.DataFrame, spec: Spec) -> str | None:
    """The role whose values a mark's length, angle or box stands for."""
    shown = [role for role in (spec.axes.get("y"), spec.axes.get("x")) if role]
    others = [role.name for role in spec.roles]
    for name in (*shown, *others):
        if name in frame.columns and name not in spec.grain and numbers(frame[name]) is not None:
            return name
    return None


def group_role(frame: pd.DataFrame, spec: Spec) -> str | None:
    """The role whose values stand side by side: one mark each."""
    for name in (*spec.grain, spec.axes.get("x"), spec.order.role if spec.order else None):
        if name and name in frame.columns:
            return str(name)
    return None


def _column(marks: list[Mark], name: str) -> Floats | None:
    """One column of all marks together, missing as NaN; None when some were cut."""
    if any(mark.cut or name not in mark.values for mark in marks):
        return None
    cells = [np.nan if value is None else value for mark in marks for value in mark.values[name]]
    return np.array(cells, dtype=float)


def _near(one: Floats, two: Floats, tolerance: float | None = None) -> Any:
    """Which pairs are equal within rounding."""
    if tolerance is None:
        largest = max((float(np.abs(values[np.isfinite(values)]).max(initial=0)) for values in (one, two)), default=0)
        tolerance = bounds.VALUE_TOLERANCE * largest
    return np.abs(one - two) <= tolerance


# --- kinds of marks ----------------------------------------------------------------------------------


def _wedges(marks: list[Mark], frame: pd.DataFrame, spec: Spec) -> Comparison | None:
    name = value_role(frame, spec)
    drawn = _column(marks, "share")
    if name is None or drawn is None:
        return None
    values = numbers(frame[name])
    if values is None:
        return None
    values = values[np.isfinite(values)]
    shares = values / values.sum() if values.sum() else values
    return _in_any_order(drawn, shares, "parts", bounds.SHARE_TOLERANCE)


def _in_any_order(drawn: Floats, expected: Floats, noun: str, tolerance: float | None = None) -> Comparison:
    if len(drawn) != len(expected):
        return _another_number(len(drawn), len(expected), noun)
    wrong = int((~_near(np.sort(drawn), np.sort(expected), tolerance)).sum())
    return Comparison(len(expected), wrong, noun, f"{wrong:,} of {len(expected):,} {noun} differ from your data.")


def _another_number(drawn: int, expected: int, noun: str) -> Comparison:
    text = f"{drawn:,} {noun} are drawn; your data has {expected:,}."
    return Comparison(expected, abs(drawn - expected), noun, text)


def _bars(figure: Figure, marks: list[Mark], frame: pd.DataFrame, spec: Spec, flipped: bool) -> Comparison | None:
    name, group = value_role(frame, spec), group_role(frame, spec)
    length, start, breadth = ("width", "y", "height") if flipped else ("height", "x", "width")
    drawn, starts, breadths = (_column(marks, column) for column in (length, start, breadth))
    if name is None or group is None or drawn is None or starts is None or breadths is None:
        return None
    expected = numbers(frame[name])
    if expected is None:
        return None
    found = _in_any_order(drawn[np.isfinite(drawn)], expected[np.isfinite(expected)], "bars")
    if found.wrong:
        return found
    # The same lengths, but does each stand above its own name?
    ticks = [tick for axes in figure.axes for tick in (axes.yticks if flipped else axes.xticks)]
    wrong = _misplaced(ticks, starts + breadths / 2, drawn, _texts(frame[group]), expected)
    text = f"{wrong:,} of {found.compared:,} bars stand at another category's label."
    return Comparison(found.compared, wrong, "bars", text)


def _texts(values: Any) -> list[str]:
    """Categories as they are written at an axis; a missing one is empty."""
    return ["" if missing else str(value) for value, missing in zip(values, values.isna(), strict=True)]


def _misplaced(ticks: list[Tick], places: Floats, drawn: Floats, names: list[str], expected: Floats) -> int:
    """How many named ticks have other values standing at them than their category has.

    A tick without a text, or whose text fits several categories, says nothing.
    """
    at = np.array(sorted(tick.at for tick in ticks if tick.at is not None), dtype=float)
    reach = float(np.diff(at).min(initial=1.0)) / 2 or 0.5
    known = list(dict.fromkeys(names))
    recognised = Names(known)
    wrong = 0
    for tick in ticks:
        meant = recognised.find(tick.text) if tick.text else []
        if tick.at is None or len(meant) != 1:
            continue
        own = np.sort(expected[[name == known[meant[0]] for name in names]])
        here = np.sort(drawn[np.abs(places - tick.at) < reach])
        own, here = own[np.isfinite(own)], here[np.isfinite(here)]
        wrong += len(own) != len(here) or not bool(_near(here, own).all())
    return wrong


def _histogram(marks: list[Mark], frame: pd.DataFrame, spec: Spec, flipped: bool) -> Comparison | None:
    role = spec.axes.get("x")
    columns = ("y", "height", "width") if flipped else ("x", "width", "height")
    start, breadth, drawn = (_column(marks, name) for name in columns)
    if role not in frame.columns or start is None or breadth is None or drawn is None:
        return None
    values = numbers(frame[role])
    if values is None:
        return None
    values = np.sort(values[np.isfinite(values)])
    counted = round(float(np.nansum(drawn)))
    if counted != len(values):
        text = f"The bars count {counted:,} rows; your data has {len(values):,}."
        return Comparison(len(values), abs(counted - len(values)), "rows", text)
    # A value on an edge may belong to either side.
    slack = bounds.VALUE_TOLERANCE * max(float(np.abs(values).max(initial=0)), 1e-300)
    left, right = start, start + breadth
    least = np.searchsorted(values, right - slack, "left") - np.searchsorted(values, left + slack, "right")
    most = np.searchsorted(values, right + slack, "right") - np.searchsorted(values, left - slack, "left")
    wrong = int(((drawn < least) | (drawn > most)).sum())
    text = f"{wrong:,} of {len(drawn):,} bars count other rows than their range holds."
    return Comparison(len(values), wrong, "rows", text)


def _boxes(marks: list[Mark], frame: pd.DataFrame, spec: Spec) -> Comparison | None:
    name, group = value_role(frame, spec), group_role(frame, spec)
    if name is None or group is None:
        return None
    values = numbers(frame[name])
    if values is None:
        return None
    labels = frame[group].astype("string").fillna("")
    expected = []
    for label in dict.fromkeys(labels):
        own = values[(labels == label).to_numpy()]
        own = own[np.isfinite(own)]
        if len(own):
            expected.append(_five_numbers(own))
    drawn = [_column(marks, column) for column in ("position", "low", "q1", "median", "q3", "high", "outliers")]
    columns = [column for column in drawn if column is not None]
    if len(columns) < len(drawn):
        return None
    boxes = np.array(columns).T
    boxes = boxes[np.argsort(boxes[:, 0], kind="stable")][:, 1:]
    if len(boxes) != len(expected):
        text = f"{len(boxes):,} boxes are drawn; your data has {len(expected):,} groups."
        return Comparison(len(expected), max(1, abs(len(boxes) - len(expected))), "boxes", text)
    wanted = np.array(expected)
    equal = _near(boxes, wanted).all(axis=1)
    wrong = int((~equal).sum())
    return Comparison(len(expected), wrong, "boxes", f"{wrong:,} of {len(expected):,} boxes differ from your data.")


def _five_numbers(values: Floats) -> tuple[float, float, float, float, float, float]:
    """Whisker, quartile, median, quartile, whisker, and the number of outliers, as box plots define them."""
    q1, median, q3 = (float(value) for value in np.percentile(values, (25, 50, 75)))
    reach = WHISKER * (q3 - q1)
    inner = values[(values >= q1 - reach) & (values <= q3 + reach)]
    low, high = min(float(inner.min()), q1), max(float(inner.max()), q3)
    return low, q1, median, q3, high, float(len(values) - len(inner))


def _positions(figure: Figure, marks: list[Mark], frame: pd.DataFrame, spec: Spec, flipped: bool) -> Comparison | None:
    """Points, or the points that lines go through, wherever their colors put them."""
    if not marks:
        return None
    noun = "points" if marks[0].kind == "points" else "points of the lines"
    roles = (spec.axes.get("y"), spec.axes.get("x")) if flipped else (spec.axes.get("x"), spec.axes.get("y"))
    if any(role not in frame.columns for role in roles):
        return None
    wanted = [numbers(frame[role]) for role in roles]
    x, y = _column(marks, "x"), _column(marks, "y")
    if wanted[0] is None or wanted[1] is None:
        return _along_categories(figure, (x, y), frame, roles, noun)
    expected = np.column_stack([wanted[0], wanted[1]])
    expected = expected[np.isfinite(expected).all(axis=1)]
    if x is None or y is None:
        return _summaries(marks, expected, noun)
    drawn = np.column_stack([x, y])
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if len(drawn) != len(expected):
        return _another_number(len(drawn), len(expected), noun)
    one = drawn[np.lexsort((drawn[:, 1], drawn[:, 0]))]
    two = expected[np.lexsort((expected[:, 1], expected[:, 0]))]
    equal = _near(one[:, 0], two[:, 0]) & _near(one[:, 1], two[:, 1])
    wrong = int((~equal).sum())
    text = f"{wrong:,} of {len(expected):,} {noun} differ from your data."
    return Comparison(len(expected), wrong, noun, text)


def _along_categories(
    figure: Figure, drawn: tuple[Floats | None, Floats | None], frame: pd.DataFrame, roles: Any, noun: str
) -> Comparison | None:
    """Points whose place on one axis is a category: their values, and whether they stand at their category's name."""
    number = 0 if numbers(frame[roles[0]]) is not None else 1
    values, places, expected = drawn[number], drawn[1 - number], numbers(frame[roles[number]])
    if values is None or places is None or expected is None:
        return None
    found = _in_any_order(values[np.isfinite(values)], expected[np.isfinite(expected)], noun)
    if found.wrong:
        return found
    ticks = [tick for axes in figure.axes for tick in (axes.yticks if number == 0 else axes.xticks)]
    wrong = _misplaced(ticks, places, values, _texts(frame[roles[1 - number]]), expected)
    text = f"The {noun} of {wrong:,} categories stand at another's label."
    return Comparison(found.compared, wrong, noun, text)


def _summaries(marks: list[Mark], expected: Floats, noun: str) -> Comparison | None:
    """With too many points to list, their number, extremes and sums are compared."""
    wrong = 0
    for number, name in enumerate(("x", "y")):
        parts = [mark.summary.get(name) for mark in marks]
        if any(part is None or part.get("count") is None for part in parts):
            return None
        filled = [part for part in parts if part and part["count"]]
        counted = sum(int(part["count"] or 0) for part in filled)
        if counted != len(expected):
            return _another_number(counted, len(expected), noun)
        column = expected[:, number]
        pairs = (
            (min(part["min"] or 0.0 for part in filled), float(column.min())),
            (max(part["max"] or 0.0 for part in filled), float(column.max())),
            (sum(part["sum"] or 0.0 for part in filled), float(column.sum())),
        )
        scale = float(np.abs(column).sum()) or 1.0
        wrong += sum(abs(one - two) > bounds.VALUE_TOLERANCE * scale for one, two in pairs)
    return Comparison(len(expected), wrong, noun, f"The {noun} do not add up to your data.")
