"""Run as a process of its own: reads one sheet of a workbook and writes its rows as JSON.

The library ends the whole process when memory runs out, and no caller can catch that; here it ends nothing else.
Started by `workbook.py` as `python -I sheet_reader.py PARENT MEMORY FILE_BYTES CPU_S ROWS`. Standard input is a line of
JSON, `{"sheet": name or null}`, and the workbook. Standard output is a line of JSON, `{"sheets", "sheet", "first"}` or
`{"refusal", ...}`, and one line per row: numbers, texts, booleans and null as they are, else `[kind, text]`.
"""

import ctypes
import datetime
import io
import json
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG = 1


def confine(parent: int, memory: int, file_bytes: int, cpu_s: int) -> None:
    """Ends with the parent; takes at most so much memory and time, writes at most so many bytes."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(1)
    limits = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CPU, cpu_s),
    )
    for kind, limit in limits:
        resource.setrlimit(kind, (limit, limit))


def plain(value: Any) -> Any:
    """A cell as JSON has it."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, datetime.datetime):
        text = value.date().isoformat() if value.time() == datetime.time() else value.isoformat()
        return ["date", text]
    if isinstance(value, datetime.timedelta):
        seconds = int(value.total_seconds())
        return ["time", f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"]
    if isinstance(value, (datetime.date, datetime.time)):
        return ["date" if isinstance(value, datetime.date) else "time", value.isoformat()]
    return ["other", str(value)]


def rows_of(book: Any, name: str) -> tuple[list[list[Any]], int]:
    """A sheet's used rows and how many empty ones stand above them; nothing for a sheet of charts."""
    try:
        sheet = book.get_sheet_by_name(name)
    except MemoryError:
        raise
    except Exception:  # the library has one error for a sheet of charts and for a broken one
        return [], 0
    return sheet.to_python(skip_empty_area=True), (sheet.start or (0, 0))[0]


def choose(book: Any, names: list[str], visible: set[str]) -> tuple[str, list[list[Any]], int]:
    """The first visible sheet with two rows and two columns, else the one with most cells."""
    best: tuple[int, str, list[list[Any]], int] | None = None
    for name in sorted(names, key=lambda name: name not in visible):
        rows, first = rows_of(book, name)
        width = max((len(row) for row in rows), default=0)
        if len(rows) >= 2 and width >= 2:
            return name, rows, first
        if best is None or len(rows) * width > best[0]:
            best = (len(rows) * width, name, rows, first)
    assert best is not None
    return best[1:]


def answer(sheet: str | None, data: bytes, limit: int) -> tuple[dict[str, Any], list[list[Any]]]:
    """The first line of the answer, and the rows."""
    import python_calamine

    book = python_calamine.load_workbook(io.BytesIO(data))
    names = [str(name) for name in book.sheet_names]
    if not names or (sheet is not None and sheet not in names):
        return {"refusal": "sheet", "sheets": names}, []
    if sheet is None:
        shown = python_calamine.SheetVisibleEnum.Visible
        sheet, rows, first = choose(book, names, {meta.name for meta in book.sheets_metadata if meta.visible == shown})
    else:
        rows, first = rows_of(book, sheet)
    if len(rows) > limit:
        return {"refusal": "rows", "sheet": sheet, "rows": len(rows)}, []
    return {"sheets": names, "sheet": sheet, "first": first}, rows


def main() -> None:
    """Reads, answers, and never runs another's clean-up."""
    parent, memory, file_bytes, cpu_s, limit = map(int, sys.argv[1:6])
    confine(parent, memory, file_bytes, cpu_s)
    wanted = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    out = sys.stdout
    try:
        head, rows = answer(wanted["sheet"], data, limit)
    except MemoryError:
        head, rows = {"refusal": "memory"}, []
    except BaseException as error:  # a panic in its Rust code is no Exception
        head, rows = {"refusal": "password" if "assword" in str(error) else "damaged"}, []
    out.write(json.dumps(head) + "\n")
    for row in rows:
        out.write(json.dumps([plain(value) for value in row]) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
