"""Workbooks (XLSX, ODS, XLS) through python-calamine, after a look at what they would unpack to.

calamine lays a sheet out as a full rectangle, so that two cells far apart can ask for gigabytes, and then ends its
process. Sizes are counted before it sees the file (`archive.py`), and it reads in a process of its own with limits
(`sheet_reader.py`).
"""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import IO, Any

from agents_app.intake.archive import WAY_OUT, check_archive, damaged, locked
from agents_app.intake.grid import Grid, clipped, quoted
from agents_app.intake.table import Note
from agents_app.refusals import Invalid, TooLarge, Unreadable
from anyplot_site import bounds

_READER = Path(__file__).with_name("sheet_reader.py")
_DAMAGED_BY = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL)


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
        raise Unreadable(f"The file is a damaged workbook or archive. {WAY_OUT}", lines=[]) from error
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "content.xml" in names:
        return "ods"
    if "xl/workbook.bin" in names:
        raise Unreadable(f"Binary workbooks (XLSB) are not read. Save it as XLSX, or: {WAY_OUT}", lines=[])
    raise Unreadable("This is a ZIP archive, not a table. Unpack it and upload the table inside.", lines=[])


def read_workbook(data: bytes, format_: str, sheet: str | None = None) -> Grid:
    """The rows of one sheet as texts: dates ISO, numbers with a point, truth values `true`/`false`.

    `sheet` names one; otherwise the first visible one that holds a table. Raises Unreadable, TooLarge, and Invalid
    for an unknown sheet.
    """
    if format_ != "xls":
        check_archive(data, format_)
    with tempfile.TemporaryFile() as answer:
        _run_reader(data, sheet, answer)
        answer.seek(0)
        try:
            return _grid(answer, format_, sheet)
        except (ValueError, KeyError, TypeError, RecursionError) as error:  # an answer cut short
            raise damaged() from error


def _run_reader(data: bytes, sheet: str | None, answer: IO[bytes]) -> None:
    """Has the sheet read in a process of its own; raises TooLarge when it ends by one of its limits."""
    # Nothing of our environment: no settings, no secrets.
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "TMPDIR") if name in os.environ}
    limits = (os.getpid(), bounds.WORKBOOK_MEMORY_MIB << 20, bounds.WORKBOOK_ROWS_BYTES, bounds.WORKBOOK_READ_S)
    process = subprocess.Popen(
        [sys.executable, "-I", str(_READER), *map(str, limits), str(bounds.TABLE_ROWS + 1000)],
        stdin=subprocess.PIPE,
        stdout=answer,
        stderr=subprocess.DEVNULL,
        env=kept,
    )
    try:
        process.communicate(json.dumps({"sheet": sheet}).encode() + b"\n" + data, timeout=bounds.WORKBOOK_READ_S)
    except subprocess.TimeoutExpired:
        raise _too_much() from None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if -process.returncode in _DAMAGED_BY:
        raise damaged()
    if process.returncode:
        raise _too_much()


def _too_much() -> TooLarge:
    return TooLarge(
        f"Reading the workbook takes more than {bounds.WORKBOOK_MEMORY_MIB // 1024} GB of memory or "
        f"{bounds.WORKBOOK_READ_S} seconds. {WAY_OUT}",
        limit=bounds.WORKBOOK_MEMORY_MIB << 20,
        value=None,
    )


def _grid(answer: IO[bytes], format_: str, sheet: str | None) -> Grid:
    """The reader's answer as rows, or as a refusal."""
    head = json.loads(answer.readline())
    if "refusal" in head:
        raise _refusal(head, sheet)
    names, chosen, first = [str(name) for name in head["sheets"]], str(head["sheet"]), int(head["first"])
    grid = Grid(format_, [], [], sheet=chosen, sheets=names)
    native: set[int] = set()
    for index, line in enumerate(answer):
        row = json.loads(line)
        grid.rows.append([_text(value) for value in row])
        grid.lines.append(first + index + 1)
        native.update(
            j for j, value in enumerate(row) if isinstance(value, (int, float)) and not isinstance(value, bool)
        )
    if not grid.rows:
        raise Unreadable(
            f"The sheet `{chosen}` is empty." if sheet else "Every sheet of the workbook is empty.",
            lines=[{"row": 1, "column": None, "value": "", "text": "nothing in it"}],
        )
    grid.native = frozenset(native)
    grid.lines_total = first + len(grid.rows)
    if len(names) > 1 and sheet is None:
        others = [name for name in names if name != chosen]
        text = f"The sheet `{chosen}` was read; the workbook also has {quoted(others)}."
        grid.notes.append(Note("sheet_chosen", "info", text))
    return grid


def _refusal(head: dict[str, Any], sheet: str | None) -> Invalid | TooLarge | Unreadable:
    """What a person is told for the reader's word."""
    kind = head["refusal"]
    if kind == "password":
        return locked()
    if kind == "memory":
        return _too_much()
    if kind == "rows":
        return TooLarge(
            f"The sheet `{head['sheet']}` has {head['rows']:,} rows; at most {bounds.TABLE_ROWS:,} can be read. "
            "Summarise it, or take a part of it.",
            limit=bounds.TABLE_ROWS,
            value=head["rows"],
        )
    if kind == "sheet" and not head["sheets"]:
        return Unreadable("The workbook has no sheets.", lines=[])
    if kind == "sheet" and sheet is not None:
        return Invalid(f"reading.sheet: there is no sheet {clipped(sheet)!r}. Sheets: {quoted(head['sheets'])}.")
    return damaged()


def _text(value: Any) -> str:
    """A cell's value as text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, list):
        return str(value[1])
    return str(value)
