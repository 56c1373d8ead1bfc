"""What a person set about the reading and the columns, checked before anything is read."""

import json
from typing import Any, get_args

from agents_app.intake.decode import check_charset
from agents_app.intake.grid import clipped
from agents_app.intake.number_column import marks_by_format
from agents_app.intake.table import ColumnType
from agents_app.refusals import Invalid
from anyplot_site import bounds

_TEXTS = ("encoding", "delimiter", "quote", "decimal", "thousands", "date_order", "sheet", "format")
_COUNTS = ("skipped_rows", "header_rows", "footer_rows")
FIELDS = (*_TEXTS, *_COUNTS, "units_row", "missing_marks", "sheets")
FORMATS = ("csv", "fixed", "json", "json-records", "json-columns", "xlsx", "ods", "xls", "markdown", "html")
ORDERS = {"dmy": True, "day-first": True, "mdy": False, "month-first": False, "ymd": None, "year-first": None}
TYPES: tuple[str, ...] = get_args(ColumnType)
_NAMED_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "bar": "|", "space": " "}


def check_reading(reading: object) -> dict[str, Any]:
    """The reading's overrides with None and `sheets` taken out. Raises Invalid naming the field."""
    if reading is None:
        return {}
    if not isinstance(reading, dict):
        raise Invalid('reading: an object is needed, such as {"delimiter": ";"}.')
    _refuse_half_characters(reading, "reading")
    wanted: dict[str, Any] = {}
    for key, value in reading.items():
        if key not in FIELDS:
            raise Invalid(f"reading.{clipped(str(key))}: there is no such field; there are {', '.join(FIELDS[:-1])}.")
        if value is None or key == "sheets":
            continue
        if key in _TEXTS and not isinstance(value, str):
            raise Invalid(f"reading.{key}: a text is needed.")
        if key in _COUNTS and (
            isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= bounds.TABLE_ROWS
        ):
            raise Invalid(f"reading.{key}: a whole number from 0 to {bounds.TABLE_ROWS:,} is needed.")
        wanted[key] = value
    _check_texts(wanted)
    _check_rows(wanted)
    return wanted


def _refuse_half_characters(sent: object, place: str) -> None:
    """Raises Invalid for a lone surrogate anywhere: it cannot be stored or said back."""
    try:
        json.dumps(sent, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise Invalid(f"{place}: a text in it holds half a character (a lone surrogate).") from error


def _check_texts(wanted: dict[str, Any]) -> None:
    if "delimiter" in wanted:
        mark = _NAMED_DELIMITERS.get(wanted["delimiter"].lower(), wanted["delimiter"])
        if len(mark) != 1 or mark.isalnum() or mark in "\"'\r\n\\\x00":
            raise Invalid(
                f"reading.delimiter: {clipped(wanted['delimiter'])!r} is no delimiter; "
                "use one character such as ; or |."
            )
        wanted["delimiter"] = mark
    if "quote" in wanted and (
        len(wanted["quote"]) > 1 or wanted["quote"].isalnum() or wanted["quote"] in ("\n", "\r", " ", "\x00")
    ):
        raise Invalid(
            f"reading.quote: {clipped(wanted['quote'])!r} is no quote; use \" or ', or an empty text for none."
        )
    if wanted.get("quote") and wanted.get("quote") == wanted.get("delimiter"):
        raise Invalid("reading.quote: it is the delimiter.")
    if "decimal" in wanted and wanted["decimal"] not in (".", ","):
        raise Invalid(f"reading.decimal: {clipped(wanted['decimal'])!r} is no decimal mark; use . or ,")
    if "thousands" in wanted:
        mark = wanted["thousands"].replace("\u00a0", " ").replace("\u202f", " ").replace("\u2019", "'")
        if mark not in ("", ".", ",", " ", "'"):
            raise Invalid(
                f"reading.thousands: {clipped(mark)!r} is no thousands mark; "
                "use . or , or ' or a space, or an empty text."
            )
        if mark and mark == wanted.get("decimal"):
            raise Invalid("reading.thousands: it is the decimal mark.")
        wanted["thousands"] = mark
    if "date_order" in wanted and wanted["date_order"].lower() not in ORDERS:
        raise Invalid(f"reading.date_order: {clipped(wanted['date_order'])!r} is no order; use dmy, mdy or ymd.")
    if "format" in wanted and wanted["format"] not in FORMATS:
        raise Invalid(f"reading.format: {clipped(wanted['format'])!r} is not read; formats are {', '.join(FORMATS)}.")
    if "encoding" in wanted:
        check_charset(wanted["encoding"])


def _check_rows(wanted: dict[str, Any]) -> None:
    if wanted.get("header_rows", 1) > 2:
        raise Invalid("reading.header_rows: 0, 1, or 2 (a header and a row of units) can be read.")
    units = wanted.get("units_row")
    if units is not None and (isinstance(units, bool) or not isinstance(units, int) or units < 0):
        raise Invalid("reading.units_row: the number of a row is needed, or 0 for none.")
    marks = wanted.get("missing_marks")
    if marks is not None and not (isinstance(marks, list) and all(isinstance(mark, str) for mark in marks)):
        raise Invalid("reading.missing_marks: a list of texts is needed.")


def check_columns(wishes: object, names: list[str], source_names: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """One wish per column ({} for none) and the final names. Raises Invalid naming the place.

    Wishes are taken in order, and a later one may call a column by the name that an earlier one gave it.
    """
    found: list[dict[str, Any]] = [{} for _ in names]
    current = list(names)
    if wishes is None:
        return found, current
    if not isinstance(wishes, list):
        raise Invalid('columns: a list is needed, such as [{"name": "date", "type": "date"}].')
    _refuse_half_characters(wishes, "columns")
    for index, wish in enumerate(wishes):
        place = f"columns[{index}]"
        if not isinstance(wish, dict) or not isinstance(wish.get("name"), str):
            raise Invalid(f'{place}: an object with a name is needed, such as {{"name": "date", "type": "date"}}.')
        if unknown := [key for key in wish if key not in ("name", "type", "format", "rename")]:
            raise Invalid(
                f"{place}.{clipped(str(unknown[0]))}: there is no such field; there are name, type, format, rename."
            )
        j = _find(wish["name"], current, names, source_names, place)
        if (type_ := wish.get("type")) is not None:
            if type_ not in TYPES:
                raise Invalid(f"{place}.type: {clipped(str(type_))!r} is no type; types are {', '.join(TYPES)}.")
            if type_ != found[j].get("type"):
                found[j].pop("format", None)
            found[j]["type"] = type_
        if (format_ := wish.get("format")) is not None:
            _check_format(format_, found[j], place)
        if (rename := wish.get("rename")) is not None:
            current[j] = _new_name(rename, j, current, place)
    return found, current


def _find(name: str, current: list[str], names: list[str], source_names: list[str], place: str) -> int:
    for known in (current, names, source_names):
        if name in known:
            return known.index(name)
    shown = ", ".join(f"`{known}`" for known in current[:12]) + (" …" if len(current) > 12 else "")
    raise Invalid(f"{place}.name: there is no column `{name[:80]}`. Columns: {shown}.")


def _check_format(format_: object, wish: dict[str, Any], place: str) -> None:
    """A date pattern makes a date, an example number a number, when no type was named."""
    if not isinstance(format_, str) or not format_ or len(format_) > 40:
        raise Invalid(f"{place}.format: a text is needed, such as '%d.%m.%Y' or '1.234,56'.")
    type_ = wish.get("type") or ("date" if "%" in format_ else "number")
    if type_ == "number":
        try:
            marks_by_format(format_)
        except Invalid as error:
            raise Invalid(f"{place}.format: {error.detail.removeprefix('columns: ')}") from error
    elif type_ == "date" and "%" not in format_:
        raise Invalid(f"{place}.format: {format_!r} is no date format; use one such as '%d.%m.%Y' or '%m/%d/%Y'.")
    if type_ in ("number", "date"):
        wish["type"], wish["format"] = type_, format_


def _new_name(rename: object, j: int, current: list[str], place: str) -> str:
    if not isinstance(rename, str) or not (name := " ".join(rename.split())):
        raise Invalid(f"{place}.rename: a name is needed.")
    if len(name) > bounds.LABEL_CHARACTERS:
        raise Invalid(f"{place}.rename: at most {bounds.LABEL_CHARACTERS} characters; this has {len(name)}.")
    if "\x00" in name or any(name == other for k, other in enumerate(current) if k != j):
        raise Invalid(
            f"{place}.rename: there is already a column `{name}`." if "\x00" not in name else f"{place}.rename: NUL."
        )
    return name
