"""Texts to typed columns: a type is chosen when nine cells of ten fit it, and what does not fit is named.

Works on distinct values with their counts, so that long columns of few values cost little; plain numbers and ISO
dates have a path of their own for long columns of many.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd

from agents_app.intake import dates, numbers
from agents_app.intake.grid import clipped, quoted, rows_text
from agents_app.intake.missing import AMONG_VALUES, EVERYWHERE
from agents_app.intake.table import ColumnType, Note
from agents_app.intake.units import kind_of_name, unit_of_name
from agents_app.refusals import Invalid
from anyplot_site import bounds

_BOOLEANS = (
    ("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("ja", "nein"), ("j", "n"), ("oui", "non"), ("sí", "no"),
    ("si", "no"), ("sì", "no"), ("sim", "não"), ("wahr", "falsch"), ("vrai", "faux"), ("verdadero", "falso"),
    ("vero", "falso"), ("да", "нет"), ("tak", "nie"), ("ano", "ne"), ("ja", "nej"), ("nai", "ochi"), ("ναι", "όχι"),
    ("on", "off"),
)  # fmt: skip
_LONG_INTEGER = 9_007_199_254_740_992  # a float holds whole numbers exactly up to here
_INT64 = 2**63
_DIGITS = frozenset("0123456789")
_SAMPLE = 500  # values looked at before all of a long column are
_ISO_CHARACTERS = frozenset("0123456789-:T .\n")
_CODE = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9_\-./#]*")
_AFFIX = re.compile(r"(?P<before>[^\d.,+\-\u2212(]*)[^()]*?\d[.,]?(?P<after>[^\d.,()\-]*)")
_YEARS = (1000, 2999)
_FORMAT_MARKS = re.compile(r"1(?P<thousands>[.,' \u00a0]?)234(?:(?P<decimal>[.,])\d+)?")


@dataclass
class Cells:
    """A column's texts with what is known before types: distinct values with counts, and the missing among them."""

    name: str
    source_name: str
    texts: list[str]
    lines: list[int]
    native: bool
    unit: str
    counts: dict[str, int]
    joined: str = ""
    characters: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    simple: bool = False  # every value is digits, marks, sign and exponent, and they agree
    bare: str = ""  # the values of a simple column without what they all begin or end with (€, %, kg)
    carried: numbers.Piece | None = None  # that sign or unit
    numeric: bool = False  # at least half of the values are numbers
    evidence: numbers.Evidence = field(default_factory=numbers.Evidence)

    @cached_property
    def pieces(self) -> dict[str, numbers.Piece | None]:
        """Every value taken apart as a number."""
        return {text: numbers.take_apart(text) for text in self.counts}

    @property
    def total(self) -> int:
        """How many cells are not missing."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Habits:
    """What the whole file says: evidence for marks, delimiter, whether it writes the day first, and what was set.

    `decimal`, `thousands` and `day_first` are a person's word (None: find it).
    """

    evidence: numbers.Evidence
    delimiter: str | None = None
    day_first_seen: bool | None = None
    decimal: str | None = None
    thousands: str | None = None
    day_first: bool | None = None


@dataclass
class Typed:
    """A column with its type and values; `marks` of a number column, `order` (dmy, mdy, ymd) of a date column."""

    name: str
    source_name: str
    type: ColumnType
    values: "pd.Series[Any]"
    kind: str | None = None
    unit: str | None = None
    format: str | None = None
    marks: numbers.Marks | None = None
    marked: bool = False
    order: str | None = None
    used_marks: set[str] = field(default_factory=set)
    notes: list[Note] = field(default_factory=list)


def cells(
    name: str,
    texts: list[str],
    lines: list[int],
    *,
    source_name: str = "",
    native: bool = False,
    unit: str = "",
    marks: list[str] | None = None,
) -> Cells:
    """Prepares a column: counts its values and weighs what they say about number marks.

    `marks` are the missing marks that a person set (an empty cell is always missing).
    """
    counts = dict(Counter(texts))
    if any("\r" in text for text in counts):
        # One kind of line break inside cells: a lone carriage return would end the row in `data.csv`.
        texts = [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts]
        counts = dict(Counter(texts))
    everywhere = EVERYWHERE if marks is None else frozenset({"", *marks})
    missing = {text for text in counts if text in everywhere}
    for text in missing:
        del counts[text]
    column = Cells(name, source_name, texts, lines, native, unit, counts, missing=missing)
    column.joined = "\n".join(counts)
    column.characters = set(column.joined)
    if not counts:
        return column
    column.carried, column.bare = _without_affix(column)
    column.simple = numbers.weigh_simple(column.bare, set(column.bare), column.evidence)
    if column.simple and column.carried is not None and column.carried.currency:
        numbers.settle_currency(column.evidence)
    if not column.simple and _may_fit(column, numbers.looks_like_number):
        pieces = column.pieces
        fitting = sum(counts[text] for text, piece in pieces.items() if piece is not None)
        if fitting >= column.total / 2:  # a stray "1,5" among words says nothing about marks
            column.numeric = True
            for text, piece in pieces.items():
                if piece is not None:
                    numbers.weigh(column.evidence, piece, counts[text])
    if native:
        column.evidence.point_decimal += column.evidence.unsure_point or 1
        column.evidence.unsure_point = 0
    return column


def _without_affix(column: Cells) -> tuple[numbers.Piece | None, str]:
    """What all values begin or end with, when it is a sign or a unit, and the values without it, one per line."""
    first = next(iter(column.counts))
    match = _AFFIX.fullmatch(first)
    piece = numbers.take_apart(first) if match else None
    if match is None or piece is None or not (piece.percent or piece.currency or piece.unit):
        return None, column.joined
    before, after = match["before"], match["after"]
    if not all(text.startswith(before) and text.endswith(after) for text in column.counts):
        return None, column.joined
    return piece, "\n".join([text[len(before) : len(text) - len(after)].strip() for text in column.counts])


def _may_fit(column: Cells, looks: Callable[[str], bool]) -> bool:
    """False when a spread sample of the values shows that far too few of them look right."""
    if not column.characters & _DIGITS:
        return False
    step = len(column.counts) // _SAMPLE + 1
    sample = list(column.counts)[::step]
    return sum(map(looks, sample)) >= len(sample) / 2


def type_column(column: Cells, habits: Habits, wish: dict[str, Any]) -> Typed:
    """The typed column; `wish` may set `type` and `format`. Raises Invalid when a wish fits nothing."""
    wanted: str | None = wish.get("type")
    if not column.counts:
        return _empty(column, wanted)
    if wanted is None:
        return (
            _boolean(column)
            or _compact_dates(column)
            or _ids(column)
            or _number(column, habits, wish, bounds.TYPE_FIT_SHARE)
            or _date(column, habits, wish, bounds.TYPE_FIT_SHARE)
            or _words(column, None)
        )
    makers: dict[str, Callable[[], Typed | None]] = {
        "boolean": lambda: _boolean(column, forced=True),
        "number": lambda: _number(column, habits, wish, 0.0),
        "date": lambda: _date(column, habits, wish, 0.0) or _years_as_dates(column),
        "category": lambda: _words(column, "category"),
        "text": lambda: _words(column, "text"),
    }
    typed = makers[wanted]()
    if typed is None:
        example = clipped(next(iter(column.counts)))
        what = {"number": "a number", "date": "a date", "boolean": "a pair of truth values such as yes and no"}[wanted]
        given = f" with the format {wish['format']!r}" if wish.get("format") else ""
        raise Invalid(f"columns: `{column.name}` cannot be of type {wanted}: no value is {what}{given} (“{example}”).")
    return typed


# --- shared ---------------------------------------------------------------------------------


def _series(column: Cells, mapping: dict[str, Any], dtype: str) -> "pd.Series[Any]":
    """The column's values by the value of each text; absent ones are missing."""
    get = mapping.get
    if dtype == "float64":
        return pd.Series(np.array([get(text, math.nan) for text in column.texts], dtype="float64"), name=column.name)
    if dtype == "Int64" and len(mapping) == len(column.counts) and not column.missing:
        return pd.Series(np.array([mapping[text] for text in column.texts]), dtype=dtype, name=column.name)
    return pd.Series([get(text) for text in column.texts], dtype=dtype, name=column.name)


def _rows_of(column: Cells, texts: set[str]) -> list[int]:
    return [line for text, line in zip(column.texts, column.lines, strict=True) if text in texts]


def _misfits(column: Cells, misfits: list[str], what: str) -> list[Note]:
    """A note that names the cells which are not of the column's type."""
    if not misfits:
        return []
    rows = _rows_of(column, set(misfits))
    shown = ", ".join(f"“{clipped(text, 20)}”" for text in misfits[:3]) + (" …" if len(misfits) > 3 else "")
    count = f"{len(rows)} cell{'s' if len(rows) > 1 else ''}"
    verb = "are" if len(rows) > 1 else "is"
    text = f"{count} of `{column.name}` {verb} no {what} and {'count' if len(rows) > 1 else 'counts'} as missing: "
    code = {"number": "cells_not_numbers", "date": "cells_not_dates"}.get(what, "cells_not_booleans")
    return [Note(code, "warning", f"{text}{shown} ({rows_text(rows)}).", rows[: bounds.NOTE_ROWS], [column.name])]


def _fits(column: Cells, fitting: set[str], share: float) -> tuple[bool, list[str], set[str]]:
    """Whether enough cells fit, the texts that do not, and those among them that are missing marks."""
    others = [text for text in column.counts if text not in fitting]
    marks = {text for text in others if text in AMONG_VALUES}
    misfits = [text for text in others if text not in marks]
    good = sum(column.counts[text] for text in fitting)
    bad = sum(column.counts[text] for text in misfits)
    return bool(fitting) and good >= share * (good + bad), misfits, marks


def _kind(column: Cells, kind: str | None) -> str | None:
    if kind is None and len(column.counts) == 1 and column.total > 1:
        return "constant"
    return kind


def _empty(column: Cells, wanted: str | None) -> Typed:
    dtype = {"number": "float64", "date": "datetime64[us]", "boolean": "boolean"}.get(wanted or "", "str")
    type_: Any = wanted or "text"
    values: pd.Series[Any] = pd.Series([None] * len(column.texts), dtype=dtype, name=column.name)
    note = Note("empty_column", "warning", f"`{column.name}` has no values.", columns=[column.name])
    return Typed(
        column.name, column.source_name, type_, values, kind="empty", used_marks=set(column.missing), notes=[note]
    )


# --- booleans -------------------------------------------------------------------------------


def _boolean(column: Cells, forced: bool = False) -> Typed | None:
    """Truth values: every value is of one pair, and both occur or the pair is plain."""
    if len(column.counts) > (50 if forced else 12):
        return None
    folded = {text: text.casefold() for text in column.counts}
    pairs = (*_BOOLEANS, ("1", "0")) if forced else _BOOLEANS
    for yes, no in pairs:
        fitting = {text for text, plain in folded.items() if plain in (yes, no)}
        fits, misfits, marks = _fits(column, fitting, 0.0 if forced else 1.0)
        seen = {folded[text] for text in fitting}
        if not fits or (misfits and not forced) or (len(seen) < 2 and not forced and yes not in ("true", "yes")):
            continue
        values = _series(column, {text: folded[text] == yes for text in fitting}, "boolean")
        shown = sorted(fitting, key=lambda text: folded[text] != yes)
        plain = {text for text in shown} <= {"true", "false"}
        return Typed(
            column.name,
            column.source_name,
            "boolean",
            values,
            kind=_kind(column, None),
            format=None if plain or len(seen) < 2 else "/".join(dict.fromkeys((shown[0], shown[-1]))),
            used_marks=column.missing | marks,
            notes=_misfits(column, misfits, "truth value"),
        )
    return None


# --- numbers --------------------------------------------------------------------------------


def _ids(column: Cells) -> Typed | None:
    """Codes that a number would damage: leading zeros, and more digits than a number keeps."""
    if column.native or not column.characters <= _DIGITS | {"\n"}:
        return None
    zeros = numbers.has_leading_zeros(column.joined)
    long = any(len(text) > 18 for text in column.counts)
    if not zeros and not long:
        return None
    typed = _words(column, None)
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


def _number(column: Cells, habits: Habits, wish: dict[str, Any], share: float) -> Typed | None:
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
    fits, misfits, missing = _fits(column, set(found), share)
    if not fits:
        return None
    used = {text: piece for text, piece in pieces.items() if piece is not None and text in found}
    whole = all(
        "." not in piece.core.replace(marks.thousands or " ", "") and marks.decimal not in piece.core
        for piece in used.values()
    )
    typed = _finish_number(column, found, whole and not any(piece.exponent for piece in used.values()), unit, marks)
    typed.used_marks |= missing
    typed.notes += _misfits(column, misfits, "number")
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
    typed.notes += _misfits(column, infinite, "number")
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
    values = _series(column, found, "float64") if integers is None else _series(column, integers, "Int64")
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
    typed.kind = _kind(column, typed.kind)
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


# --- dates ----------------------------------------------------------------------------------


def _compact_dates(column: Cells) -> Typed | None:
    """Eight digits that are days without exception (20240131)."""
    if not column.characters <= _DIGITS | {"\n"} or len(column.counts) < 2:
        return None
    if any(len(text) != 8 for text in column.counts):
        return None
    found: dict[str, datetime] = {}
    for text in column.counts:
        day = dates.shaped(text, "compact")
        at = dates.moment(day, True) if day else None
        if at is None:
            return None
        found[text] = at.at
    return _finish_dates(column, found, "%Y%m%d", "ymd", None)


def _years_as_dates(column: Cells) -> Typed | None:
    """Whole years as the first of January, when a person wants dates."""
    found = {text: datetime(int(text), 1, 1) for text in column.counts if text.isdecimal() and 1 <= int(text) <= 9999}
    if not found or len(found) < len(column.counts):
        return None
    return _finish_dates(column, found, "%Y", "ymd", "year")


def _date(column: Cells, habits: Habits, wish: dict[str, Any], share: float) -> Typed | None:
    """The column as dates, None when too few cells are."""
    if wish.get("format"):
        return _dates_by_format(column, wish["format"])
    if not column.characters & frozenset("0123456789"):
        return None
    if column.characters <= _ISO_CHARACTERS and (typed := _iso(column)):
        return typed
    if share and not _may_fit(column, lambda text: dates.shaped(text) is not None):
        return None
    shapes = {text: dates.shaped(text) for text in column.counts}
    known = {text: found for text, found in shapes.items() if found}
    fits, _, _ = _fits(column, set(known), share)
    if not fits:
        return None
    day_first = True
    notes: list[Note] = []
    ordered = [found for found in known.values() if found.shape == "dmy"]
    if ordered:
        day_first, notes = _day_first(column, ordered, habits)
    return _dated(column, known, day_first=day_first, notes=notes, share=share)


def _dated(
    column: Cells,
    known: dict[str, dates.Shaped],
    *,
    day_first: bool,
    notes: list[Note],
    share: float,
) -> Typed | None:
    moments = {text: at for text, found in known.items() if (at := dates.moment(found, day_first)) is not None}
    mixed_order = False
    for text, found in known.items():
        # 31/12 in a month-first column: the other order is the only one that gives a day.
        if text not in moments and found.shape == "dmy" and (at := dates.moment(found, not day_first)):
            moments[text], mixed_order = at, True
    fits, misfits, missing = _fits(column, set(moments), share)
    if not fits:
        return None
    offsets = {at.offset for at in moments.values()}
    zoned = {offset for offset in offsets if offset is not None}
    utc = len(zoned) > 1
    values = {text: at.at - at.offset if utc and at.offset is not None else at.at for text, at in moments.items()}
    counts: Counter[str] = Counter()
    for text in moments:
        counts[known[text].shape] += column.counts[text]
    main = counts.most_common(1)[0][0]
    example = next(found for text, found in known.items() if found.shape == main and text in moments)
    order = "ymd" if main in ("ymd", "ym", "yn", "quarter", "week") else "mdy" if main == "ndy" else "dmy"
    if main == "dmy":
        order = "dmy" if day_first else "mdy"
    kind = dates.KINDS.get(main) if len(counts) == 1 else None
    if main == "week" and example.match["a"]:
        kind = None
    typed = _finish_dates(column, values, dates.pattern(example, day_first), order, kind)
    typed.used_marks |= missing
    typed.notes += notes + _misfits(column, misfits, "date")
    if len(counts) > 1 or mixed_order:
        rows = _rows_of(column, {text for text, found in known.items() if found.shape != main})
        text = f"`{column.name}` writes its dates in more than one way; each was read by its own."
        typed.notes.append(Note("mixed_dates", "warning", text, rows[: bounds.NOTE_ROWS], [column.name]))
    if utc:
        text = f"`{column.name}` has times of several zones; all are given in UTC."
        typed.notes.append(Note("times_in_utc", "info", text, columns=[column.name]))
    return typed


def _iso(column: Cells) -> Typed | None:
    """ISO dates and times, all of one length, by the standard library's own reader."""
    lengths = {len(text) for text in column.counts}
    first = next(iter(column.counts))
    if len(lengths) != 1 or lengths.pop() not in (10, 16, 19, 23, 26) or len(first.split("-")) != 3:
        return None
    marks = {(text[4], text[7], text[10:11]) for text in column.counts}
    if len(marks) != 1 or next(iter(marks))[:2] != ("-", "-") or next(iter(marks))[2] not in ("", "T", " "):
        return None
    try:
        found = {text: datetime.fromisoformat(text) for text in column.counts}
    except ValueError:
        return None
    mark, length = next(iter(marks))[2], len(first)
    time = {10: "", 16: "%H:%M", 19: "%H:%M:%S", 23: "%H:%M:%S.%f", 26: "%H:%M:%S.%f"}[length]
    return _finish_dates(column, found, f"%Y-%m-%d{mark}{time}", "ymd", None)


def _dates_by_format(column: Cells, format_: object) -> Typed | None:
    """Dates by the strptime pattern that a person gave."""
    if not isinstance(format_, str) or "%" not in format_:
        raise Invalid(f"columns: {format_!r} is no date format; use one such as '%d.%m.%Y' or '%m/%d/%Y'.")
    found: dict[str, datetime] = {}
    own: dict[str, datetime] = {}
    for text in column.counts:
        shaped = dates.shaped(text)
        for day_first in (True, False):
            # Our own patterns go further than strptime's: quarters, months of other languages.
            if shaped and dates.pattern(shaped, day_first) == format_ and (at := dates.moment(shaped, day_first)):
                own[text] = at.at
        try:
            at_ = datetime.strptime(text, format_)
        except ValueError:
            continue
        except re.error as error:
            raise Invalid(f"columns: {format_!r} is no date format.") from error
        found[text] = at_.replace(tzinfo=None)
    values = {**found, **own}
    if not values:
        return None
    first_day, first_month = format_.find("%d"), max(format_.find("%m"), format_.find("%b"), format_.find("%B"))
    order = "ymd" if format_.startswith(("%Y", "%y", "%G")) else "dmy" if 0 <= first_day < first_month else "mdy"
    typed = _finish_dates(column, values, format_, order, None)
    _, misfits, missing = _fits(column, set(values), 0.0)
    typed.used_marks |= missing
    typed.notes += _misfits(column, misfits, "date")
    return typed


def day_first_evidence(column: Cells) -> bool | None:
    """True or False when a column's dates can only be day-first or month-first, None when they do not say."""
    if column.simple or not column.characters & _DIGITS:
        return None
    firsts = seconds = 0
    for text in list(column.counts)[:2000]:
        found = dates.shaped(text, "dmy")
        if found:
            firsts += found.first > 12
            seconds += found.second > 12
    return None if firsts == seconds else firsts > seconds


def _day_first(column: Cells, found: list[dates.Shaped], habits: Habits) -> tuple[bool, list[Note]]:
    """Whether the day comes first: by a person's word, by values above 12, by order, by the file's habits."""
    if habits.day_first is not None:
        return habits.day_first, []
    firsts = sum(item.first > 12 for item in found)
    seconds = sum(item.second > 12 for item in found)
    if firsts != seconds:
        return firsts > seconds, []
    if all(item.match["mark"] == "." for item in found) or all(item.first == item.second for item in found):
        return True, []
    guess, why = _likely_order(column, habits)
    example = found[0]
    first, second = dates.moment(example, guess), dates.moment(example, not guess)
    text = (
        f"`{column.name}`: “{clipped(example.match.group())}” is read as "
        f"{first.at.date() if first else '?'} ({'day' if guess else 'month'} first{why}); "
        f"it could also be {second.at.date() if second else '?'}."
    )
    return guess, [Note("ambiguous_dates", "warning", text, columns=[column.name])]


def _likely_order(column: Cells, habits: Habits) -> tuple[bool, str]:
    """A guess and its reason: the order in which the rows ascend, other columns, the decimal mark, the delimiter."""
    sorted_by = {day_first: _ascending(column, day_first) for day_first in (True, False)}
    if sorted_by[True] != sorted_by[False]:
        return sorted_by[True], ", since the rows then ascend"
    if habits.day_first_seen is not None:
        return habits.day_first_seen, ", as in another column"
    if habits.evidence.for_comma > habits.evidence.for_point or habits.delimiter == ";":
        return True, ", as files with decimal commas or semicolons do"
    return False, ""


def _ascending(column: Cells, day_first: bool) -> bool:
    """True when the dates, read so, never go back (or never forward) over at least three different ones."""
    last: datetime | None = None
    up = down = True
    for text in column.texts[:5000]:
        found = dates.shaped(text, "dmy")
        at = dates.moment(found, day_first) if found else None
        if at is None:
            continue
        if last is not None:
            up, down = up and at.at >= last, down and at.at <= last
        last = at.at
    return (up or down) and len(column.counts) >= 3


def _finish_dates(column: Cells, found: dict[str, datetime], format_: str, order: str, kind: str | None) -> Typed:
    # Converted once per distinct value; the last place stands for a missing one.
    known = np.array([*found.values(), None], dtype="datetime64[us]")
    place = {text: index for index, text in enumerate(found)}
    last = len(found)
    values: pd.Series[Any] = pd.Series(known[[place.get(text, last) for text in column.texts]], name=column.name)
    return Typed(
        column.name,
        column.source_name,
        "date",
        values,
        kind=_kind(column, kind),
        format=format_,
        order=order,
        used_marks=set(column.missing),
    )


# --- words ----------------------------------------------------------------------------------


def _words(column: Cells, wanted: ColumnType | None) -> Typed:
    """Words: a category when they repeat or are few and short, else text."""
    values: pd.Series[Any] = pd.Series(
        [None if text in column.missing else text for text in column.texts], dtype="str", name=column.name
    )
    distinct, total = len(column.counts), column.total
    length = sum(map(len, column.counts)) / distinct
    spread = distinct > bounds.TEXT_VALUES and distinct > total / 2
    category = not spread and length <= bounds.TEXT_CELL_CHARACTERS
    type_: ColumnType = wanted or ("category" if category else "text")
    kind = None
    if all(dates.TIME_OF_DAY.fullmatch(text) for text in column.counts):
        kind = "time"
    elif (
        kind_of_name(column.source_name) == "id" and distinct > 0.5 * total and all(map(_CODE.fullmatch, column.counts))
    ):
        kind = "id"
    return Typed(
        column.name, column.source_name, type_, values, kind=_kind(column, kind), used_marks=set(column.missing)
    )


def word_marks(columns: list[Typed], texts: dict[str, set[str]]) -> Note | None:
    """A note when a word such as "None" counted as missing among words, where it may be a value."""
    named = [column.name for column in columns if column.type in ("category", "text") and texts.get(column.name)]
    if not named:
        return None
    words = sorted({word for name in named for word in texts[name]})
    text = f"{', '.join(f'“{word}”' for word in words)} in {quoted(named)} counts as missing. Is it a value?"
    return Note("words_counted_missing", "info", text, columns=named)
