"""Texts to a typed column: a type is chosen when nine cells of ten fit it, and what does not fit is named."""

from collections.abc import Callable
from typing import Any

from agents_app.intake.cells import Cells, Habits, Typed
from agents_app.intake.date_column import compact_date_column, date_column, years_as_dates
from agents_app.intake.grid import clipped
from agents_app.intake.number_column import code_column, number_column
from agents_app.intake.word_column import boolean_column, empty_column, word_column
from agents_app.refusals import Invalid
from anyplot_site import bounds


def type_column(column: Cells, habits: Habits, wish: dict[str, Any]) -> Typed:
    """The typed column; `wish` may set `type` and `format`. Raises Invalid when a wish fits nothing."""
    wanted: str | None = wish.get("type")
    if not column.counts:
        return empty_column(column, wanted)
    if wanted is None:
        return (
            boolean_column(column)
            or compact_date_column(column)
            or code_column(column)
            or number_column(column, habits, wish, bounds.TYPE_FIT_SHARE)
            or date_column(column, habits, wish, bounds.TYPE_FIT_SHARE)
            or word_column(column, None)
        )
    makers: dict[str, Callable[[], Typed | None]] = {
        "boolean": lambda: boolean_column(column, forced=True),
        "number": lambda: number_column(column, habits, wish, 0.0),
        "date": lambda: date_column(column, habits, wish, 0.0) or years_as_dates(column),
        "category": lambda: word_column(column, "category"),
        "text": lambda: word_column(column, "text"),
    }
    typed = makers[wanted]()
    if typed is None:
        example = clipped(next(iter(column.counts)))
        what = {"number": "a number", "date": "a date", "boolean": "a pair of truth values such as yes and no"}[wanted]
        given = f" with the format {wish['format']!r}" if wish.get("format") else ""
        raise Invalid(f"columns: `{column.name}` cannot be of type {wanted}: no value is {what}{given} (“{example}”).")
    return typed
