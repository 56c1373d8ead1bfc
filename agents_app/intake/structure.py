"""Rows to a table: what stands above and below it, its header, its units row, its columns."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from agents_app.intake.delimited import refuse_long
from agents_app.intake.edges import without_notes, without_titles, without_total
from agents_app.intake.grid import Grid, clipped, padded, quoted, rows_text
from agents_app.intake.header import find_header, head_names
from agents_app.intake.table import Note
from agents_app.refusals import Invalid, TooLarge, Unreadable
from anyplot_site import bounds


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
        filled = without_titles(rows, filled, width)
    start = filled[0]
    footer: list[int] = []
    if "footer_rows" not in wanted:
        filled, footer = without_notes(rows, filled, width)
    header_rows, units_at = find_header(rows, filled, width, wanted=wanted, lines=lines, notes=notes)
    body = filled[header_rows:]
    if "footer_rows" not in wanted:
        body, total = without_total(rows, body, width)
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
    head = head_names(rows, filled, header_rows, units_at, width) if header_rows else []
    width, head = _full_width(rows, body, width, head, notes=notes, lines=lines)
    columns = _columns(rows, body, width)
    units = list(rows[units_at]) if units_at is not None else []
    found = Shape(
        names=[],
        source_names=padded(head, width),
        columns=columns,
        lines=[lines[index] for index in body],
        units=padded(units, width),
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
    return [list(column) for column in zip(*(padded(rows[index], width) for index in body), strict=True)]


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
