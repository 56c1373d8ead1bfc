"""Server-sent events: a message's stream, a turn's stream resumed, who may listen, and a client that leaves."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.test import AsyncClient
from django.utils import timezone

from agents_app.api.answers import sse
from agents_app.models import Turn
from agents_app.queue.admission import admit
from agents_app.queue.cancel import cancel_turn
from agents_app.services.tokens import issue
from anyplot_site import bounds
from tests.api.things import make_things

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_S = 20  # a safety bound, not a measure


def person(name: str) -> tuple[Any, dict[str, str]]:
    """A user and the header of their token."""
    user = get_user_model().objects.create_user(name)
    return user, {"Authorization": f"Bearer {issue(user, 'test')[1]}"}


def parse(text: str) -> list[dict[str, Any]]:
    """The events in a piece of a stream, as any client reads them; comments are left out."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            found.append({"id": lines.get("id"), "event": lines["event"], "data": json.loads(lines["data"])})
    return found


async def read(answer: Any, until: str = "done") -> list[dict[str, Any]]:
    """Events of a stream up to the first of type `until`; then the client is gone."""
    text = ""
    chunks = aiter(answer)
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in chunks:
                text += chunk.decode()
                if any(event["event"] == until for event in parse(text)):
                    break
    finally:
        await chunks.aclose()
    return parse(text)


async def left(turn: Turn) -> bool:
    """Whether the turn has been noted as left: it is kept for the grace of a reload, no longer."""
    until = (await Turn.objects.aget(id=turn.id)).present_until
    return until is not None and until <= timezone.now() + timedelta(seconds=bounds.PRESENCE_GRACE_S)


async def test_a_message_that_needs_no_run_is_a_short_stream():
    alice, token = await sync_to_async(person)("alice")
    things = await sync_to_async(make_things)(alice)
    answer = await AsyncClient().post(
        things.path("/v1/sessions/{session}/messages"),
        {"text": "make it sparkle"},
        content_type="application/json",
        headers={**token, "Accept": "text/event-stream"},
    )
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Cache-Control"] == "no-cache"
    assert answer["X-Accel-Buffering"] == "no"
    events = await read(answer)
    assert [event["event"] for event in events] == ["ready", "message", "done"]
    assert [event["id"] for event in events] == ["1", "2", "3"]
    assert events[0]["data"]["protocol"] == "anyplot/1"
    assert events[0]["data"]["session"] == str(things.session.id)
    assert events[1]["data"]["not_understood"] == ["make it sparkle"]
    assert events[2]["data"] == {"outcome": "not_understood"}


async def test_a_waiting_turn_tells_its_place_without_a_number_and_ends_when_it_is_stopped():
    alice, token = await sync_to_async(person)("alice")
    things = await sync_to_async(make_things)(alice)
    answer = await AsyncClient().post(
        things.path("/v1/sessions/{session}/messages"),
        {},
        content_type="application/json",
        headers={**token, "Accept": "text/event-stream"},
    )
    turn = await Turn.objects.aget(session=things.session, state__in=Turn.ACTIVE)
    text = ""
    stopped = False
    async with asyncio.timeout(PATIENCE_S):
        async for chunk in answer:
            text += chunk.decode()
            if not stopped and "event: status" in text:
                stopped = await sync_to_async(cancel_turn)(turn)
    events = parse(text)
    assert (events[0]["event"], events[0]["id"]) == ("ready", "1")
    assert events[1]["id"] is None, "PR2"
    assert {"step": "queued", "position": 1, "waiting": 1}.items() <= events[1]["data"].items()
    assert events[-2]["event"] == "error"
    assert events[-2]["data"]["code"] == "canceled"
    assert events[-1]["data"] == {"outcome": "canceled"}
    numbers = [int(event["id"]) for event in events if event["id"]]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("query", "header", "ids"),
    [
        ("", None, ["1", "2", "3"]),
        ("?after=1", None, ["2", "3"]),
        ("?after=0", "2", ["3"]),
        ("?after=1", "x", ["2", "3"]),
    ],
)
async def test_a_stream_goes_on_after_the_number_that_was_seen(query, header, ids):
    alice, token = await sync_to_async(person)("alice")
    things = await sync_to_async(make_things)(alice)
    headers = {**token, **({"Last-Event-ID": header} if header else {})}
    answer = await AsyncClient().get(things.path("/v1/turns/{turn}/events") + query, headers=headers)
    assert [event["id"] for event in await read(answer)] == ids


async def test_strangers_and_nobody_hear_nothing_and_a_refusal_is_no_stream():
    alice, token = await sync_to_async(person)("alice")
    _, charlies = await sync_to_async(person)("charlie")
    things = await sync_to_async(make_things)(alice)
    client = AsyncClient(raise_request_exception=False)
    for path in ("/v1/turns/{turn}/events", "/v1/turns/not-an-id/events"):
        answer = await client.get(things.path(path), headers=charlies)
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/json")
    assert (await client.get(things.path("/v1/turns/{turn}/events"))).status_code == 401

    await sync_to_async(admit)(session=things.session, owner=alice)
    answer = await client.post(
        things.path("/v1/sessions/{session}/messages"),
        {},
        content_type="application/json",
        headers={**token, "Accept": "text/event-stream"},
    )
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/json")
    assert answer.json()["code"] == "run_active"
    assert "stop it" in answer.json()["detail"]


async def test_a_client_that_leaves_is_noticed():
    alice, token = await sync_to_async(person)("alice")
    things = await sync_to_async(make_things)(alice)
    # A second person's turn keeps the only place in flight, so that alice waits.
    bob, _ = await sync_to_async(person)("bob")
    bobs = await sync_to_async(make_things)(bob)
    await sync_to_async(admit)(session=bobs.session, owner=bob)
    answer = await AsyncClient().post(
        things.path("/v1/sessions/{session}/messages"),
        {},
        content_type="application/json",
        headers={**token, "Accept": "text/event-stream"},
    )
    turn = await Turn.objects.aget(session=things.session, state__in=Turn.ACTIVE)
    assert turn.state == Turn.State.QUEUED
    await read(answer, until="status")
    # While attached it counts as there for longer than the grace of one that left.
    assert bounds.WORKER_GONE_S - PATIENCE_S > bounds.PRESENCE_GRACE_S
    async with asyncio.timeout(PATIENCE_S):
        while not await left(turn):
            await asyncio.sleep(0.05)  # the end is noted by the streams' own thread


def test_an_event_is_one_block_whatever_is_in_it():
    text = sse({"id": 7, "type": "message", "data": {"text": "two\nlines\r\nand \u2028 more"}})
    assert text.startswith("id: 7\nevent: message\ndata: {")
    assert text.endswith("}\n\n")
    assert len(text.splitlines()) == 4
    assert parse(text)[0]["data"]["text"] == "two\nlines\r\nand \u2028 more"
    assert sse({"id": None, "type": "status", "data": {}}) == "event: status\ndata: {}\n\n"
