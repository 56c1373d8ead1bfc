"""Columns of dates: their pattern, and whether the day or the month comes first."""

import re
from collections import Counter
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd

from agents_app.intake import dates
from agents_app.intake.cells import DIGITS, Cells, Habits, Typed, fits, kind_or_constant, may_fit, misfits_note, rows_of
from agents_app.intake.grid import clipped
from agents_app.intake.table import Note
from agents_app.refusals import Invalid
from anyplot_site import bounds

_ISO_CHARACTERS = frozenset("0123456789-:T .\n")


def compact_date_column(column: Cells) -> Typed | None:
    """Eight digits that are days without exception (20240131)."""
    if not column.characters <= DIGITS | {"\n"} or len(column.counts) < 2:
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


def years_as_dates(column: Cells) -> Typed | None:
    """Whole years as the first of January, when a person wants dates."""
    found = {text: datetime(int(text), 1, 1) for text in column.counts if text.isdecimal() and 1 <= int(text) <= 9999}
    if not found or len(found) < len(column.counts):
        return None
    return _finish_dates(column, found, "%Y", "ymd", "year")


def date_column(column: Cells, habits: Habits, wish: dict[str, Any], share: float) -> Typed | None:
    """The column as dates, None when too few cells are."""
    if wish.get("format"):
        return _dates_by_format(column, wish["format"])
    if not column.characters & frozenset("0123456789"):
        return None
    if column.characters <= _ISO_CHARACTERS and (typed := _iso(column)):
        return typed
    if share and not may_fit(column, lambda text: dates.shaped(text) is not None):
        return None
    shapes = {text: dates.shaped(text) for text in column.counts}
    known = {text: found for text, found in shapes.items() if found}
    enough, _, _ = fits(column, set(known), share)
    if not enough:
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
    enough, misfits, missing = fits(column, set(moments), share)
    if not enough:
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
    typed.notes += notes + misfits_note(column, misfits, "date")
    if len(counts) > 1 or mixed_order:
        rows = rows_of(column, {text for text, found in known.items() if found.shape != main})
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
    _, misfits, missing = fits(column, set(values), 0.0)
    typed.used_marks |= missing
    typed.notes += misfits_note(column, misfits, "date")
    return typed


def day_first_evidence(column: Cells) -> bool | None:
    """True or False when a column's dates can only be day-first or month-first, None when they do not say."""
    if column.simple or not column.characters & DIGITS:
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
        kind=kind_or_constant(column, kind),
        format=format_,
        order=order,
        used_marks=set(column.missing),
    )
