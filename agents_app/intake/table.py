"""The result of intake: a typed table and the receipt that says how it was read.

Plain data, frozen; JSON shapes are those of the API (`docs/intake.md`).
"""

from dataclasses import asdict, dataclass, field
from math import isnan
from typing import Any, Literal

import pandas as pd

ColumnType = Literal["number", "date", "category", "boolean", "text"]


@dataclass(frozen=True)
class Reading:
    """How the bytes became rows. Every field is a guess that a person may override.

    Encodings are Python codec names. `header_rows` counts a units row below the header. Row counts are of
    lines of the file (delimited) or rows of the sheet.
    """

    format: str = "csv"
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    skipped_rows: int = 0
    header_rows: int = 1
    footer_rows: int = 0
    units_row: int | None = None
    date_order: str | None = None
    missing_marks: list[str] = field(default_factory=list)
    sheet: str | None = None
    sheets: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The API's shape."""
        return asdict(self)


@dataclass(frozen=True)
class Column:
    """One typed column and its summary; `min` and `max` are numbers, or ISO text for dates."""

    name: str
    source_name: str
    type: ColumnType
    kind: str | None = None
    unit: str | None = None
    format: str | None = None
    missing: int = 0
    distinct: int = 0
    min: float | str | None = None
    max: float | str | None = None
    sum: float | None = None
    sample: list[Any] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The API's shape."""
        return asdict(self)


@dataclass(frozen=True)
class Note:
    """One thing that intake did or could not decide; `rows` are 1-based lines of what the person brought."""

    code: str
    severity: Literal["info", "warning"]
    text: str
    rows: list[int] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The API's shape."""
        return asdict(self)


@dataclass(frozen=True)
class Table:
    """A table read whole: the receipt, the columns, the notes, and the typed values.

    `frame` has one pandas column per `columns` entry under its (unique) name: numbers float64 or Int64,
    dates datetime64 without zone, booleans `boolean`, the rest `str`/object with missing as NA. Percent
    values are in percent points (12.5 for "12.5%"). `data_csv` is the canonical form: UTF-8, comma, point,
    ISO dates, final names, all rows read.
    """

    reading: Reading
    columns: list[Column]
    notes: list[Note]
    frame: pd.DataFrame
    data_csv: bytes

    @property
    def rows(self) -> int:
        """How many data rows were read."""
        return len(self.frame)

    def preview(self, limit: int) -> dict[str, Any]:
        """The first `limit` rows in the API's shape; missing is None, dates ISO text."""
        return {"columns": [column.name for column in self.columns], "rows": json_rows(self.frame.head(limit))}


def json_rows(frame: pd.DataFrame) -> list[list[Any]]:
    """Rows as JSON arrays in column order: numbers as numbers, dates ISO (a midnight as a bare date), missing None."""

    def plain(value: Any) -> Any:
        if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and isnan(value)):
            return None
        if isinstance(value, pd.Timestamp):
            text = value.isoformat()
            return text.removesuffix("T00:00:00")
        if hasattr(value, "item"):
            return value.item()
        return value

    return [[plain(value) for value in row] for row in frame.itertuples(index=False, name=None)]
