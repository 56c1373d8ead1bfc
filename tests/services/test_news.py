"""News between processes through the channel layer (PR1, PR2), on a real key-value server."""

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async

from agents_app.models import Turn
from agents_app.queue import hub
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.stream import stream
from agents_app.services.send import send
from anyplot_site import bounds
from renderer_app import beats
from tests.queue.processes import Workers, key_value_server
from tests.queue.waiting import collect, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings):
    """A key-value server that carries this process's news."""
    folder = Path(tempfile.mkdtemp(prefix="kv-"))
    with key_value_server(folder) as running:
        settings.REDIS_URL = running.url
        settings.CHANNEL_LAYERS = {
            "default": {
                "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
                "CONFIG": {"hosts": [running.url], "prefix": "anyplot"},
            }
        }
        settings.AGENT_RUNS_PER_MINUTE = 0
        yield running
        hub._threads.submit(lambda: None).result(timeout=20)
    shutil.rmtree(folder)


@pytest.fixture
def workers(server, tmp_path):
    """Starts run workers on this test's database and files."""
    started = Workers(tmp_path, server.url, tmp_path / "worker.log")
    yield started
    started.stop()


@pytest.fixture
def nobody_looks(monkeypatch):
    """What is not told is not found: the look at the rows comes too late for any test."""
    monkeypatch.setattr(bounds, "STREAM_LOOK_S", 600.0)


def numbers(items):
    return [item["id"] for item in items if item and item["id"]]


async def test_a_stream_hears_a_worker_of_another_process(alice, penguins, workers, nobody_looks):
    workers.start()
    await sync_to_async(until)(lambda: beats.alive("run"))
    turn = await sync_to_async(lambda: send(penguins(alice), alice))()
    items = await collect(stream(turn.id), within_s=60)
    assert items[-1]["type"] == "done"
    assert numbers(items) == list(range(1, items[-1]["id"] + 1))
    assert items[1]["data"]["step"] == "queued"


async def test_places_are_told_between_processes(alice, bob, penguins, workers, nobody_looks):
    first = await sync_to_async(lambda: send(penguins(bob), bob))()
    turn = await sync_to_async(lambda: send(penguins(alice), alice))()
    assert turn.state == Turn.State.QUEUED
    reading = asyncio.create_task(collect(stream(turn.id), within_s=60))
    await sync_to_async(workers.start)()  # it runs the first turn, and then this one
    items = await reading
    steps = [item["data"].get("step") for item in items if item["type"] == "status"]
    assert steps[:3] == ["queued", "started", "adapt"]
    assert await sync_to_async(lambda: Turn.objects.get(id=first.id).state)() == Turn.State.FINISHED


async def test_a_stream_goes_on_without_the_server(alice, penguins, server):
    turn = await sync_to_async(lambda: send(penguins(alice), alice))()
    items = stream(turn.id)
    assert (await anext(items))["type"] == "ready"
    server.kill()
    await sync_to_async(cancel_turn)(turn)
    assert numbers(await collect(items)) == [2, 3]


async def test_an_open_stream_hears_again_when_the_server_is_back(alice, penguins, server, workers, nobody_looks):
    turn = await sync_to_async(lambda: send(penguins(alice), alice))()
    items = stream(turn.id)
    assert (await anext(items))["type"] == "ready"
    server.kill()
    await sync_to_async(server.start)()
    await sync_to_async(workers.start)()
    rest = await collect(items, within_s=90)
    assert rest[-1]["type"] == "done"
    assert numbers(rest) == list(range(2, rest[-1]["id"] + 1))
