"""Conversations about plots."""

from typing import Annotated, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponseBase
from ninja import Header, Router, Status

from agents_app import selectors
from agents_app.api.answers import EventStream, wants_stream
from agents_app.api.auth import AGENT_CREDENTIALS, person
from agents_app.api.bodies import NO_BODY, InterpretIn, MessageIn, Nothing, SessionIn, SessionPatch
from agents_app.api.paging import Limit, Offset, page
from agents_app.api.routers.datasets import given
from agents_app.api.routers.turns import place_of
from agents_app.models import Session, Turn
from agents_app.queue import positions
from agents_app.services.bind import bind
from agents_app.services.cancel import cancel
from agents_app.services.delete import delete_session
from agents_app.services.interpret import interpret
from agents_app.services.rename import rename
from agents_app.services.send import send
from agents_app.services.start import start
from agents_app.shapes import session_json, turn_json, url

router = Router(tags=["sessions"], auth=AGENT_CREDENTIALS)
IDEMPOTENCY_CHARACTERS = Turn._meta.get_field("idempotency_key").max_length or 200
IdempotencyKey = Annotated[str, Header("", alias="Idempotency-Key", max_length=IDEMPOTENCY_CHARACTERS)]


def whole(session: Session) -> dict[str, Any]:
    """A session with its latest turn and that one's place."""
    turn = selectors.latest_turn(session)
    return session_json(session) | {"turn": turn_json(turn, place_of(turn)) if turn else None}


@router.post("", response={201: Any}, summary="Start a session")
def create(request: HttpRequest, payload: SessionIn) -> Status:
    """A plot of the catalogue on one of your data sets; bindings left out are proposed."""
    owner = person(request)
    session = start(
        owner,
        spec=payload.spec,
        library=payload.library,
        language=payload.language,
        dataset=selectors.dataset(owner, payload.dataset),
        bindings=given(payload.bindings),
        theme=payload.theme,
        name=payload.name,
    )
    return Status(201, session_json(session))


@router.get("", summary="Your sessions")
def index(request: HttpRequest, limit: Limit, offset: Offset) -> dict[str, Any]:
    """Your sessions, newest first; `turn` is left to the session itself."""
    return page(selectors.sessions(person(request)), session_json, limit, offset)


@router.get("/{session}", summary="One session")
def one(request: HttpRequest, session: str) -> dict[str, Any]:
    """A session with its versions in short and its latest turn."""
    return whole(selectors.session(person(request), session))


@router.patch("/{session}", summary="Rename or bind anew")
def change(request: HttpRequest, session: str, payload: SessionPatch) -> dict[str, Any]:
    """Another name; other bindings (exactly these), which the next run uses."""
    found = selectors.session(person(request), session)
    if payload.bindings is not None:
        bind(found, given(payload.bindings))
    if payload.name is not None:
        rename(found, payload.name)
    return whole(found)


@router.delete("/{session}", response={204: None}, summary="Delete a session")
def remove(request: HttpRequest, session: str) -> Status:
    """The session with its turns, versions and files; a waiting or running turn is stopped first."""
    delete_session(selectors.session(person(request), session))
    return Status(204, None)


@router.post("/{session}/messages", response={202: Any}, summary="Create or refine the plot")
async def message(
    request: HttpRequest, session: str, payload: MessageIn, idempotency_key: IdempotencyKey = ""
) -> HttpResponseBase | Status:
    """Ask for a run. With `Accept: text/event-stream` the answer is the stream of its events, else 202.

    Refusals (409 `run_active`, 429 `budget`, 503 `capacity`) come before any stream.
    """
    turn, place = await sync_to_async(_ask)(person(request), session, payload, idempotency_key)
    if wants_stream(request):
        return EventStream(turn.id)
    place = place or {}
    return Status(
        202,
        {
            "turn": str(turn.id),
            "state": turn.state,
            "position": place.get("position"),
            "waiting": place.get("waiting", 0),
            "eta_s": place.get("eta_s"),
            "events": url("turns", turn.id, "events"),
        },
    )


def _ask(owner: Any, session: str, payload: MessageIn, key: str) -> tuple[Turn, dict[str, Any] | None]:
    turn = send(
        selectors.session(owner, session),
        owner,
        text=payload.text,
        operations=payload.operations,
        theme=payload.theme or "",
        base=str(payload.base),
        idempotency_key=key,
    )
    # One that starts at once stands first for its caller too (PR1); one that was answered stood nowhere.
    return turn, positions.queued_status(turn) if turn.state in Turn.ACTIVE else None


@router.post("/{session}/interpret", summary="What would these words do?")
def interpreted(request: HttpRequest, session: str, payload: InterpretIn) -> dict[str, Any]:
    """The operations that words stand for, and what was not understood; runs nothing."""
    found = selectors.session(person(request), session)
    return interpret(found, text=payload.text, operations=payload.operations, base=str(payload.base))


@router.post("/{session}/cancel", summary="Stop the run")
def stop(request: HttpRequest, session: str, payload: Nothing = NO_BODY) -> dict[str, bool]:
    """Stop this session's waiting or running turn; false when there is none."""
    owner = person(request)
    return {"canceled": cancel(selectors.session(owner, session), owner)}
