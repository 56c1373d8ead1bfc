"""The reading receipt as a line of controls: each part says what was decided and lets a person decide otherwise."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from agents_app.models import Dataset
from agents_app.refusals import Invalid
from agents_app.web import words

DELIMITERS = {
    ",": "comma separated",
    ";": "semicolon separated",
    "\t": "tab separated",
    "|": "pipe separated",
    " ": "space separated",
}
DECIMALS = {".": "decimal point", ",": "decimal comma"}
THOUSANDS = {
    None: "no thousands mark",
    ",": "thousands as 1,000",
    ".": "thousands as 1.000",
    " ": "thousands as 1 000",
    "'": "thousands as 1'000",
}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with mark",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "utf-16": "UTF-16",
    "cp1251": "Windows-1251",
    "shift_jis": "Shift JIS",
}
DATE_ORDERS = {"ymd": "dates year first", "dmy": "dates day first", "mdy": "dates month first"}
QUOTES = {'"': 'quoted with "', "'": "quoted with '", None: "no quotes"}
MISSING = (
    ([""], "only empty cells are missing"),
    (["", "NA"], "NA is missing too"),
    (["", "-"], "- is missing too"),
    (["", "NA", "N/A", "NaN", "null", "-", "?"], "NA, N/A, null, -, ? are missing too"),
)
ROWS_OFFERED = 6
FORMATS = {
    "csv": "text table",
    "json-records": "JSON",
    "json-columns": "JSON",
    "xlsx": "Excel workbook",
    "ods": "OpenDocument sheet",
    "markdown": "Markdown table",
    "html": "HTML table",
    "fixed": "fixed widths",
}


@dataclass(frozen=True)
class Part:
    """One control: `key` of the reading, `label` for those who can't see its place, choices of (JSON, words).

    `now` is the present value as JSON. `rare` parts stand behind "More".
    """

    key: str
    label: str
    now: str
    choices: list[tuple[str, str]] = field(default_factory=list)
    rare: bool = False


def _choices(known: dict[Any, str], now: Any) -> list[tuple[str, str]]:
    """The known values and the present one, should it be another."""
    all_known = known if now in known else {now: str(now), **known}
    return [(json.dumps(value), text) for value, text in all_known.items()]


def _row_choices(now: int, say: dict[int, str], many: str) -> list[tuple[str, str]]:
    upto = max(ROWS_OFFERED, now + 2)
    return [(json.dumps(count), say.get(count, many.format(count))) for count in range(upto + 1)]


def parts(reading: dict[str, Any]) -> list[Part]:
    """The receipt's parts in reading order: what is out of the ordinary stands in the line, the rest behind "More"."""
    found: list[Part] = []

    def add(key: str, label: str, choices: list[tuple[str, str]], *, rare: bool = False) -> None:
        found.append(Part(key, label, json.dumps(reading.get(key)), choices, rare))

    delimited = reading.get("format") == "csv"
    if reading.get("sheets"):
        add("sheet", "Sheet", [(json.dumps(name), f"sheet {name}") for name in reading["sheets"]])
    if delimited:
        add("delimiter", "Separator", _choices(DELIMITERS, reading.get("delimiter")))
    if reading.get("decimal"):
        add("decimal", "Decimal mark", _choices(DECIMALS, reading["decimal"]))
    add("thousands", "Thousands mark", _choices(THOUSANDS, reading.get("thousands")), rare=not reading.get("thousands"))
    add(
        "date_order",
        "Order of dates",
        _choices({None: "dates as found", **DATE_ORDERS}, reading.get("date_order")),
        rare=not reading.get("date_order"),
    )
    skipped, header, footer = (reading.get(key) or 0 for key in ("skipped_rows", "header_rows", "footer_rows"))
    add(
        "skipped_rows",
        "Rows above the header",
        _row_choices(skipped, {0: "no title rows", 1: "1 title row skipped"}, "{} title rows skipped"),
        rare=not skipped,
    )
    add(
        "header_rows",
        "Header",
        _row_choices(header, {0: "no header row", 1: "1 header row"}, "{} header rows")[:4],
        rare=header == 1,
    )
    add(
        "footer_rows",
        "Rows below the table",
        _row_choices(footer, {0: "nothing left out below", 1: "1 row left out below"}, "{} rows left out below"),
        rare=not footer,
    )
    if reading.get("units_row") is not None:
        now = reading["units_row"]
        add("units_row", "Units", [(json.dumps(now), f"units in line {now}"), ("null", "no units row")])
    if delimited:
        add("quote", "Quote", _choices(QUOTES, reading.get("quote")), rare=True)
    if reading.get("encoding"):
        add(
            "encoding",
            "Encoding",
            _choices(ENCODINGS, reading["encoding"]),
            rare=reading["encoding"] in ("utf-8", "ascii"),
        )
    marks = reading.get("missing_marks") or [""]
    offered = [(json.dumps(value), text) for value, text in MISSING]
    if json.dumps(marks) not in dict(offered):
        named = ", ".join(mark or "empty" for mark in marks)
        offered.insert(0, (json.dumps(marks), f"{named}: missing"))
    found.append(Part("missing_marks", "Missing values", json.dumps(marks), offered, rare=marks == [""]))
    return found


def _plain(value: Any) -> Any:
    """A cell as a person would write it: no `.0` behind a whole number, yes and no in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _unit_beside(column: dict[str, Any]) -> str:
    """The unit, where the column's name does not say it already."""
    unit = column.get("unit") or ""
    return "" if unit and unit in column["name"] else unit


def context(dataset: Dataset) -> dict[str, Any]:
    """Context of the receipt, the notes and the preview."""
    everything = parts(dataset.reading)
    number = {index for index, column in enumerate(dataset.columns) if column["type"] == "number"}
    return {
        "format": FORMATS.get(dataset.reading.get("format", ""), "table"),
        "size": f"{words.counted(dataset.rows, 'row')} × {words.counted(len(dataset.columns), 'column')}",
        "bytes": words.kilobytes(dataset.bytes),
        "parts": [part for part in everything if not part.rare],
        "rare": [part for part in everything if part.rare],
        "notes": dataset.notes,
        "columns": [
            {**column, "index": index, "number": index in number, "unit_beside": _unit_beside(column)}
            for index, column in enumerate(dataset.columns)
        ],
        "types": list(words.TYPES.items()),
        "rows": [
            [{"value": _plain(value), "number": index in number} for index, value in enumerate(row)]
            for row in dataset.preview.get("rows", [])
        ],
    }


def changes(dataset: Dataset, form: QueryDict) -> tuple[dict[str, Any] | None, list[dict[str, Any]] | None]:
    """What a submitted receipt changes: overrides of the reading and of columns; None for no change of either."""
    reading: dict[str, Any] = {}
    for part in parts(dataset.reading):
        sent = form.get(f"reading-{part.key}", part.now)
        if sent != part.now:
            try:
                reading[part.key] = json.loads(sent)
            except ValueError:
                raise Invalid(f"{part.label}: this choice is not known. Reload the page and choose again.") from None
    columns = [
        {"name": column["name"], "type": sent}
        for index, column in enumerate(dataset.columns)
        if (sent := form.get(f"type-{index}", column["type"])) != column["type"]
    ]
    return reading or None, columns or None
