"""Columns of numbers and of codes: their marks, their unit, their kind."""

import math
import re
from collections import Counter
from typing import Any, Literal

from agents_app.intake import numbers
from agents_app.intake.cells import DIGITS, Cells, Habits, Typed, fits, kind_or_constant, misfits_note, series
from agents_app.intake.grid import clipped
from agents_app.intake.table import Note
from agents_app.intake.units import kind_of_name, unit_of_name
from agents_app.intake.word_column import word_column
from agents_app.refusals import Invalid

_LONG_INTEGER = 9_007_199_254_740_992  # a float holds whole numbers exactly up to here
_INT64 = 2**63
_YEARS = (1000, 2999)
_FORMAT_MARKS = re.compile(r"1(?P<thousands>[.,' \u00a0]?)234(?:(?P<decimal>[.,])\d+)?")


def code_column(column: Cells) -> Typed | None:
    """Codes that a number would damage: leading zeros, and more digits than a number keeps."""
    if column.native or not column.characters <= DIGITS | {"\n"}:
        return None
    zeros = numbers.has_leading_zeros(column.joined)
    long = any(len(text) > 18 for text in column.counts)
    if not zeros and not long:
        return None
    typed = word_column(column, None)
    typed.kind = "id"
    why = "leading zeros" if zeros else "more digits than a number keeps"
    example = next((text for text in column.counts if len(text) > 18 or (text[:1] == "0" and len(text) > 1)), "")
    text = f"`{column.name}` has {why} (“{clipped(example)}”), so it is kept as text."
    typed.notes.append(Note("ids_kept_as_text", "info", text, columns=[column.name]))
    return typed


def marks_by_format(format_: object) -> numbers.Marks:
    """The marks of a format written as an example (`1.234,56`). Raises Invalid for anything else."""
    match = _FORMAT_MARKS.fullmatch(format_) if isinstance(format_, str) else None
    if match is None or match["thousands"] == match["decimal"]:
        raise Invalid(
            f"columns: {format_!r} is no format of numbers; use one such as '1,234.56', '1.234,56' or '1234,56'."
        )
    thousands = match["thousands"].replace("\u00a0", " ")
    decimal = match["decimal"] or ("," if thousands == "." else ".")
    return numbers.Marks(decimal, thousands)


def _decision(column: Cells, habits: Habits, format_: object) -> numbers.Decision:
    if format_ is not None:
        return numbers.Decision(marks_by_format(format_))
    decided = numbers.decide(column.evidence, habits.evidence, habits.delimiter)
    if column.native:
        return numbers.Decision(numbers.Marks(".", "," if column.evidence.comma_group else ""))
    if habits.decimal is None and habits.thousands is None:
        return decided
    decimal, thousands = habits.decimal, habits.thousands
    if decimal is None:
        decimal = {".": ",", ",": "."}.get(thousands or "", decided.marks.decimal)
    if thousands is None:
        thousands = decided.marks.thousands if decided.marks.thousands != decimal else ""
        thousands = thousands or ({".": ",", ",": "."}[decimal] if _groups(column, decimal) else "")
    return numbers.Decision(numbers.Marks(decimal, thousands))


def _groups(column: Cells, decimal: str) -> bool:
    """True when the mark that is not the decimal one may group digits in this column."""
    own = column.evidence
    return bool(own.unsure_point or own.point_group if decimal == "," else own.unsure_comma or own.comma_group)


def number_column(column: Cells, habits: Habits, wish: dict[str, Any], share: float) -> Typed | None:
    """The column as numbers, None when too few cells are."""
    if share and not column.simple and not column.numeric:
        return None
    decision = _decision(column, habits, wish.get("format"))
    marks = decision.marks
    if column.simple and (simple := numbers.simple_values(column.bare, marks)) is not None:
        return _simple_numbers(column, simple, decision)
    pieces = column.pieces
    found: dict[str, float] = {}
    for text, piece in pieces.items():
        if piece is not None and (value := numbers.number(piece, marks)) is not None and abs(value) != float("inf"):
            found[text] = value
    unit, unit_misfits = _common_unit(column, pieces, found)
    for text in unit_misfits:
        del found[text]
    enough, misfits, missing = fits(column, set(found), share)
    if not enough:
        return None
    used = {text: piece for text, piece in pieces.items() if piece is not None and text in found}
    whole = all(
        "." not in piece.core.replace(marks.thousands or " ", "") and marks.decimal not in piece.core
        for piece in used.values()
    )
    typed = _finish_number(column, found, whole and not any(piece.exponent for piece in used.values()), unit, marks)
    typed.used_marks |= missing
    typed.notes += misfits_note(column, misfits, "number")
    marked = any(not piece.core.isdecimal() for piece in used.values())
    _say_marks(typed, column, decision, marked)
    return typed


def _common_unit(
    column: Cells, pieces: dict[str, numbers.Piece | None], found: dict[str, float]
) -> tuple[tuple[str | None, str | None], list[str]]:
    """(kind, unit) that the cells themselves carry, and the texts whose unit is another one."""
    counts: Counter[str] = Counter()
    for text in found:
        counts[_sign(pieces[text])] += column.counts[text]
    if set(counts) <= {""}:
        return (None, None), []
    unit = max((mark for mark in counts if mark), key=lambda mark: counts[mark])
    others = [mark for mark in counts if mark not in ("", unit)]
    wrong = [text for text in found if _sign(pieces[text]) in others] if others else []
    if counts[unit] < 0.5 * sum(counts.values()):
        return (None, None), wrong
    return _kind_and_unit(next(p for t in found if (p := pieces[t]) is not None and _sign(p) == unit)), wrong


def _sign(piece: numbers.Piece | None) -> str:
    """The percent sign, the currency or the unit of a cell; empty for none."""
    return "" if piece is None else "%" if piece.percent else piece.currency or piece.unit


def _kind_and_unit(piece: numbers.Piece) -> tuple[str | None, str | None]:
    """The kind and the unit of a column whose cells carry this sign."""
    return ("percent" if piece.percent else "currency" if piece.currency else None), _sign(piece)


def _simple_numbers(column: Cells, simple: list[float], decision: numbers.Decision) -> Typed:
    """A column whose values were converted all at once."""
    characters = set(column.bare)
    whole = not characters & {decision.marks.decimal, "e", "E"}
    found = dict(zip(column.counts, simple, strict=True))
    infinite = [text for text, value in found.items() if math.isinf(value)]
    for text in infinite:
        del found[text]
    unit = (None, None) if column.carried is None else _kind_and_unit(column.carried)
    typed = _finish_number(column, found, whole, unit, decision.marks)
    typed.notes += misfits_note(column, infinite, "number")
    _say_marks(typed, column, decision, bool(characters & {".", ","}))
    return typed


def _finish_number(
    column: Cells,
    found: dict[str, float],
    whole: bool,
    unit: tuple[str | None, str | None],
    marks: numbers.Marks,
) -> Typed:
    integers = _integers(found, whole)
    values = series(column, found, "float64") if integers is None else series(column, integers, "Int64")
    kind, own_unit = unit
    typed = Typed(column.name, column.source_name, "number", values, kind=kind, unit=own_unit, marks=marks)
    typed.used_marks = set(column.missing)
    typed.format = None
    if kind is None:
        typed.kind = _number_kind(column, found, whole, marks)
    if typed.unit is None:
        typed.unit = column.unit.strip("[]() ") or unit_of_name(column.source_name)
    if typed.kind is None and typed.unit is not None:
        typed.kind = "percent" if typed.unit == "%" else "currency" if typed.unit in numbers.CURRENCIES else None
    typed.kind = kind_or_constant(column, typed.kind)
    return typed


def _integers(found: dict[str, float], whole: bool) -> dict[str, int] | None:
    """The values as whole numbers (12,0 too), None when one is not or is too long; `whole`: written as such."""
    largest = max(map(abs, found.values()), default=0.0)
    if largest >= _INT64 or not all(map(float.is_integer, found.values())):
        return None
    if whole and largest >= _LONG_INTEGER:
        exact = {text: _exact(text) for text in found}
        return exact if max(map(abs, exact.values())) < _INT64 else None
    return {text: int(value) for text, value in found.items()}


def _exact(text: str) -> int:
    """A long whole number without a detour through a float."""
    digits = int(re.sub(r"\D", "", text))
    piece = numbers.take_apart(text)
    return -digits if piece is not None and piece.negative else digits


def _number_kind(column: Cells, found: dict[str, float], whole: bool, marks: numbers.Marks) -> str | None:
    """year, id, percent or currency, by name and values."""
    by_name = kind_of_name(column.source_name)
    if not whole:
        return by_name if by_name in ("percent", "currency") else None
    values = found.values()
    low, high = min(values), max(values)
    plain = all(text.lstrip("+-").isdecimal() for text in column.counts if text in found)
    if (
        plain
        and _YEARS[0] <= low
        and high <= _YEARS[1]
        and (by_name == "year" or _consecutive_years(column, low, high))
    ):
        return "year"
    if by_name == "id" and low >= 0:
        return "id"
    if not column.source_name.strip() and _numbered(column, found):
        return "id"
    return by_name if by_name in ("percent", "currency") else None


def _consecutive_years(column: Cells, low: float, high: float) -> bool:
    """Every year of a span without a gap, within what charts show, and nothing else in the column."""
    return low >= 1700 and high <= 2100 and high - low >= 2 and len(column.counts) == high - low + 1


def _numbered(column: Cells, found: dict[str, float]) -> bool:
    """1, 2, 3, … or 0, 1, 2, …: row numbers."""
    low = min(found.values())
    return low in (0, 1) and len(found) == len(column.texts) and max(found.values()) == low + len(found) - 1


def _say_marks(typed: Typed, column: Cells, decision: numbers.Decision, marked: bool) -> None:
    """Keeps the marks for the receipt and says when they are a guess."""
    typed.marked = marked
    typed.format = decision.marks.example if marked and typed.kind not in ("year", "id") else None
    own = column.evidence
    if not marked or not (decision.unsure or decision.weak) or not (own.unsure_point or own.unsure_comma):
        return
    mark = "," if own.unsure_comma else "."
    example = next((text for text in column.counts if mark in text), next(iter(column.counts)))
    piece = numbers.take_apart(example)
    grouped = decision.marks.thousands == mark
    other = numbers.Marks(mark, "") if grouped else numbers.Marks("," if mark == "." else ".", mark)
    now = numbers.number(piece, decision.marks) if piece else None
    instead = numbers.number(piece, other) if piece else None
    text = (
        f"`{column.name}`: three digits follow the {'comma' if mark == ',' else 'point'} everywhere. "
        f"“{clipped(example)}” is read as {_shown(now)}; it could also be {_shown(instead)}."
    )
    # A point before decimals is how most files are written: worth saying, hardly a warning.
    severity: Literal["info", "warning"] = "info" if decision.marks == numbers.Marks(".", "") else "warning"
    typed.notes.append(Note("ambiguous_decimal", severity, text, columns=[column.name]))


def _shown(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.12g}"
