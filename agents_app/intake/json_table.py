"""JSON tables: records, lines of records, columns, rows; nested objects one level deep become `outer.inner`."""

import json
import math
from typing import Any

from agents_app.intake.grid import Grid
from agents_app.refusals import TooLarge, Unreadable
from anyplot_site import bounds

Value = Any  # what json.loads gives


def looks_like_json(text: str) -> bool:
    """True when the text starts like JSON that may hold a table: it must then be valid, or be JSON lines."""
    start = text.lstrip()[:1]
    return start in ("[", "{") and (_load(text) is not None or _load_lines(text) is not None)


def read_json(text: str) -> Grid:
    """The rows of a JSON table. Raises Unreadable when it is no JSON or holds no table, TooLarge beyond limits."""
    data = _load(text)
    if data is None and (records := _load_lines(text)) is not None:
        return _from_records(records, "json-records")
    if data is None:
        raise _no_table("The JSON is not valid", text)
    if isinstance(data, dict):
        data = _inside(data)
    if isinstance(data, dict):
        return _from_columns(data)
    if isinstance(data, list) and data and all(isinstance(item, dict) for item in data):
        return _from_records(data, "json-records")
    if isinstance(data, list) and data and all(isinstance(item, list) for item in data):
        return _from_rows(data)
    if isinstance(data, list) and data and not any(isinstance(item, (list, dict)) for item in data):
        return _from_records([{"value": item} for item in data], "json")
    raise _no_table("The JSON holds no table", text)


def _load(text: str) -> Value:
    """The value, or None when it is not valid JSON (null included)."""
    try:
        return json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError):
        return None


def _integer(digits: str) -> int | str:
    """A whole number; one too long for any computation stays text."""
    return int(digits) if len(digits) < 300 else digits


def _load_lines(text: str) -> list[dict[str, Value]] | None:
    """Records written one per line, or None."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or len(lines) > 2 * bounds.TABLE_ROWS or not lines[0].lstrip().startswith("{"):
        return None
    records = []
    for line in lines:
        record = _load(line)
        if not isinstance(record, dict):
            return None
        records.append(record)
    return records


def _inside(data: dict[str, Value]) -> Value:
    """`{"columns": [...], "data": [[...]]}`, the one list of records inside an envelope, or the object itself."""
    columns, rows = data.get("columns"), data.get("data")
    if isinstance(columns, list) and isinstance(rows, list) and rows and all(isinstance(row, list) for row in rows):
        return [[str(name) for name in columns], *rows]
    lists = [
        item for item in data.values() if isinstance(item, list) and item and all(isinstance(x, dict) for x in item)
    ]
    return lists[0] if len(lists) == 1 else data


def _flat(record: dict[str, Value]) -> dict[str, Value]:
    """Objects inside a record spread out one level."""
    flat: dict[str, Value] = {}
    for key, item in record.items():
        if isinstance(item, dict):
            flat.update({f"{key}.{inner}": deep for inner, deep in item.items()})
        else:
            flat[key] = item
    return flat


def _from_records(records: list[dict[str, Value]], format_: str) -> Grid:
    flat = [_flat(record) for record in records]
    names: dict[str, None] = {}
    for record in flat:
        names.update(dict.fromkeys(record))
        _check_width(len(names))
    return _grid(format_, list(names), [[record.get(name) for name in names] for record in flat])


def _from_columns(data: dict[str, Value]) -> Grid:
    """`{"name": [values], ...}` or `{"name": {"0": value, ...}, ...}`."""
    _check_width(len(data))
    if data and all(isinstance(item, list) for item in data.values()):
        length = max(len(item) for item in data.values())
        padded = {name: item + [None] * (length - len(item)) for name, item in data.items()}
        return _grid("json-columns", list(data), [list(row) for row in zip(*padded.values(), strict=True)])
    if data and all(isinstance(item, dict) for item in data.values()):
        keys: dict[str, None] = {}
        for item in data.values():
            keys.update(dict.fromkeys(item))
        return _grid("json-columns", list(data), [[item.get(key) for item in data.values()] for key in keys])
    if data and not any(isinstance(item, (list, dict)) for item in data.values()):
        return _grid("json", ["name", "value"], [[name, item] for name, item in data.items()])
    raise Unreadable(
        'The JSON holds no table. Bring a list of records ([{"name": …}, …]) or an object of columns.', lines=[]
    )


def _from_rows(rows: list[list[Value]]) -> Grid:
    _check_width(max(len(row) for row in rows))
    return _grid("json", None, rows)


def _grid(format_: str, names: list[str] | None, rows: list[list[Value]]) -> Grid:
    if len(rows) > bounds.TABLE_ROWS + 1:
        raise TooLarge(
            f"The table has {len(rows):,} rows; at most {bounds.TABLE_ROWS:,} can be read. "
            "Summarise it, or take a part of it.",
            limit=bounds.TABLE_ROWS,
            value=len(rows),
        )
    native = {
        j
        for row in rows
        for j, value in enumerate(row)
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
    return Grid(
        format_,
        [[_text(value) for value in row] for row in rows],
        list(range(1, len(rows) + 1)),
        names=names,
        native=frozenset(native),
        lines_total=len(rows),
    )


def _text(value: Value) -> str:
    """A JSON value as a cell's text; a list or an object as JSON."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else str(value)


def _check_width(width: int) -> None:
    if width > bounds.TABLE_COLUMNS:
        raise TooLarge(
            f"The table has {width:,} columns; at most {bounds.TABLE_COLUMNS} can be read. "
            "Leave out the columns that the plot does not need.",
            limit=bounds.TABLE_COLUMNS,
            value=width,
        )


def _no_table(what: str, text: str) -> Unreadable:
    """The refusal, with the place where the JSON breaks off where there is one."""
    lines: list[dict[str, Any]] = []
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        what += f" (line {error.lineno}, character {error.colno}: {error.msg})"
        lines = [{"row": error.lineno, "column": None, "value": text[error.pos : error.pos + 40], "text": error.msg}]
    except (ValueError, RecursionError):
        what += " (nested too deeply)"
    return Unreadable(f'{what}. Bring a list of records ([{{"name": …}}, …]) or an object of columns.', lines=lines)
