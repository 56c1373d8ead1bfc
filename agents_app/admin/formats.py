"""How values look on the operator's pages."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

EMPTY = "–"


def duration(length: timedelta | None) -> str:
    """A length of time for a person: `0.25 s`, `12 s`, `4 min 05 s`, `2 h 10 min`, `3 days`."""
    if length is None:
        return EMPTY
    seconds = length.total_seconds()
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:02.0f} s"
    if seconds < 2 * 86_400:
        return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:02.0f} min"
    return f"{seconds // 86_400:.0f} days"


def between(start: datetime | None, end: datetime | None) -> str:
    """The time from one moment to another, if both are known."""
    return duration(end - start) if start and end else EMPTY


def size(count: int) -> str:
    """A number of bytes for a person, in powers of ten."""
    if count < 1_000:
        return f"{count} B"
    return f"{count / 1_000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def pretty(value: Any) -> str | SafeString:
    """A JSON value, laid out."""
    if value in (None, "", [], {}):
        return EMPTY
    return format_html("<pre>{}</pre>", json.dumps(value, indent=1, ensure_ascii=False))


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str | SafeString:
    """A small table; a dash where there is no row."""
    body = [(format_html_join("", "<td>{}</td>", ((cell,) for cell in row)),) for row in rows]
    if not body:
        return EMPTY
    return format_html(
        "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
        format_html_join("", "<th>{}</th>", ((word,) for word in head)),
        format_html_join("", "<tr>{}</tr>", body),
    )


def fields(values: dict[str, Any]) -> str | SafeString:
    """Names and values on one line, long values cut."""
    shown = ((key, Truncator(json.dumps(value, ensure_ascii=False)).chars(200)) for key, value in values.items())
    return format_html_join(" · ", "{}: {}", shown) or EMPTY


def sentences(lines: Iterable[Any]) -> str | SafeString:
    """A list of sentences; a dash where there is none."""
    items = [(line,) for line in lines]
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", items)) if items else EMPTY
