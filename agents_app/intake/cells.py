"""A column's texts before they have a type, and what all types need to tell whether texts fit.

Works on distinct values with their counts, so that long columns of few values cost little.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from agents_app.intake import numbers
from agents_app.intake.grid import clipped, rows_text
from agents_app.intake.missing import AMONG_VALUES, EVERYWHERE
from agents_app.intake.table import ColumnType, Note
from anyplot_site import bounds

DIGITS = frozenset("0123456789")
_SAMPLE = 500  # values looked at before all of a long column are
_AFFIX = re.compile(r"(?P<before>[^\d.,+\-\u2212(]*)[^()]*?\d[.,]?(?P<after>[^\d.,()\-]*)")


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


def prepare(
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
    if not column.simple and may_fit(column, numbers.looks_like_number):
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


def may_fit(column: Cells, looks: Callable[[str], bool]) -> bool:
    """False when a spread sample of the values shows that far too few of them look right."""
    if not column.characters & DIGITS:
        return False
    step = len(column.counts) // _SAMPLE + 1
    sample = list(column.counts)[::step]
    return sum(map(looks, sample)) >= len(sample) / 2


def series(column: Cells, mapping: dict[str, Any], dtype: str) -> "pd.Series[Any]":
    """The column's values by the value of each text; absent ones are missing."""
    get = mapping.get
    if dtype == "float64":
        return pd.Series(np.array([get(text, math.nan) for text in column.texts], dtype="float64"), name=column.name)
    if dtype == "Int64" and len(mapping) == len(column.counts) and not column.missing:
        return pd.Series(np.array([mapping[text] for text in column.texts]), dtype=dtype, name=column.name)
    return pd.Series([get(text) for text in column.texts], dtype=dtype, name=column.name)


def rows_of(column: Cells, texts: set[str]) -> list[int]:
    """The lines of the cells that hold one of these texts."""
    return [line for text, line in zip(column.texts, column.lines, strict=True) if text in texts]


def misfits_note(column: Cells, misfits: list[str], what: str) -> list[Note]:
    """A note that names the cells which are not of the column's type."""
    if not misfits:
        return []
    rows = rows_of(column, set(misfits))
    shown = ", ".join(f"“{clipped(text, 20)}”" for text in misfits[:3]) + (" …" if len(misfits) > 3 else "")
    count = f"{len(rows)} cell{'s' if len(rows) > 1 else ''}"
    verb = "are" if len(rows) > 1 else "is"
    text = f"{count} of `{column.name}` {verb} no {what} and {'count' if len(rows) > 1 else 'counts'} as missing: "
    code = {"number": "cells_not_numbers", "date": "cells_not_dates"}.get(what, "cells_not_booleans")
    return [Note(code, "warning", f"{text}{shown} ({rows_text(rows)}).", rows[: bounds.NOTE_ROWS], [column.name])]


def fits(column: Cells, fitting: set[str], share: float) -> tuple[bool, list[str], set[str]]:
    """Whether enough cells fit, the texts that do not, and those among them that are missing marks."""
    others = [text for text in column.counts if text not in fitting]
    marks = {text for text in others if text in AMONG_VALUES}
    misfits = [text for text in others if text not in marks]
    good = sum(column.counts[text] for text in fitting)
    bad = sum(column.counts[text] for text in misfits)
    return bool(fitting) and good >= share * (good + bad), misfits, marks


def kind_or_constant(column: Cells, kind: str | None) -> str | None:
    """The kind; `constant` for a column without one whose values are all the same."""
    if kind is None and len(column.counts) == 1 and column.total > 1:
        return "constant"
    return kind
