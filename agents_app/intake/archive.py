"""What a zipped workbook (XLSX, ODS) would unpack to, counted before a reader lays its sheets out as rectangles.

Every part is looked at, whatever its name and whoever refers to it: a reader finds a sheet by a relationship that may
name any part.
"""

import io
import re
import time
import zipfile
import zlib
from collections.abc import Callable
from xml.parsers import expat

from agents_app.refusals import TooLarge, Unreadable
from anyplot_site import bounds

WAY_OUT = "Save the sheet as CSV and upload that."
_CHUNK = 1 << 20
_CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,20})")
_NUMBER = re.compile(r"[0-9]{1,20}")
# Words without which no reader finds a cell, in the encodings that XML may have.
_SHEET_WORDS = {"xlsx": "sheetData", "ods": "table-cell"}
_WIDE = ("utf-8", "utf-16-le", "utf-16-be")


class _Room:
    """What all sheets together may still take, and until when counting may go on."""

    def __init__(self) -> None:
        self.cells = 0
        self.sheets = 0
        self.deadline = time.monotonic() + bounds.WORKBOOK_COUNT_S

    def take(self, rows: int, columns: int) -> None:
        """Adds a sheet's rectangle; TooLarge when it, or all together, are more than can be read."""
        self.cells += rows * columns
        self.sheets += 1
        if rows * columns > bounds.TABLE_CELLS:
            raise TooLarge(
                f"A sheet spans {rows:,} rows by {columns:,} columns; at most {bounds.TABLE_CELLS:,} cells can be "
                "read. Delete what stands far away from the table, or save the table as CSV.",
                limit=bounds.TABLE_CELLS,
                value=rows * columns,
            )
        if self.cells > bounds.TABLE_CELLS:
            raise TooLarge(
                f"The first {self.sheets:,} sheets of the workbook together span {self.cells:,} cells; "
                f"at most {bounds.TABLE_CELLS:,} can be read. {WAY_OUT}",
                limit=bounds.TABLE_CELLS,
                value=self.cells,
            )


def check_archive(data: bytes, format_: str) -> None:
    """Raises TooLarge when the parts unpack to too much or the sheets' rectangles are too large together.

    Raises Unreadable for a part with cells that is no sound XML, and for a password.
    """
    total = 0
    room = _Room()
    words = [_SHEET_WORDS[format_].encode(encoding) for encoding in _WIDE]
    count = _count_xlsx if format_ == "xlsx" else _count_ods
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            part = _unpacked(data, info, bounds.WORKBOOK_BYTES - total)
            total += len(part)
            if any(word in part for word in words):
                count(part, room)


def damaged() -> Unreadable:
    """The refusal of what no reader makes sense of."""
    return Unreadable(f"The workbook cannot be read; it seems to be damaged. {WAY_OUT}", lines=[])


def locked() -> Unreadable:
    """The refusal of a workbook with a password."""
    return Unreadable("The workbook is protected by a password. Save it without one.", lines=[])


def _unpacked(data: bytes, info: zipfile.ZipInfo, room: int) -> bytes:
    """A part's bytes, counted while they unpack: sizes in the archive's directory can lie."""
    if info.flag_bits & 1:
        raise locked()
    header = data[info.header_offset : info.header_offset + 30]
    if len(header) < 30 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise damaged()
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
        raise damaged() from error
    if len(part) > room:
        _refuse_bomb()
    return part


def _refuse_bomb() -> None:
    raise TooLarge(
        f"The workbook unpacks to more than {bounds.WORKBOOK_BYTES // 1_000_000} MB. {WAY_OUT}",
        limit=bounds.WORKBOOK_BYTES,
        value=None,
    )


def _parse(
    part: bytes, room: _Room, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None] | None = None
) -> None:
    """Runs handlers over XML; names come without their prefix."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
    if end is not None:
        parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
    try:
        for place in range(0, len(part), _CHUNK):
            parser.Parse(part[place : place + _CHUNK], False)
            if time.monotonic() > room.deadline:
                raise TooLarge(
                    f"The workbook is too large to be looked through in {bounds.WORKBOOK_COUNT_S:g} seconds. {WAY_OUT}",
                    limit=bounds.WORKBOOK_COUNT_S,
                    value=None,
                )
        parser.Parse(b"", True)
    except (expat.ExpatError, ValueError, OverflowError) as error:
        raise damaged() from error


def _number(text: str) -> int:
    """A count as readers take it; ValueError for signs, spaces and other digits."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _count_xlsx(part: bytes, room: _Room) -> None:
    """Takes rows and columns up to the furthest cell of a sheet."""
    row = column = rows = columns = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, rows, columns
        if name == "row":
            row, column = _number(attributes["r"]) if "r" in attributes else row + 1, 0
        elif name == "c":
            column += 1
            if "r" in attributes:
                match = _CELL.fullmatch(attributes["r"])
                if match is None:
                    raise ValueError(attributes["r"])
                column = 0
                for letter in match[1].upper():
                    column = column * 26 + ord(letter) - 64
                row = int(match[2])
        elif name in ("v", "is", "f"):
            # Only cells with something in them count: a border drawn across a row does not.
            rows, columns = max(rows, row), max(columns, column)

    _parse(part, room, start)
    room.take(rows, columns)


def _count_ods(part: bytes, room: _Room) -> None:
    """Takes rows and columns up to the furthest filled cell of every sheet."""
    row = column = rows = columns = repeat = depth = 0
    filled = inside = False

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, rows, columns, repeat, filled, inside, depth
        if name == "table":
            depth += 1
            if depth == 1:  # a table inside a cell belongs to the outer one
                row = rows = columns = 0
        elif name == "table-row":
            column, filled = 0, False
            repeat = _repeated(attributes, "number-rows-repeated")
        elif name in ("table-cell", "covered-table-cell"):
            column += _repeated(attributes, "number-columns-repeated")
            inside = True
            if any(key.startswith("office:") or key.endswith((":value-type", ":formula")) for key in attributes):
                filled, columns = True, max(columns, column)
        elif inside:
            filled, columns = True, max(columns, column)

    def end(name: str) -> None:
        nonlocal row, rows, inside, depth
        if name in ("table-cell", "covered-table-cell"):
            inside = False
        elif name == "table-row":
            row += repeat
            if filled:
                rows = row
        elif name == "table":
            depth -= 1
            if depth == 0:
                room.take(rows, columns)

    _parse(part, room, start, end)


def _repeated(attributes: dict[str, str], name: str) -> int:
    """How often a row or a cell stands there; the largest number that any attribute of that name gives."""
    numbers = [_number(text) for key, text in attributes.items() if key.rpartition(":")[2] == name]
    return max(numbers, default=1)
