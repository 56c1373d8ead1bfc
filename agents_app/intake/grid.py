"""What a format gives: rows of texts, still without names and types."""

from dataclasses import dataclass, field

from agents_app.intake.table import Note


@dataclass
class Grid:
    """Rows as they stood in the file or sheet, blank ones as `[]`, each with its 1-based line or row number.

    `names` is set where the format itself names the columns (JSON): then no row is a header. `native` holds the
    indexes of columns whose numbers came as numbers (a workbook's, JSON's): their decimal mark is a point for sure.
    """

    format: str
    rows: list[list[str]]
    lines: list[int]
    delimiter: str | None = None
    quote: str | None = None
    sheet: str | None = None
    sheets: list[str] = field(default_factory=list)
    names: list[str] | None = None
    native: frozenset[int] = frozenset()
    notes: list[Note] = field(default_factory=list)
    lines_total: int = 0


def rows_text(lines: list[int], limit: int = 5) -> str:
    """Line numbers for a sentence: `row 7`, `rows 7, 9 and 3 more`."""
    shown = ", ".join(str(line) for line in lines[:limit])
    more = f" and {len(lines) - limit} more" if len(lines) > limit else ""
    return f"row{'s' if len(lines) > 1 else ''} {shown}{more}"


def quoted(names: list[str], limit: int = 6) -> str:
    """Column names for a sentence, in backticks."""
    shown = ", ".join(f"`{name}`" for name in names[:limit])
    return shown + (f" and {len(names) - limit} more" if len(names) > limit else "")


def clipped(value: str, limit: int = 40) -> str:
    """A cell's text short enough for a sentence, on one line."""
    text = " ".join(value.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def padded(row: list[str], width: int) -> list[str]:
    """A row of exactly `width` cells."""
    return row[:width] + [""] * (width - len(row))
