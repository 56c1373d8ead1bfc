"""Rows to a table: what stands above and below it, its header, its units row, its columns."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from agents_app.intake.delimited import refuse_long
from agents_app.intake.grid import Grid, clipped, quoted, rows_text
from agents_app.intake.looks import is_missing, is_typed, is_year
from agents_app.intake.numbers import Marks, number, take_apart
from agents_app.intake.table import Note
from agents_app.refusals import Invalid, TooLarge, Unreadable
from anyplot_site import bounds

_LOOK_ROWS = 200  # rows below the header that say what its columns hold
_TITLE_ROWS = 40  # a header further down is none
_FOOTER_ROWS = 60
_TYPED_SHARE = 0.8
_TOTAL = re.compile(
    r"(?:grand |sub|sub-|overall )?totals?|sum|summe|gesamt(?:summe|ergebnis)?|insgesamt|zusammen|total général|totaux|"
    r"ensemble|totale|totali|suma|total general|razem|ogółem|итого|всего|totaal|totalt|summa|összesen|celkem|"
    r"合计|合計|총계|σύνολο",
    re.IGNORECASE,
)
_MEAN = re.compile(
    r"average|avg\.?|mean|durchschnitt|mittel(?:wert)?|moyenne|media|promedio|gemiddelde|среднее", re.IGNORECASE
)
_MEAN_SLACK = 0.02  # a mean is often rounded
_SOURCE = re.compile(
    r"(?:data )?sources?\b|quellen?\b|notes?\b|anmerkung|hinweis|fuente|fonte|remarques?\b|updated|last update|stand\b|"
    r"generated|created|exported|copyright|licen[cs]e|\*|†|\[?\d\]?\)? |\(c\)|©|--+$|end of",
    re.IGNORECASE,
)
_UNITISH = re.compile(r"[\[(].{0,30}[\])]|[^\d].{0,29}")


@dataclass
class Shape:
    """A table of texts: one list per column, and where its rows and its surroundings stood.

    `names` are unique and not empty; `source_names` as they stood; `units` from a units row.
    """

    names: list[str]
    source_names: list[str]
    columns: list[list[str]]
    lines: list[int]
    units: list[str]
    native: list[bool]
    skipped_rows: int = 0
    header_rows: int = 1
    footer_rows: int = 0
    units_row: int | None = None
    notes: list[Note] = field(default_factory=list)


def shape(grid: Grid, wanted: dict[str, Any]) -> Shape:
    """The table in a grid; `wanted` holds what a person set of skipped_rows, header_rows, footer_rows, units_row.

    Raises Unreadable when no rows are left, TooLarge beyond rows and columns, Invalid for impossible wishes.
    """
    notes: list[Note] = []
    rows = grid.rows
    for row in rows:
        # In place: as many new lists would wake the garbage collector over and over.
        row[:] = [cell.strip() for cell in row]
    lines = grid.lines
    top, bottom = _cut(rows, lines, grid, wanted)
    filled = [index for index in range(top, bottom) if any(rows[index])]
    if not filled:
        raise _nothing(grid, wanted)
    if grid.names is not None:
        return _named(grid, rows, notes)
    width = _usual_width([rows[index] for index in filled])
    if "skipped_rows" not in wanted:
        filled = _without_titles(rows, filled, width)
    start = filled[0]
    footer: list[int] = []
    if "footer_rows" not in wanted:
        filled, footer = _without_notes(rows, filled, width)
    header_rows, units_at = _header(rows, filled, width, wanted=wanted, lines=lines, notes=notes)
    body = filled[header_rows:]
    if "footer_rows" not in wanted:
        body, total = _without_total(rows, body, width)
        footer = total + footer
    if not body:
        raise Unreadable(
            "There is a header but no rows below it. Paste the rows too.",
            lines=[
                {"row": lines[start], "column": None, "value": clipped(" ".join(rows[start]), 80), "text": "the header"}
            ],
        )
    if len(body) > bounds.TABLE_ROWS:
        refuse_long(len(body))
    head = _head(rows, filled, header_rows, units_at, width) if header_rows else []
    width, head = _full_width(rows, body, width, head, notes=notes, lines=lines)
    columns = _columns(rows, body, width)
    units = list(rows[units_at]) if units_at is not None else []
    found = Shape(
        names=[],
        source_names=_padded(head, width),
        columns=columns,
        lines=[lines[index] for index in body],
        units=_padded(units, width),
        native=[j in grid.native for j in range(width)],
        skipped_rows=max(lines[start] - 1, 0),
        header_rows=header_rows,
        footer_rows=_footer_count(grid, lines, body, wanted),
        units_row=lines[units_at] if units_at is not None else None,
        notes=notes,
    )
    _say_cuts(found, rows, lines, start=start, footer=footer, wanted=wanted)
    _drop_blank_columns(found)
    _name(found, bool(header_rows))
    return found


def _named(grid: Grid, rows: list[list[str]], notes: list[Note]) -> Shape:
    """The table of a format that names its columns itself."""
    width = len(grid.names or [])
    found = Shape(
        names=[],
        source_names=list(grid.names or []),
        columns=_columns(rows, range(len(rows)), width),
        lines=list(grid.lines),
        units=[""] * width,
        native=[j in grid.native for j in range(width)],
        notes=notes,
    )
    _name(found, True)
    return found


def _nothing(grid: Grid, wanted: dict[str, Any]) -> Exception:
    if wanted.get("skipped_rows") or wanted.get("footer_rows"):
        return Invalid("reading: with these rows left out nothing is left. Skip fewer rows.")
    return Unreadable("There is nothing in it but blank rows. Paste a table with a header and rows.", lines=[])


def _cut(rows: list[list[str]], lines: list[int], grid: Grid, wanted: dict[str, Any]) -> tuple[int, int]:
    """The range of rows that a person's skipped_rows and footer_rows leave."""
    top, bottom = 0, len(rows)
    if "skipped_rows" in wanted:
        skip = wanted["skipped_rows"]
        top = next((index for index, line in enumerate(lines) if line > skip), len(rows))
    if wanted.get("footer_rows"):
        last = max(grid.lines_total, lines[-1] if lines else 0) - wanted["footer_rows"]
        bottom = next((index for index, line in enumerate(lines) if line > last), len(rows))
    return top, max(top, bottom)


def _usual_width(rows: list[list[str]]) -> int:
    """The number of cells that rows usually have, not counting what is always empty at the end."""
    counts = Counter(len(row) for row in rows)
    most = max(counts.values())
    width = max(number for number, count in counts.items() if count >= 0.8 * most)
    if width > 1:
        # Trailing delimiters on every row make an empty last column; a sheet may be padded.
        used = width
        fitting = [row for row in rows if len(row) <= width]
        while used > 1 and not any(len(row) >= used and row[used - 1] for row in fitting):
            used -= 1
        width = max(1, min(width, used))
    if width > bounds.TABLE_COLUMNS:
        raise TooLarge(
            f"The table has {width:,} columns; at most {bounds.TABLE_COLUMNS} can be read. "
            "Leave out the columns that the plot does not need.",
            limit=bounds.TABLE_COLUMNS,
            value=width,
        )
    return width


def _count(row: list[str]) -> int:
    return sum(1 for cell in row if cell)


def _without_titles(rows: list[list[str]], filled: list[int], width: int) -> list[int]:
    """The rows from the header on: the first one that is as wide as the table and at least half filled."""
    if width == 1:
        return filled
    enough = max(2, (width + 1) // 2)
    for place, index in enumerate(filled[:_TITLE_ROWS]):
        row = rows[index]
        if (
            len(row) >= width - 1
            and _count(row) >= enough
            and (len(row) >= width or _one_short(rows, filled, place, width))
        ):
            return _after_gap(rows, filled, place, width)
    return filled


def _one_short(rows: list[list[str]], filled: list[int], place: int, width: int) -> bool:
    """A header one cell short of its rows (row names without a name) is followed by a full row at once."""
    return place + 1 < len(filled) and len(rows[filled[place + 1]]) >= width


def _after_gap(rows: list[list[str]], filled: list[int], place: int, width: int) -> list[int]:
    """Skips what looks like a header but is a title with commas: a blank row, then words over values, follow it."""
    for step in range(place, min(place + 4, len(filled) - 2)):
        gap = filled[step + 1] - filled[step] > 1
        above = filled[place : step + 1]
        if gap and not any(is_typed(cell) for index in above for cell in rows[index]):
            head, first = rows[filled[step + 1]], rows[filled[step + 2]]
            words = len(head) >= width and _count(head) > width / 2 and not any(is_typed(cell) for cell in head)
            if words and any(is_typed(cell) for cell in first):
                return filled[step + 1 :]
    return filled[place:]


def _without_notes(rows: list[list[str]], filled: list[int], width: int) -> tuple[list[int], list[int]]:
    """The rows without notes at the end, and the notes."""
    if width == 1:
        return _without_source_lines(rows, filled)
    end = len(filled)
    cut = end
    for place in range(end - 1, max(0, end - _FOOTER_ROWS), -1):
        index = filled[place]
        row = rows[index]
        alone = _count(row) == 1 or (len(row) < width and not any(is_typed(cell) for cell in row))
        if not alone:
            break
        text = next(cell for cell in row if cell)
        gap = index - filled[place - 1] > 1
        first_only = bool(row[0])
        if len(row) < min(width, 3) or gap or _SOURCE.match(text) or (first_only and len(text) > 40) or len(row) == 1:
            cut = place
        elif not first_only:
            break
    # A table is more than half of what was brought: ragged data is not a footnote.
    if cut < 2 or cut < end / 2:
        return filled, []
    return filled[:cut], filled[cut:]


def _without_source_lines(rows: list[list[str]], filled: list[int]) -> tuple[list[int], list[int]]:
    """A single column ends where a blank line is followed by a source or a note."""
    for place in range(len(filled) - 1, max(1, len(filled) - 6), -1):
        text = rows[filled[place]][0]
        if filled[place] - filled[place - 1] > 1 and _SOURCE.match(text) and not is_typed(text):
            return filled[:place], filled[place:]
    return filled, []


def _header(
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
    head, second, body = _padded(rows[filled[0]], width), rows[filled[1]], filled[2 : 2 + _LOOK_ROWS]
    if len(second) > width or any(is_typed(cell) and not is_year(cell) for cell in second):
        return False
    gaps = [j for j, cell in enumerate(second) if cell and j and not head[j]]
    over = [j for j in range(width) if sum(map(is_typed, _body_cells(rows, body, j))) > len(body) / 2]
    return bool(gaps) and all(j < len(second) and second[j] for j in over if j) and any(j in over for j in gaps)


def _head(rows: list[list[str]], filled: list[int], header_rows: int, units_at: int | None, width: int) -> list[str]:
    """The names as they stand; of two rows the upper one's reach over the gaps to their right, and both are joined."""
    head = list(rows[filled[0]])
    if header_rows != 2 or units_at is not None:
        return head
    second = _padded(rows[filled[1]], width)
    reach, joined = "", []
    for upper, lower in zip(_padded(head, width), second, strict=True):
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


def _without_total(rows: list[list[str]], body: list[int], width: int) -> tuple[list[int], list[int]]:
    """The rows without totals at the end: by their word, or without one because they are the sums."""
    if width < 2:
        return body, []
    end = len(body)
    while end > 2 and end > len(body) - 3 and _is_total(rows, body[:end]):
        end -= 1
    return body[:end], body[end:]


def _is_total(rows: list[list[str]], body: list[int]) -> bool:
    """True for a last row that is called a total, or that has no name and adds up."""
    row = rows[body[-1]]
    labels = [cell.rstrip(":").strip() for cell in row if cell and not is_typed(cell)]
    if any(_TOTAL.fullmatch(label) for label in labels[:2]):
        return True
    if any(_MEAN.fullmatch(label) for label in labels[:1]):
        return bool(totals(rows, body, mean=True))
    first = row[0] if row else ""
    return not first and any(rows[index][:1] != [""] for index in body[:-1]) and bool(totals(rows, body))


def totals(rows: list[list[str]], body: list[int], mean: bool = False) -> list[int]:
    """The columns whose last cell is the sum (or about the mean) of those above it."""
    found = []
    for j, cell in enumerate(rows[body[-1]]):
        if not cell:
            continue
        for marks in (Marks(".", "*"), Marks(",", "*")):
            values = [_value(rows[index][j], marks) for index in body if j < len(rows[index])]
            known = [value for value in values[:-1] if value is not None]
            last = values[-1] if values else None
            if not last or len(known) < 2:
                continue
            due = sum(known) / len(known) if mean else sum(known)
            if abs(due - last) <= (_MEAN_SLACK if mean else 1e-6) * abs(last) + 1e-9:
                found.append(j)
                break
    return found


def _value(cell: str, marks: Marks) -> float | None:
    piece = take_apart(cell)
    return number(piece, marks) if piece else None


def _full_width(
    rows: list[list[str]], body: list[int], width: int, head: list[str], *, notes: list[Note], lines: list[int]
) -> tuple[int, list[str]]:
    """The table's width, the header moved by one where row names have no name, and a note on ragged rows."""
    named = len(head)
    while named and not head[named - 1]:
        named -= 1
    widths = Counter([len(rows[index]) for index in body])
    if (
        named == width - 1
        and len(head) == named
        and widths.get(width, 0) == len(body)
        and all(rows[i][width - 1] for i in body[:50])
    ):
        head = ["", *head]
        notes.append(Note("header_shifted", "info", "The header is one name short; the first column has no name."))
    width = max(width, min(named, bounds.TABLE_COLUMNS))
    if set(widths) <= {width}:
        return width, head
    long = [index for index in body if len(rows[index]) > width and any(rows[index][width:])]
    if len(long) >= 0.1 * len(body):
        # Too many to be slips: the table has more columns than its header names.
        width = min(max(len(rows[index]) for index in long), bounds.TABLE_COLUMNS)
        text = f"{rows_text([lines[i] for i in long])} longer than the header: columns without a name were added."
        notes.append(Note("ragged_rows", "warning", text.capitalize(), [lines[i] for i in long][: bounds.NOTE_ROWS]))
        long = []
    # A row that only lacks empty cells at its end is whole.
    short = [index for index in body if len(rows[index]) < width and widths[len(rows[index])] < 0.5 * len(body)]
    if long or short:
        parts = []
        if short:
            parts.append(f"{rows_text([lines[i] for i in short])} too short: filled with missing cells")
        if long:
            parts.append(
                f"{rows_text([lines[i] for i in long])} too long: the cells beyond column {width} are left out"
            )
        text = f"Not every row has {width} cells: {'; '.join(parts)}."
        marked = sorted(lines[i] for i in long + short)[: bounds.NOTE_ROWS]
        notes.append(Note("ragged_rows", "warning", text, rows=marked))
    return width, head


def _columns(rows: list[list[str]], body: "list[int] | range", width: int) -> list[list[str]]:
    """One list of texts per column; short rows are filled, long ones cut."""
    if {len(rows[index]) for index in body} == {width}:
        return [list(column) for column in zip(*(rows[index] for index in body), strict=True)]
    return [list(column) for column in zip(*(_padded(rows[index], width) for index in body), strict=True)]


def _padded(row: list[str], width: int) -> list[str]:
    return row[:width] + [""] * (width - len(row))


def _footer_count(grid: Grid, lines: list[int], body: list[int], wanted: dict[str, Any]) -> int:
    """Lines below the table, blank ones before a note included, blank ones at the very end not."""
    if "footer_rows" in wanted:
        return int(wanted["footer_rows"])
    last = next((lines[index] for index in range(len(lines) - 1, -1, -1) if any(grid.rows[index])), 0)
    return max(0, last - lines[body[-1]] - _extra_lines(grid, body[-1]))


def _extra_lines(grid: Grid, index: int) -> int:
    """Line breaks inside the cells of the last row."""
    return sum(cell.count("\n") for cell in grid.rows[index]) if grid.format == "csv" else 0


def _say_cuts(
    found: Shape, rows: list[list[str]], lines: list[int], *, start: int, footer: list[int], wanted: dict[str, Any]
) -> None:
    """Notes on the rows above and below the table."""
    titles = [index for index in range(start) if any(rows[index])]
    if titles and "skipped_rows" not in wanted:
        first = clipped(" ".join(cell for cell in rows[titles[0]] if cell), 60)
        count = f"{len(titles)} title row{'s' if len(titles) > 1 else ''}"
        text = f"{count} above the header left out: “{first}”{' …' if len(titles) > 1 else ''}"
        found.notes.append(Note("title_rows_skipped", "info", text, rows=[lines[index] for index in titles]))
    if footer:
        first = clipped(" ".join(cell for cell in rows[footer[0]] if cell), 60)
        count = f"{len(footer)} row{'s' if len(footer) > 1 else ''}"
        text = f"{count} below the table left out: “{first}”{' …' if len(footer) > 1 else ''}"
        found.notes.append(Note("footer_left_out", "warning", text, rows=[lines[index] for index in footer]))


def _drop_blank_columns(found: Shape) -> None:
    """Leaves out columns without a name and without a value."""
    blank = [j for j, name in enumerate(found.source_names) if not name and not any(found.columns[j])]
    if not blank or len(blank) == len(found.columns):
        return
    kept = [j for j in range(len(found.columns)) if j not in set(blank)]
    found.source_names = [found.source_names[j] for j in kept]
    found.columns = [found.columns[j] for j in kept]
    found.units = [found.units[j] for j in kept]
    found.native = [found.native[j] for j in kept]
    which = ", ".join(str(j + 1) for j in blank)
    text = f"Column{'s' if len(blank) > 1 else ''} {which} without a name and without values left out."
    found.notes.append(Note("empty_column", "info", text))


def _name(found: Shape, has_header: bool) -> None:
    """Unique names: whitespace collapsed, `column_3` for an empty one, `temp_2` for a repeated one."""
    taken: set[str] = set()
    source = set(" ".join(name.split()) for name in found.source_names)
    repeated: list[str] = []
    unnamed: list[str] = []
    for j, raw in enumerate(found.source_names):
        name = " ".join(raw.split())[: bounds.LABEL_CHARACTERS]
        if not name:
            name = f"column_{j + 1}"
            unnamed.append(name)
        if name in taken:
            plain, number_ = name, 2
            while name in taken or name in source:
                name = f"{plain}_{number_}"
                number_ += 1
            repeated.append(name)
        taken.add(name)
        found.names.append(name)
    if repeated:
        text = f"Names stand twice in the header; the later columns are called {quoted(repeated)}."
        found.notes.append(Note("duplicate_headers", "warning", text, columns=repeated))
    if unnamed and has_header:
        text = f"Columns without a name are called {quoted(unnamed)}."
        found.notes.append(Note("unnamed_columns", "info", text, columns=unnamed))
