"""The story of reading: bytes, text, rows, table, typed columns, receipt."""

from typing import Any, Literal

import pandas as pd

from agents_app.intake import delimited, html_table, json_table, markdown, numbers, workbook
from agents_app.intake.canonical import write_canonical
from agents_app.intake.cells import Cells, Habits, Typed, prepare
from agents_app.intake.date_column import day_first_evidence
from agents_app.intake.decode import decode
from agents_app.intake.grid import Grid, clipped
from agents_app.intake.overrides import ORDERS, check_columns, check_reading
from agents_app.intake.structure import Shape, shape
from agents_app.intake.summary import summarise
from agents_app.intake.table import Note, Reading, Table
from agents_app.intake.typed import type_column
from agents_app.intake.word_column import word_marks
from agents_app.refusals import Invalid, Refusal, TooLarge, Unreadable
from anyplot_site import bounds

How = Literal["upload", "paste"]


def read(
    data: bytes,
    *,
    file_name: str = "",
    how: str = "upload",
    reading: dict[str, Any] | None = None,
    columns: list[dict[str, Any]] | None = None,
) -> Table:
    """Reads a table and says how.

    `reading` and `columns` are what a person set (`docs/intake.md`); all else is found. Raises Unreadable when no
    table can be read, TooLarge beyond a limit, Invalid for a setting that does not fit.
    """
    wanted = check_reading(reading)
    _check_size(data, how)
    grid, encoding, notes = _grid(data, wanted)
    if grid.format.startswith("json"):
        _refuse_half_characters(grid)
    found = shape(grid, wanted)
    if grid.format != "csv":
        _refuse_long_cells(found)
    wishes, names = check_columns(columns, found.names, found.source_names)
    prepared = [
        prepare(
            names[j],
            found.columns[j],
            found.lines,
            source_name=found.source_names[j],
            native=found.native[j],
            unit=found.units[j],
            marks=wanted.get("missing_marks"),
        )
        for j in range(len(names))
    ]
    habits = _habits(prepared, grid, wanted)
    typed = [_type(column, habits, wish, j) for j, (column, wish) in enumerate(zip(prepared, wishes, strict=True))]
    notes += grid.notes + found.notes + [note for column in typed for note in column.notes]
    words = {
        c.name: {text for text in c.missing if text.isalpha() and text not in ("NA", "NaN", "nan")} for c in prepared
    }
    if "missing_marks" not in wanted and (note := word_marks(typed, words)):
        notes.append(note)
    summaries = [summarise(column) for column in typed]
    frame = pd.DataFrame({column.name: column.values for column in typed})
    return Table(
        reading=_receipt(grid=grid, found=found, encoding=encoding, typed=typed, habits=habits, wanted=wanted),
        columns=summaries,
        notes=notes,
        frame=frame,
        data_csv=write_canonical(frame, summaries),
    )


def _check_size(data: bytes, how: str) -> None:
    limit = bounds.PASTE_BYTES if how == "paste" else bounds.FILE_BYTES
    if len(data) > limit:
        if how == "paste":
            text = (
                f"The pasted text has {_size(len(data))}; at most {_size(limit)} can be pasted. "
                f"Upload it as a file (up to {_size(bounds.FILE_BYTES)})."
            )
        else:
            text = f"The file has {_size(len(data))}; at most {_size(limit)} can be read. Leave out rows or columns."
        raise TooLarge(text, limit=limit, value=len(data))
    if not data.strip():
        raise Unreadable(
            "There is nothing in it. Paste a table with a header and rows, or choose a file.",
            lines=[{"row": 1, "column": None, "value": "", "text": "nothing in it"}],
        )


def _size(count: int) -> str:
    return f"{count / 1_000_000:.3g} MB" if count >= 1_000_000 else f"{count / 1000:.3g} KB"


def _grid(data: bytes, wanted: dict[str, Any]) -> tuple[Grid, str | None, list[Note]]:
    """The rows by the format that a person set or that the bytes show; the encoding; its notes."""
    format_ = wanted.get("format")
    book = workbook.workbook_format(data)
    if book:
        if format_ not in (None, book):
            raise Invalid(f"reading.format: the file is a workbook ({book}), not {format_}.")
        return workbook.read_workbook(data, book, wanted.get("sheet")), None, []
    if format_ in ("xlsx", "ods", "xls"):
        raise Invalid(f"reading.format: the file is no workbook ({format_}) but text.")
    if "sheet" in wanted:
        raise Invalid("reading.sheet: only a workbook has sheets.")
    decoded = decode(data, wanted.get("encoding"))
    text = decoded.text
    if not text.strip():
        raise Unreadable("There is nothing in it but blank space. Paste a table with a header and rows.", lines=[])
    if format_ is None:
        set_apart = "delimiter" in wanted or "quote" in wanted
        format_ = "csv" if set_apart else _format_of(text)
    if format_.startswith("json"):
        grid = json_table.read_json(text)
    elif format_ == "html":
        grid = html_table.read_html(text)
    elif format_ == "markdown":
        grid = markdown.read_markdown(text)
    else:
        # Columns set apart by spaces are found there too.
        grid = delimited.read_delimited(text, wanted.get("delimiter"), wanted.get("quote"))
    return grid, decoded.encoding, list(decoded.notes)


def _format_of(text: str) -> str:
    """The format that a text shows."""
    if json_table.looks_like_json(text):
        return "json"
    if html_table.looks_like_html(text):
        return "html"
    if markdown.looks_like_markdown(text):
        return "markdown"
    return "csv"


def _refuse_long_cells(found: Shape) -> None:
    """Raises TooLarge for a cell beyond the limit (delimited text has its own check)."""
    for name, texts in zip(found.names, found.columns, strict=True):
        longest = max(map(len, texts), default=0)
        if longest > bounds.CELL_BYTES:
            line = found.lines[[len(text) for text in texts].index(longest)]
            raise TooLarge(
                f"A cell of `{name}` in row {line} has {longest:,} characters; "
                f"at most {bounds.CELL_BYTES:,} can be read.",
                limit=bounds.CELL_BYTES,
                value=longest,
            )


def _refuse_half_characters(grid: Grid) -> None:
    """Raises Unreadable for a lone surrogate, as JSON may write one: it cannot be stored or shown."""
    for line, row in zip((1, *grid.lines), (grid.names or [], *grid.rows), strict=True):
        if _whole("".join(row)):
            continue
        cell = next(cell for cell in row if not _whole(cell))
        shown = cell.encode(errors="replace").decode()
        raise Unreadable(
            f"Row {line} holds half a character (a lone surrogate) in `{clipped(shown)}`. "
            "Delete it there, or write the table again as UTF-8.",
            lines=[{"row": line, "column": None, "value": shown[:80], "text": "half a character"}],
        )


def _whole(text: str) -> bool:
    return text.isascii() or text.encode(errors="ignore").decode() == text


def _habits(prepared: list[Cells], grid: Grid, wanted: dict[str, Any]) -> Habits:
    """What the columns together say about marks and the order of dates."""
    sums = numbers.Evidence()
    for column in prepared:
        own = column.evidence
        if column.simple or column.numeric:
            # A column counts once: a long one must not outvote the others.
            sums.comma_decimal += bool(own.for_comma) and own.for_comma > own.for_point
            sums.point_decimal += bool(own.for_point) and own.for_point >= own.for_comma
    seen = {order for column in prepared if (order := day_first_evidence(column)) is not None}
    order = ORDERS[wanted["date_order"].lower()] if "date_order" in wanted else None
    return Habits(
        evidence=sums,
        delimiter=grid.delimiter if grid.format == "csv" else None,
        day_first_seen=seen.pop() if len(seen) == 1 else None,
        decimal=wanted.get("decimal"),
        thousands=wanted.get("thousands"),
        day_first=order,
    )


def _type(column: Cells, habits: Habits, wish: dict[str, Any], index: int) -> Typed:
    try:
        return type_column(column, habits, wish)
    except Refusal:
        raise
    except (ValueError, OverflowError, ArithmeticError) as error:  # a value no rule foresaw is a word, not a crash
        if wish.get("type"):
            raise Invalid(f"columns: `{column.name}` cannot be read as {wish['type']}.") from error
        return type_column(column, habits, {"type": "text"})


def _receipt(
    *, grid: Grid, found: Shape, encoding: str | None, typed: list[Typed], habits: Habits, wanted: dict[str, Any]
) -> Reading:
    numeric = [column for column in typed if column.type == "number" and column.marks]
    marked = [column for column in numeric if column.marked]
    decimal = habits.decimal
    if decimal is None:
        commas = sum(1 for column in marked if column.marks and column.marks.decimal == ",")
        decimal = "," if commas and commas >= len(marked) / 2 else "."
    thousands = habits.thousands or next(
        (column.marks.thousands for column in marked if column.marks and column.marks.thousands), None
    )
    orders = [column.order for column in typed if column.order]
    order = next((order for order in orders if order != "ymd"), orders[0] if orders else None)
    marks = set().union(*(column.used_marks for column in typed)) - {""}
    return Reading(
        format=grid.format,
        encoding=encoding,
        delimiter=grid.delimiter,
        quote=grid.quote,
        decimal=decimal,
        thousands=thousands or None,
        skipped_rows=found.skipped_rows,
        header_rows=found.header_rows,
        footer_rows=found.footer_rows,
        units_row=found.units_row,
        date_order=order,
        missing_marks=["", *sorted(marks)]
        if "missing_marks" not in wanted
        else sorted({"", *wanted["missing_marks"], *marks}),
        sheet=grid.sheet,
        sheets=grid.sheets,
    )
