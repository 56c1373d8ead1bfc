"""Columns of words, of truth values, and of nothing."""

import re
from typing import Any

import pandas as pd

from agents_app.intake import dates
from agents_app.intake.cells import Cells, Typed, fits, kind_or_constant, misfits_note, series
from agents_app.intake.grid import quoted
from agents_app.intake.table import ColumnType, Note
from agents_app.intake.units import kind_of_name
from anyplot_site import bounds

_BOOLEANS = (
    ("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("ja", "nein"), ("j", "n"), ("oui", "non"), ("sí", "no"),
    ("si", "no"), ("sì", "no"), ("sim", "não"), ("wahr", "falsch"), ("vrai", "faux"), ("verdadero", "falso"),
    ("vero", "falso"), ("да", "нет"), ("tak", "nie"), ("ano", "ne"), ("ja", "nej"), ("nai", "ochi"), ("ναι", "όχι"),
    ("on", "off"),
)  # fmt: skip
_CODE = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9_\-./#]*")


def boolean_column(column: Cells, forced: bool = False) -> Typed | None:
    """Truth values: every value is of one pair, and both occur or the pair is plain."""
    if len(column.counts) > (50 if forced else 12):
        return None
    folded = {text: text.casefold() for text in column.counts}
    pairs = (*_BOOLEANS, ("1", "0")) if forced else _BOOLEANS
    for yes, no in pairs:
        fitting = {text for text, plain in folded.items() if plain in (yes, no)}
        enough, misfits, marks = fits(column, fitting, 0.0 if forced else 1.0)
        seen = {folded[text] for text in fitting}
        if not enough or (misfits and not forced) or (len(seen) < 2 and not forced and yes not in ("true", "yes")):
            continue
        values = series(column, {text: folded[text] == yes for text in fitting}, "boolean")
        shown = sorted(fitting, key=lambda text: folded[text] != yes)
        plain = {text for text in shown} <= {"true", "false"}
        return Typed(
            column.name,
            column.source_name,
            "boolean",
            values,
            kind=kind_or_constant(column, None),
            format=None if plain or len(seen) < 2 else "/".join(dict.fromkeys((shown[0], shown[-1]))),
            used_marks=column.missing | marks,
            notes=misfits_note(column, misfits, "truth value"),
        )
    return None


def empty_column(column: Cells, wanted: str | None) -> Typed:
    """A column without values, of the type that a person set, else text."""
    dtype = {"number": "float64", "date": "datetime64[us]", "boolean": "boolean"}.get(wanted or "", "str")
    type_: Any = wanted or "text"
    values: pd.Series[Any] = pd.Series([None] * len(column.texts), dtype=dtype, name=column.name)
    note = Note("empty_column", "warning", f"`{column.name}` has no values.", columns=[column.name])
    return Typed(
        column.name, column.source_name, type_, values, kind="empty", used_marks=set(column.missing), notes=[note]
    )


def word_column(column: Cells, wanted: ColumnType | None) -> Typed:
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
        column.name,
        column.source_name,
        type_,
        values,
        kind=kind_or_constant(column, kind),
        used_marks=set(column.missing),
    )


def word_marks(columns: list[Typed], texts: dict[str, set[str]]) -> Note | None:
    """A note when a word such as "None" counted as missing among words, where it may be a value."""
    named = [column.name for column in columns if column.type in ("category", "text") and texts.get(column.name)]
    if not named:
        return None
    words = sorted({word for name in named for word in texts[name]})
    text = f"{', '.join(f'“{word}”' for word in words)} in {quoted(named)} counts as missing. Is it a value?"
    return Note("words_counted_missing", "info", text, columns=named)
