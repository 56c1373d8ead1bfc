"""Delimited text: finds the dialect by how well rows agree and how sensible cells get, and reads the rows.

`csv.Sniffer` is not used: it takes letters for delimiters and trips over decimal commas.
"""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from agents_app.intake.grid import Grid, rows_text
from agents_app.intake.looks import is_missing, is_typed
from agents_app.intake.table import Note
from agents_app.refusals import TooLarge, Unreadable
from anyplot_site import bounds

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|")
NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 200_000
_WORD_QUALITY = 0.6  # a plain word tells less about a right split than a number does
_CONSISTENT_SHARE = 0.5  # of the rows between the first and the last of the usual width
_STRAY_QUOTES = 50  # lines mended one by one; more, and quotes are no quotes in this file
_PROSE_WORDS = 4  # words in a cell, on average
_DECIMAL_COMMA = re.compile(r"[-+\u2212]?\d[\d. ]*(?:,\d+)?%?")
_SEP_LINE = re.compile(r'"?sep=([^\w\s"\']|\t)"?[^\S\t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """How the text is cut: `quote` is None when quotes are letters like others."""

    delimiter: str
    quote: str | None = '"'
    escape: str | None = None


def read_delimited(text: str, delimiter: str | None = None, quote: str | None = None) -> Grid:
    """The rows of delimited text; `delimiter` and `quote` (empty: none) when a person said so.

    Raises Unreadable when no delimiter makes a table of it, TooLarge beyond rows, columns or a cell's size.
    """
    offset = 0
    if sep := _SEP_LINE.match(text):
        delimiter = delimiter or sep[1]
        text, offset = text[sep.end() :], 1
    sample = _sample(text)
    quote_mark = _quote(sample) if quote is None else (quote or None)
    if delimiter is None:
        delimiter = _delimiter(sample, quote_mark)
    escape = _escape(text, delimiter, quote_mark) if delimiter and quote_mark else None
    dialect = Dialect(delimiter or ",", quote_mark, escape)
    grid = Grid("csv", [], [], delimiter=delimiter, quote=quote_mark)
    if delimiter is None and (columns := _aligned(sample)):
        grid = Grid("fixed", [], [], delimiter=" ")
        _read_lines(text, grid)
        grid.rows = [columns.split(row[0]) if row else [] for row in grid.rows]
    elif delimiter is None:
        _read_lines(text, grid)
    else:
        _read_rows(text, dialect, grid)
        if escape:
            grid.notes.append(_escapes_note(text, f"{escape}{quote_mark}", offset))
    if offset:
        grid.lines = [line + offset for line in grid.lines]
    grid.lines_total = text.count("\n") + (not text.endswith("\n")) + offset
    return grid


def _sample(text: str) -> str:
    """Whole lines from the start, enough to find a dialect."""
    text = text.lstrip("\r\n")
    head = text[:_SAMPLE_CHARACTERS]
    lines = head.splitlines(keepends=True)
    if len(lines) > _SAMPLE_LINES:
        return "".join(lines[:_SAMPLE_LINES])
    return head if len(head) == len(text) or len(lines) < 2 else "".join(lines[:-1])


def _quote(sample: str) -> str:
    """The double quote, or the single one where it plainly encloses cells and the double one does not."""
    around = r"(?:^|[,;\t|])\s*{0}[^{0}\r\n]*{0}\s*(?=[,;\t|]|\r?$)"
    single = len(re.findall(around.format("'"), sample, re.MULTILINE))
    return "'" if single >= 2 and single >= sample.count("\n") / 2 and '"' not in sample else '"'


def _escape(text: str, delimiter: str, quote: str) -> str | None:
    """The backslash, where only reading it as an escape agrees with itself; a cell may also just end in one."""
    if f"\\{quote}" not in text:
        return None
    plain_sound, plain_share = _agreement(text, Dialect(delimiter, quote))
    if plain_sound and plain_share == 1:
        return None
    sound, share = _agreement(text, Dialect(delimiter, quote, "\\"))
    better = share == 1 if plain_sound else share >= plain_share
    return "\\" if sound and better else None


def _agreement(text: str, dialect: Dialect) -> tuple[bool, float]:
    """Whether every quote closes before a delimiter or a line's end, and the share of rows of the usual width."""
    sound = True
    try:
        widths = Counter(len(row) for row in _reader(text, dialect, strict=True) if row)
    except csv.Error:
        sound = False
        try:
            widths = Counter(len(row) for row in _reader(text, dialect) if row)
        except csv.Error:
            return False, 0.0
    usual = max((count for width, count in widths.items() if width > 1), default=0)
    return sound, usual / max(sum(widths.values()), 1)


def _escapes_note(text: str, escaped: str, offset: int) -> Note:
    """Says which lines have a backslash that was read as an escape."""
    lines = [number for number, line in enumerate(text.split("\n"), 1 + offset) if escaped in line]
    detail = (
        f"A backslash before a quote was read as an escape of it ({rows_text(lines)}), because only so do all rows "
        "agree. If it belongs to the values, write quotes inside cells twice, or set the quote to none."
    )
    return Note("backslash_escapes", "info", detail, rows=lines[: bounds.NOTE_ROWS])


def _delimiter(sample: str, quote: str | None) -> str | None:
    """The delimiter whose rows agree in width and whose cells make most sense; None for a single column."""
    if _decimal_commas(sample):
        return None
    best: tuple[float, str] | None = None
    for candidate in DELIMITERS:
        if candidate not in sample:
            continue
        score = _score(sample, Dialect(candidate, quote))
        if quote and f"\\{quote}" in sample:
            score = max(score, _score(sample, Dialect(candidate, quote, "\\")))
        if score and (best is None or score > best[0]):
            best = (score, candidate)
    if best is not None:
        return best[1]
    if _aligned(sample) is None:
        _require_column(sample)
    return None


def _score(sample: str, dialect: Dialect) -> float:
    """0 for no table, else share of rows of the usual width times quality of their cells."""
    try:
        rows = [row for row in _reader(sample, dialect) if any(cell.strip() for cell in row)]
    except csv.Error:
        return 0.0
    widths = [len(row) for row in rows]
    usual = Counter(width for width in widths if width > 1).most_common()
    if not usual:
        return 0.0
    # Of widths about as frequent the larger one: short rows are ragged, long ones rarely.
    width = max(number for number, count in usual if count >= 0.8 * usual[0][1])
    places = [index for index, number in enumerate(widths) if number == width]
    block = widths[places[0] : places[-1] + 1]
    # A row that lacks trailing cells agrees in part.
    agreeing = sum(1.0 if number == width else 0.3 if 1 < number < width else 0.0 for number in block) / len(block)
    outside = len(widths) - len(block)
    agreeing *= len(block) / (len(block) + 0.5 * outside)
    if agreeing < _CONSISTENT_SHARE * (0.6 if len(places) > 3 else 1.0):
        return 0.0
    step = max(1, len(places) // 50)
    cells = [cell.strip() for index in places[::step] for cell in rows[index][:50]]
    others = [mark for mark in DELIMITERS if mark != dialect.delimiter]
    if agreeing < 1 and _is_prose(cells):
        return 0.0
    quality = sum(_quality(cell, others) for cell in cells) / len(cells)
    return agreeing * quality


def _is_prose(cells: list[str]) -> bool:
    """True for long phrases without values: commas of running text."""
    typed = sum(map(is_typed, cells))
    return typed < 0.1 * len(cells) and sum(cell.count(" ") + 1 for cell in cells) >= _PROSE_WORDS * len(cells)


def _aligned(sample: str) -> re.Pattern[str] | None:
    """What separates columns that are set apart by spaces: rows agree in width and mostly hold values."""
    lines = [line.strip() for line in sample.splitlines() if line.strip()]
    for pattern in (re.compile(r"\s{2,}"), re.compile(r"\s+")):
        rows = [pattern.split(line) for line in lines]
        width = len(rows[-1])
        cells = [cell for row in rows[1:] for cell in row]
        if width < 2 or len(rows) < 3 or any(len(row) != width for row in rows):
            continue
        if sum(is_typed(cell) or is_missing(cell) for cell in cells) >= len(cells) / 2:
            return pattern
    return None


def _decimal_commas(sample: str) -> bool:
    """True for one column of numbers with decimal commas under a name without one."""
    lines = [line.strip() for line in sample.splitlines() if line.strip()]
    body = lines[1:]
    return len(body) > 1 and "," not in lines[0] and all(map(_DECIMAL_COMMA.fullmatch, body))


def _quality(cell: str, others: list[str]) -> float:
    """How sensible a cell is: 1 typed or missing, less for a word, least with another delimiter inside."""
    if is_missing(cell) or is_typed(cell):
        return 1.0
    if any(mark in cell for mark in others):
        # A comma followed by a space is prose.
        prose = all(mark not in cell for mark in others if mark != ",") and cell.count(",") == cell.count(", ")
        return 0.45 if prose else 0.05
    return _WORD_QUALITY


def _require_column(sample: str) -> None:
    """Raises Unreadable unless the lines look like one column: values, or short words, not prose."""
    lines = [line.strip() for line in sample.splitlines() if line.strip()]
    if len(lines) < 2:
        raise Unreadable(
            "There is no table in this: not two lines, and no commas, semicolons, tabs or bars between values. "
            "Paste the header and the rows, one row per line.",
            lines=[{"row": 1, "column": None, "value": lines[0][:80] if lines else "", "text": "no separators"}],
        )
    body = lines[1:]
    typed = sum(is_typed(line) or is_missing(line) for line in body) / len(body)
    lengths = sum(len(line) for line in lines) / len(lines)
    words = sum(line.count(" ") + 1 for line in lines) / len(lines)
    if typed < bounds.TYPE_FIT_SHARE and (lengths > 40 or words > 4):
        raise Unreadable(
            "This reads as running text, not as a table. A table has one row per line and the same separator "
            "(comma, semicolon, tab or bar) between the values of every row.",
            lines=[{"row": 1, "column": None, "value": lines[0][:80], "text": "no separators"}],
        )


def _reader(text: str, dialect: Dialect, strict: bool = False) -> "Reader":
    csv.field_size_limit(bounds.CELL_BYTES)
    return csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        escapechar=dialect.escape,
        strict=strict,
        skipinitialspace=not dialect.delimiter.isspace(),
    )


def _read_rows(text: str, dialect: Dialect, grid: Grid) -> None:
    """Fills the grid; a quote that never closes is taken for a letter in its line, with a note."""
    rows, lines = grid.rows, grid.lines
    stray: list[int] = []
    start = 0  # the line before the part that is being read
    rest = text
    if not dialect.quote or dialect.quote not in text:
        _read_unquoted(text, dialect, grid)
        rest = ""
    while rest:
        reader = _reader(rest, dialect)
        before = 0
        failed = False
        try:
            for row in reader:
                rows.append(row)
                lines.append(start + before + 1)
                before = reader.line_num
                if len(row) > bounds.TABLE_COLUMNS:
                    _refuse_wide(row, lines[-1])
                if len(rows) > 2 * bounds.TABLE_ROWS:
                    refuse_long(rest.count("\n"))
        except csv.Error:
            failed = True
            opened = start + before + 1
        if not failed:
            # The last row ran to the end of the text over several lines with an odd number of quotes.
            swallowed = (
                bool(rows)
                and start + before - lines[-1] >= 1
                and any("\n" in cell or "\r" in cell for cell in rows[-1])
            )
            if not (swallowed and dialect.quote and _odd_tail(rest, lines[-1] - start, dialect.quote)):
                break
            rows.pop()
            opened = lines.pop()
        if not dialect.quote:
            _refuse_cell(opened)
        stray.append(opened)
        tail = _from_line(rest, opened - start)
        if len(stray) > _STRAY_QUOTES:
            dialect = Dialect(dialect.delimiter, None, None)
            start, rest = opened - 1, tail
            continue
        line, _, rest = _first_line(tail)
        start = opened
        if len(line) > bounds.CELL_BYTES:
            _refuse_cell(opened)
        rows.extend(_reader(line, Dialect(dialect.delimiter, None, None)))
        lines.append(opened)
    if stray:
        detail = f"A quote is opened and never closed in {rows_text(stray)}; it was read as a letter."
        grid.notes.append(Note("stray_quotes", "warning", detail, rows=stray[: bounds.NOTE_ROWS]))


def _read_unquoted(text: str, dialect: Dialect, grid: Grid) -> None:
    """Fills the grid from a text without quotes: every line is a row."""
    reader = _reader(text, dialect)
    try:
        grid.rows.extend(islice(reader, 2 * bounds.TABLE_ROWS))
    except csv.Error:
        _refuse_cell(len(grid.rows) + 1)
    if next(reader, None) is not None:
        refuse_long(text.count("\n"))
    grid.lines.extend(range(1, len(grid.rows) + 1))
    if max(map(len, grid.rows), default=0) > bounds.TABLE_COLUMNS:
        for row, line in zip(grid.rows, grid.lines, strict=True):
            if len(row) > bounds.TABLE_COLUMNS:
                _refuse_wide(row, line)


def _odd_tail(text: str, line: int, quote: str) -> bool:
    """True when the text from this line (1-based) on holds an odd number of quotes."""
    return _from_line(text, line).count(quote) % 2 == 1


def _from_line(text: str, line: int) -> str:
    """The text from a 1-based line on, as the reader counts lines."""
    buffer = io.StringIO(text, newline="")
    for _ in range(line - 1):
        buffer.readline()
    return buffer.read()


def _first_line(text: str) -> tuple[str, str, str]:
    """The first line, nothing, and the rest, as the reader counts lines."""
    buffer = io.StringIO(text, newline="")
    line = buffer.readline()
    return line, "", text[len(line) :]


def _read_lines(text: str, grid: Grid) -> None:
    """One column: every line is a cell; enclosing quotes go."""
    for number, line in enumerate(text.splitlines(), 1):
        cell = line.strip()
        if len(cell) >= 2 and cell[0] == cell[-1] == '"':
            cell = cell[1:-1].replace('""', '"')
        if len(cell) > bounds.CELL_BYTES:
            _refuse_cell(number)
        grid.rows.append([cell] if cell else [])
        grid.lines.append(number)


def _refuse_wide(row: list[str], line: int) -> None:
    """A row of too many cells is refused, unless the cells beyond the limit are empty."""
    if any(cell.strip() for cell in row[bounds.TABLE_COLUMNS :]):
        raise TooLarge(
            f"Row {line} has {len(row):,} columns; a table may have {bounds.TABLE_COLUMNS}. "
            "Leave out the columns that the plot does not need.",
            limit=bounds.TABLE_COLUMNS,
            value=len(row),
        )


def refuse_long(rows: int) -> None:
    """Raises TooLarge for too many rows."""
    raise TooLarge(
        f"The table has {rows:,} rows; at most {bounds.TABLE_ROWS:,} can be read. Summarise it, or take a part of it.",
        limit=bounds.TABLE_ROWS,
        value=rows,
    )


def _refuse_cell(line: int) -> None:
    raise TooLarge(
        f"A cell in row {line} is longer than {bounds.CELL_BYTES:,} characters. "
        "Look for a quote that never closes, or shorten the cell.",
        limit=bounds.CELL_BYTES,
        value=None,
    )
