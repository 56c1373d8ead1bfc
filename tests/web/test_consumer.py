"""The socket of a turn: what it sends, to whom, and how it ends."""

import asyncio
import json
import uuid

import pytest
from channels.db import database_sync_to_async
from channels.layers import channel_layers
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator

from agents_app.queue.cancel import cancel_turn
from agents_app.services.send import send
from agents_app.services.start import start
from agents_app.services.upload import upload
from agents_app.web import consumers
from agents_app.web.routing import websocket_urlpatterns
from anyplot_site import bounds
from anyplot_site.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)
TIMEOUT_S = 10


@pytest.fixture(autouse=True)
def in_memory_news(settings):
    """The news of this process is enough here."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    channel_layers.backends.clear()


@pytest.fixture
def waiting(alice, penguins, settings):
    """A turn of alice's that nothing will start: another is always before it."""
    from agents_app.queue import pause

    pause.pause()
    dataset = upload(alice, data=penguins, how="paste")
    return send(start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset), alice)


def socket(turn_id, user, after=0) -> WebsocketCommunicator:
    made = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/turns/{turn_id}/?after={after}")
    made.scope["user"] = user
    return made


async def next_event(made: WebsocketCommunicator) -> dict:
    return json.loads(await made.receive_from(TIMEOUT_S))


async def closing(made: WebsocketCommunicator) -> int:
    """The code with which the socket is closed, whatever comes before it."""
    while True:
        message = await made.receive_output(TIMEOUT_S)
        if message["type"] == "websocket.close":
            return message["code"]


async def test_the_owner_hears_ready_then_the_place_then_the_end(alice, waiting):
    made = socket(waiting.pk, alice)
    assert (await made.connect())[0]
    first, second = await next_event(made), await next_event(made)
    assert (first["id"], first["type"], first["data"]["turn"]) == (1, "ready", str(waiting.pk))
    assert (second["id"], second["type"], second["data"]["step"]) == (None, "status", "queued")
    assert second["data"]["position"] == 1

    await database_sync_to_async(cancel_turn)(waiting)
    seen = []
    while not seen or seen[-1]["type"] != "done":
        seen.append(await next_event(made))
    assert [event["type"] for event in seen if event["id"]] == ["error", "done"]
    assert seen[-1]["data"]["outcome"] == "canceled"
    assert await closing(made) == consumers.DONE


async def test_a_socket_that_comes_back_misses_nothing_and_sees_nothing_twice(alice, waiting):
    await database_sync_to_async(cancel_turn)(waiting)
    made = socket(waiting.pk, alice, after=1)
    await made.connect()
    events = [await next_event(made), await next_event(made)]
    assert [event["id"] for event in events] == [2, 3]
    assert await closing(made) == consumers.DONE


async def test_a_stranger_hears_nothing(charlie, waiting):
    made = socket(waiting.pk, charlie)
    await made.connect()
    assert await closing(made) == consumers.ABSENT


async def test_nobody_hears_nothing(waiting):
    from django.contrib.auth.models import AnonymousUser

    made = socket(waiting.pk, AnonymousUser())
    await made.connect()
    assert await closing(made) == consumers.ABSENT


async def test_an_unknown_turn_is_closed_like_a_strangers(alice):
    made = socket(uuid.uuid4(), alice)
    await made.connect()
    assert await closing(made) == consumers.ABSENT


async def test_somebody_who_may_no_longer_sign_in_hears_no_more(alice, waiting):
    made = socket(waiting.pk, alice)
    await made.connect()
    await next_event(made)
    await next_event(made)
    alice.is_active = False
    await database_sync_to_async(alice.save)()
    await database_sync_to_async(cancel_turn)(waiting)
    assert await closing(made) == consumers.ABSENT


async def test_a_large_word_closes_the_socket(alice, waiting):
    made = socket(waiting.pk, alice)
    await made.connect()
    await made.send_to(text_data="x" * (bounds.SOCKET_MESSAGE_BYTES + 1))
    assert await closing(made) == consumers.TOO_BIG
    await made.disconnect()


async def test_one_person_has_a_bounded_number_of_sockets(alice, waiting, monkeypatch):
    monkeypatch.setattr(bounds, "SOCKETS_PER_USER", 1)
    first = socket(waiting.pk, alice)
    await first.connect()
    await next_event(first)
    second = socket(waiting.pk, alice)
    await second.connect()
    assert await closing(second) == consumers.TOO_MANY
    await first.disconnect()
    third = socket(waiting.pk, alice)
    await third.connect()
    assert (await next_event(third))["type"] == "ready"
    await third.disconnect()
    await asyncio.sleep(0)
    assert consumers.TurnConsumer.open_sockets[alice.pk] == 0


async def test_another_sites_page_cannot_open_a_socket(waiting):
    made = WebsocketCommunicator(
        application, f"/ws/turns/{waiting.pk}/", headers=[(b"origin", b"https://elsewhere.example")]
    )
    assert not (await made.connect())[0]


async def test_this_sites_page_can_but_must_be_signed_in(waiting):
    made = WebsocketCommunicator(
        application, f"/ws/turns/{waiting.pk}/", headers=[(b"origin", b"http://localhost:8000")]
    )
    assert (await made.connect())[0]
    assert await closing(made) == consumers.ABSENT
