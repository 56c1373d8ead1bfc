"""Answers that are files or streams."""

import hashlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, cast
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag

from agents_app.queue.stream import Item, stream

TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "py": "text/x-python; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
}
SAVED = ("py", "csv", "zip")  # always offered as a download: no browser should run or show them as a page
# A picture that a person's script drew may hold a script (SVG): opened by itself it gets no rights at all.
ALONE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


def file_answer(request: HttpRequest, data: bytes, name: str) -> HttpResponse:
    """A file of a person's: never kept by a shared cache, asked for again each time and then mostly 304.

    `?download=1` makes a browser save it; scripts, tables and archives are always saved.
    """
    ending = name.rsplit(".", 1)[-1]
    etag = quote_etag(hashlib.sha256(data).hexdigest()[:32])
    download = ending in SAVED or request.GET.get("download") == "1"
    headers = {
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": content_disposition_header(download, name) or "inline",
    }
    if ending in ("svg", "pdf"):
        headers["Content-Security-Policy"] = ALONE
    answer = HttpResponse(data, content_type=TYPES[ending], headers=headers)
    return get_conditional_response(request, etag=etag, response=answer) or answer


class EventStream(StreamingHttpResponse):
    """A turn's events from number `after` on as server-sent events, to `done`.

    A client that leaves ends the queue's stream at once, which then notes its absence: Django closes only the
    outermost of the generators around it, and would leave the inner ones to the garbage collector.
    """

    def __init__(self, turn_id: UUID, after: int = 0) -> None:
        self._lines = _lines(turn_id, after)
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(self._lines, content_type="text/event-stream", headers=headers)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The lines; closed to the bottom, however it ends."""
        try:
            async for part in self.streaming_content:  # type: ignore[union-attr]
                yield part
        finally:
            await self._lines.aclose()


async def _lines(turn_id: UUID, after: int) -> AsyncGenerator[str]:
    async with aclosing(cast(AsyncGenerator[Item], stream(turn_id, after=after))) as events:
        async for event in events:
            yield ": alive\n\n" if event is None else sse(event)


def sse(event: dict[str, Any]) -> str:
    """One event {"id", "type", "data"}; without a number it has no `id:` line, so it moves no client's place."""
    number = "" if event["id"] is None else f"id: {event['id']}\n"
    data = json.dumps(event["data"], cls=DjangoJSONEncoder)  # escapes line ends: always one line
    return f"{number}event: {event['type']}\ndata: {data}\n\n"


def wants_stream(request: HttpRequest) -> bool:
    """True when the caller names server-sent events; `*/*` does not."""
    return "text/event-stream" in request.headers.get("Accept", "")
