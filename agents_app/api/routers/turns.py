"""What was asked, and what is happening with it."""

from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Router

from agents_app import selectors
from agents_app.api.answers import EventStream
from agents_app.api.auth import AGENT_CREDENTIALS, person
from agents_app.api.paging import Number
from agents_app.models import Turn
from agents_app.queue import positions, presence
from agents_app.shapes import turn_json

router = Router(tags=["turns"], auth=AGENT_CREDENTIALS)


def place_of(turn: Turn) -> dict[str, Any] | None:
    """Where a waiting turn stands: {position, waiting, eta_s}; None when it does not wait."""
    return positions.queued_status(turn) if turn.state == Turn.State.QUEUED else None


@router.get("/{turn}", summary="One turn")
def one(request: HttpRequest, turn: str) -> dict[str, Any]:
    """Its state, its place while it waits, its outcome; asking counts as being present for 30 s."""
    found = selectors.turn(person(request), turn)
    if found.state == Turn.State.QUEUED:
        presence.polled(found.id)
    return turn_json(found, place_of(found))


@router.get("/{turn}/events", summary="A turn's events (server-sent)")
async def events(request: HttpRequest, turn: str, after: Number = 0) -> EventStream:
    """The stream from number `after` on; `Last-Event-ID`, which a browser sends when it reconnects, wins."""
    found = await sync_to_async(selectors.turn)(person(request), turn)
    last = request.headers.get("Last-Event-ID", "").strip()
    return EventStream(found.id, int(last) if last.isdecimal() and len(last) < 10 else after)
