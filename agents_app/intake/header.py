"""The header: whether there is one, of how many rows, and whether units stand below it."""

import re
from typing import Any

from agents_app.intake.grid import clipped, padded
from agents_app.intake.looks import is_missing, is_typed, is_year
from agents_app.intake.table import Note
from agents_app.refusals import Invalid
from anyplot_site import bounds

_LOOK_ROWS = 200  # rows below the header that say what its columns hold
_TYPED_SHARE = 0.8
_UNITISH = re.compile(r"[\[(].{0,30}[\])]|[^\d].{0,29}")


def find_header(
    rows: list[list[str]],
    filled: list[int],
    width: int,
    *,
    wanted: dict[str, Any],
    lines: list[int],
    notes: list[Note],
) -> tuple[int, int | None]:
    """How many rows the header takes, and the index of a units row."""
    asked = wanted.get("header_rows")
    units_wish = wanted.get("units_row")
    if asked == 0:
        return 0, None
    if asked is not None and asked > len(filled):
        raise Invalid(f"reading.header_rows: {asked} is more than there are rows.")
    if asked is None and not _has_header(rows, filled, width):
        text = "The first row holds values, not names; the columns are called column_1, column_2, …"
        notes.append(Note("no_header", "warning", text, rows=[lines[filled[0]]]))
        return 0, None
    if units_wish:
        place = next((place for place, index in enumerate(filled[:5]) if lines[index] == units_wish), None)
        if not place:
            raise Invalid(f"reading.units_row: row {units_wish} does not stand below the header.")
        return place + 1, filled[place]
    merged = asked is None and _has_two_rows(rows, filled, width)
    if "units_row" not in wanted and asked in (None, 2) and not merged and _has_units(rows, filled, width):
        units = [cell for cell in rows[filled[1]] if cell]
        text = f"Row {lines[filled[1]]} gives units ({clipped(', '.join(units), 60)}); it is no row of data."
        notes.append(Note("units_row", "info", text, rows=[lines[filled[1]]]))
        return 2, filled[1]
    if merged:
        second = clipped(", ".join(filter(None, rows[filled[1]])), 60)
        text = f"The header has two rows; their words are joined ({second})."
        notes.append(Note("header_joined", "info", text, rows=[lines[filled[0]], lines[filled[1]]]))
        return 2, None
    return asked or 1, None


def _has_two_rows(rows: list[list[str]], filled: list[int], width: int) -> bool:
    """True when the first row leaves gaps (merged cells) that the second one fills with words over values."""
    if len(filled) < 4:
        return False
    head, second, body = padded(rows[filled[0]], width), rows[filled[1]], filled[2 : 2 + _LOOK_ROWS]
    if len(second) > width or any(is_typed(cell) and not is_year(cell) for cell in second):
        return False
    gaps = [j for j, cell in enumerate(second) if cell and j and not head[j]]
    over = [j for j in range(width) if sum(map(is_typed, _body_cells(rows, body, j))) > len(body) / 2]
    return bool(gaps) and all(j < len(second) and second[j] for j in over if j) and any(j in over for j in gaps)


def head_names(
    rows: list[list[str]], filled: list[int], header_rows: int, units_at: int | None, width: int
) -> list[str]:
    """The names as they stand; of two rows the upper one's reach over the gaps to their right, and both are joined."""
    head = list(rows[filled[0]])
    if header_rows != 2 or units_at is not None:
        return head
    second = padded(rows[filled[1]], width)
    reach, joined = "", []
    for upper, lower in zip(padded(head, width), second, strict=True):
        reach = upper or (reach if lower else "")
        joined.append(f"{reach} {lower}".strip())
    return joined


def _body_cells(rows: list[list[str]], indexes: list[int], j: int) -> list[str]:
    return [rows[index][j] for index in indexes if j < len(rows[index]) and not is_missing(rows[index][j])]


def _has_header(rows: list[list[str]], filled: list[int], width: int) -> bool:
    """Weighs the first row against the columns below: words over values speak for it, values over values against."""
    head, body = rows[filled[0]], filled[1 : 1 + _LOOK_ROWS]
    if not body:
        return not any(is_typed(cell) for cell in head)
    speaks_for = speaks_against = 0.0
    for j in range(min(width, len(head))):
        cell = head[j]
        values = _body_cells(rows, body, j)
        if is_missing(cell) or not values:
            continue
        if sum(map(is_typed, values)) >= _TYPED_SHARE * len(values):
            if not is_typed(cell):
                speaks_for += 1
            elif is_year(cell) and sum(map(is_year, values)) < len(values) / 2:
                speaks_for += 0.5
            else:
                speaks_against += 1
        elif is_typed(cell) and not is_year(cell):
            # Seldom a name, but one lone value may be: "Unnamed", "1st", "%".
            speaks_against += 0.5
        elif cell in values:
            speaks_against += 1
    return speaks_for >= speaks_against


def _has_units(rows: list[list[str]], filled: list[int], width: int) -> bool:
    """True when the row below the header has words where the columns hold numbers, and nothing that is a value."""
    if len(filled) < 4:
        return False
    row, body = rows[filled[1]], filled[2 : 2 + _LOOK_ROWS]
    if len(row) > width or any(is_typed(cell) for cell in row):
        return False
    numeric = with_unit = 0
    for j in range(min(width, len(row))):
        cell = row[j]
        values = _body_cells(rows, body, j)
        if values and sum(map(is_typed, values)) >= bounds.TYPE_FIT_SHARE * len(values):
            numeric += 1
            if cell and not is_missing(cell):
                if not _UNITISH.fullmatch(cell):
                    return False
                with_unit += 1
        elif cell and not is_missing(cell) and values and (cell in values or cell[0] not in "[("):
            return False
    return with_unit > 0 and with_unit >= numeric / 2
