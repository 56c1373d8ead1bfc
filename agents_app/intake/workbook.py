"""Workbooks (XLSX, ODS, XLS) through python-calamine, after a look at what they would unpack to.

calamine lays a sheet out as a full rectangle, so that two cells far apart can ask for gigabytes: sizes are
counted before it sees the file.
"""

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

import python_calamine

from agents_app.intake.grid import Grid, quoted
from agents_app.intake.table import Note
from agents_app.refusals import Invalid, TooLarge, Unreadable
from anyplot_site import bounds

_CHUNK = 1 << 20
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_WAY_OUT = "Save the sheet as CSV and upload that."


def workbook_format(data: bytes) -> str | None:
    """`xlsx`, `ods` or `xls` by what the file holds, None when it is no workbook; Unreadable for other archives."""
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return "xls"
    if not data.startswith(b"PK\x03\x04"):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Unreadable(f"The file is a damaged workbook or archive. {_WAY_OUT}", lines=[]) from error
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "content.xml" in names:
        return "ods"
    if "xl/workbook.bin" in names:
        raise Unreadable(f"Binary workbooks (XLSB) are not read. Save it as XLSX, or: {_WAY_OUT}", lines=[])
    raise Unreadable("This is a ZIP archive, not a table. Unpack it and upload the table inside.", lines=[])


def read_workbook(data: bytes, format_: str, sheet: str | None = None) -> Grid:
    """The rows of one sheet as texts: dates ISO, numbers with a point, truth values `true`/`false`.

    `sheet` names one; otherwise the first visible one that holds a table. Raises Unreadable, TooLarge, and Invalid
    for an unknown sheet.
    """
    if format_ != "xls":
        _check_archive(data, format_)
    book = _calamine(lambda: python_calamine.load_workbook(io.BytesIO(data)))
    names = [str(name) for name in book.sheet_names]
    if sheet is not None and sheet not in names:
        raise Invalid(f"reading.sheet: there is no sheet {sheet!r}. Sheets: {quoted(names)}.")
    if not names:
        raise Unreadable("The workbook has no sheets.", lines=[])
    if sheet is not None:
        chosen, rows, first = sheet, *_rows(book, sheet)
    else:
        chosen, rows, first = _choose(book, names)
    if not rows:
        raise Unreadable(
            f"The sheet `{chosen}` is empty." if sheet else "Every sheet of the workbook is empty.",
            lines=[{"row": 1, "column": None, "value": "", "text": "nothing in it"}],
        )
    grid = Grid(format_, [], [], sheet=chosen, sheets=names)
    native: set[int] = set()
    for index, row in enumerate(rows):
        grid.rows.append([_text(value) for value in row])
        grid.lines.append(first + index + 1)
        native.update(
            j for j, value in enumerate(row) if isinstance(value, (int, float)) and not isinstance(value, bool)
        )
    grid.native = frozenset(native)
    grid.lines_total = first + len(rows)
    if len(names) > 1 and sheet is None:
        others = [name for name in names if name != chosen]
        text = f"The sheet `{chosen}` was read; the workbook also has {quoted(others)}."
        grid.notes.append(Note("sheet_chosen", "info", text))
    return grid


def _choose(book: Any, names: list[str]) -> tuple[str, list[list[Any]], int]:
    """The first visible sheet with two rows and two columns, else the one with most cells."""
    visible = {meta.name for meta in book.sheets_metadata if meta.visible == python_calamine.SheetVisibleEnum.Visible}
    best: tuple[int, str, list[list[Any]], int] | None = None
    for name in sorted(names, key=lambda name: name not in visible):
        rows, first = _rows(book, name)
        width = max((len(row) for row in rows), default=0)
        if len(rows) >= 2 and width >= 2:
            return name, rows, first
        if best is None or len(rows) * width > best[0]:
            best = (len(rows) * width, name, rows, first)
    assert best is not None
    return best[1:]


def _rows(book: Any, name: str) -> tuple[list[list[Any]], int]:
    """A sheet's used rows and how many empty ones stand above them."""
    try:
        sheet = _calamine(lambda: book.get_sheet_by_name(name))
    except Unreadable:
        return [], 0  # a sheet of charts
    rows: list[list[Any]] = _calamine(lambda: sheet.to_python(skip_empty_area=True))
    if len(rows) > bounds.TABLE_ROWS + 1000:
        raise TooLarge(
            f"The sheet `{name}` has {len(rows):,} rows; at most {bounds.TABLE_ROWS:,} can be read. "
            "Summarise it, or take a part of it.",
            limit=bounds.TABLE_ROWS,
            value=len(rows),
        )
    return rows, (sheet.start or (0, 0))[0]


def _calamine(call: Callable[[], Any]) -> Any:
    """calamine's answer; its errors and panics become Unreadable."""
    try:
        return call()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic in its Rust code is no Exception
        if "assword" in str(error):
            raise Unreadable("The workbook is protected by a password. Save it without one.", lines=[]) from error
        raise Unreadable(f"The workbook cannot be read; it seems to be damaged. {_WAY_OUT}", lines=[]) from error


def _text(value: Any) -> str:  # noqa: PLR0911  one return per type reads best
    """A cell's value as text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat()
    if isinstance(value, datetime.timedelta):
        seconds = int(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


# --- what it would unpack to ----------------------------------------------------------------


def _check_archive(data: bytes, format_: str) -> None:
    """Raises TooLarge when the parts unpack to too much or a sheet's rectangle is too large."""
    total = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            part = _unpacked(data, info, bounds.WORKBOOK_BYTES - total)
            total += len(part)
            if format_ == "xlsx" and re.fullmatch(r"/?xl/worksheets/[^/]+\.xml", info.filename, re.IGNORECASE):
                _check_area(info.filename, _xlsx_area(part))
            elif format_ == "ods" and info.filename == "content.xml":
                _check_area("the workbook", _ods_area(part))


def _unpacked(data: bytes, info: zipfile.ZipInfo, room: int) -> bytes:
    """A part's bytes, counted while they unpack: sizes in the archive's directory can lie."""
    if info.flag_bits & 1:
        raise Unreadable("The workbook is protected by a password. Save it without one.", lines=[])
    header = data[info.header_offset : info.header_offset + 30]
    if len(header) < 30 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Unreadable(f"The workbook cannot be read; it seems to be damaged. {_WAY_OUT}", lines=[])
    start = info.header_offset + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    packed = data[start : start + info.compress_size]
    if info.compress_type == zipfile.ZIP_STORED:
        if len(packed) > room:
            _refuse_bomb()
        return packed
    inflate = zlib.decompressobj(-15)
    try:
        part = inflate.decompress(packed, room + 1)
    except zlib.error as error:
        raise Unreadable(f"The workbook cannot be read; it seems to be damaged. {_WAY_OUT}", lines=[]) from error
    if len(part) > room:
        _refuse_bomb()
    return part


def _refuse_bomb() -> None:
    raise TooLarge(
        f"The workbook unpacks to more than {bounds.WORKBOOK_BYTES // 1_000_000} MB. {_WAY_OUT}",
        limit=bounds.WORKBOOK_BYTES,
        value=None,
    )


def _check_area(name: str, area: tuple[int, int]) -> None:
    rows, columns = area
    if rows * columns > bounds.TABLE_CELLS:
        raise TooLarge(
            f"A sheet spans {rows:,} rows by {columns:,} columns; at most {bounds.TABLE_CELLS:,} cells can be read. "
            "Delete what stands far away from the table, or save the table as CSV.",
            limit=bounds.TABLE_CELLS,
            value=rows * columns,
        )


def _parse(part: bytes, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None]) -> None:
    """Runs handlers over XML; names come without their prefix."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
    try:
        parser.Parse(part, True)
    except (expat.ExpatError, ValueError, OverflowError) as error:
        raise Unreadable(f"The workbook cannot be read; it seems to be damaged. {_WAY_OUT}", lines=[]) from error


def _xlsx_area(part: bytes) -> tuple[int, int]:
    """Rows and columns up to the furthest cell of a sheet."""
    row = column = rows = columns = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, rows, columns
        if name == "row":
            row, column = int(attributes.get("r") or row + 1), 0
        elif name == "c":
            column += 1
            if match := _CELL.fullmatch(attributes.get("r", "")):
                column = 0
                for letter in match[1]:
                    column = column * 26 + ord(letter) - 64
                row = int(match[2])
        elif name in ("v", "is", "f"):
            # Only cells with something in them count: a border drawn across a row does not.
            rows, columns = max(rows, row), max(columns, column)

    _parse(part, start, lambda name: None)
    return rows, columns


def _ods_area(part: bytes) -> tuple[int, int]:
    """Rows and columns up to the furthest filled cell of the largest sheet."""
    row = column = rows = columns = repeat = 0
    filled = False
    largest = (0, 0)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, rows, columns, repeat, filled, largest
        plain = {key.rpartition(":")[2]: text for key, text in attributes.items()}
        if name == "table":
            row = rows = columns = 0
        elif name == "table-row":
            column, filled = 0, False
            repeat = int(plain.get("number-rows-repeated", "1"))
        elif name in ("table-cell", "covered-table-cell"):
            column += int(plain.get("number-columns-repeated", "1"))
            if "value-type" in plain:
                filled, columns = True, max(columns, column)

    def end(name: str) -> None:
        nonlocal row, rows, largest
        if name == "table-row":
            row += repeat
            if filled:
                rows = row
        elif name == "table" and rows * columns >= largest[0] * largest[1]:
            largest = (rows, columns)

    _parse(part, start, end)
    return largest
