"""Streams of events (PR1, PR2, PR4-PR6)."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from agents_app.models import Session, Turn
from agents_app.queue import events, hub, lease, positions
from agents_app.queue.admission import admit, answer
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.finish import finish
from agents_app.queue.stream import stream
from agents_app.refusals import NotFound
from anyplot_site import bounds
from tests.queue.people import crowd
from tests.queue.waiting import collect, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_server(settings):
    """Without a key-value server and without a limit on the rate."""
    settings.CHANNEL_LAYERS = {}
    settings.AGENT_RUNS_PER_MINUTE = 0
    yield
    hub._threads.submit(lambda: None).result(timeout=20)  # what the streams' ends write is written


def names(items):
    """What was sent, in short."""
    return [
        None if item is None else (item["id"], item["type"], item["data"].get("step") or item["data"].get("outcome"))
        for item in items
    ]


async def both(turn, *works):
    """The stream from its beginning while `works` are done one after the other."""

    async def act():
        for work in works:
            await asyncio.sleep(0.05)
            await sync_to_async(work)()

    items, _ = await asyncio.gather(collect(stream(turn.id)), act())
    return items


async def test_a_turn_that_starts_at_once_is_queued_first_and_ends_with_done(alice, session_of):
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    items = await both(
        turn,
        lambda: lease.claim(turn.id, turn.token, "elsewhere:1:1:x"),
        lambda: events.report(turn.id, turn.token, "render"),
        lambda: finish(turn.id, turn.token, outcome="ok", lines=[("message", {"text": "Here."})]),
    )
    assert names(items) == [
        (1, "ready", None),
        (None, "status", "queued"),
        (2, "status", "started"),
        (3, "status", "render"),
        (4, "message", None),
        (5, "done", "ok"),
    ]
    assert items[1]["data"] == {"step": "queued", "position": 1, "waiting": 1, "eta_s": 0}


async def test_a_waiting_turn_hears_each_change_of_its_place(session_of):
    def fill():
        people = crowd(3)
        return [admit(session=session_of(person), owner=person) for person in people]

    turns = await sync_to_async(fill)()
    items = await both(turns[2], *[lambda turn=turn: cancel_turn(turn) for turn in turns])
    queued = [item["data"]["position"] for item in items if item["data"].get("step") == "queued"]
    assert queued[:2] == [2, 1]
    assert items[-1]["data"] == {"outcome": "canceled"}


async def test_a_client_that_comes_back_misses_nothing_and_sees_nothing_twice(alice, session_of):
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    await sync_to_async(lambda: lease.claim(turn.id, turn.token, "elsewhere:1:1:x"))()
    first = await collect(stream(turn.id), enough=lambda items: items[-1]["id"] == 2)
    await sync_to_async(lambda: events.report(turn.id, turn.token, "render"))()
    await sync_to_async(lambda: finish(turn.id, turn.token, outcome="ok"))()
    rest = await collect(stream(turn.id, after=2))
    assert [item["id"] for item in first if item["id"]] == [1, 2]
    assert names(rest) == [(3, "status", "render"), (4, "done", "ok")]


async def test_a_waiting_turn_that_comes_back_gets_its_present_place(session_of):
    def fill():
        return [admit(session=session_of(person), owner=person) for person in crowd(2)]

    turns = await sync_to_async(fill)()
    items = await collect(stream(turns[1].id, after=1), enough=lambda items: len(items) == 1)
    assert names(items) == [(None, "status", "queued")]


async def test_a_client_that_had_everything_hears_that_it_is_over(alice, session_of):
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    await sync_to_async(cancel_turn)(turn)
    assert names(await collect(stream(turn.id, after=3))) == [(None, "done", "canceled")]


async def test_a_turn_that_needs_no_run_is_ready_message_done(alice, session_of):
    turn = await sync_to_async(
        lambda: answer(session=session_of(alice), owner=alice, text="x", message={"text": "?"}, outcome="answered")
    )()
    assert names(await collect(stream(turn.id))) == [(1, "ready", None), (2, "message", None), (3, "done", "answered")]


async def test_an_unknown_turn_is_not_found(alice, session_of):
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    await sync_to_async(Session.objects.all().delete)()
    with pytest.raises(NotFound):
        await collect(stream(turn.id))


async def test_a_turn_that_is_deleted_meanwhile_ends_its_stream(alice, session_of):
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    items = await both(turn, Session.objects.all().delete)
    assert names(items)[-1] == (None, "done", "canceled")


async def test_news_that_never_came_is_found_in_the_rows(alice, session_of, monkeypatch):
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    monkeypatch.setattr("agents_app.queue.nudge.publish", lambda group, message: None)
    items = await both(turn, lambda: cancel_turn(turn))
    assert names(items)[-1] == (3, "done", "canceled")


async def test_heartbeats_are_the_place_while_it_waits_and_a_comment_while_it_runs(session_of, settings):
    settings.AGENT_HEARTBEAT_S = 0.2
    turns = await sync_to_async(lambda: [admit(session=session_of(person), owner=person) for person in crowd(2)])()
    waiting = await collect(stream(turns[1].id), enough=lambda items: len(items) == 4)
    assert names(waiting)[1:] == [(None, "status", "queued")] * 3
    await sync_to_async(lambda: lease.claim(turns[0].id, turns[0].token, "elsewhere:1:1:x"))()
    running = await collect(stream(turns[0].id, after=2), enough=lambda items: len(items) == 2)
    assert running == [None, None]


async def test_a_queue_that_falls_silent_ends_the_connection_and_not_the_turn(alice, session_of, settings):
    settings.AGENT_HEARTBEAT_S, settings.AGENT_REQUEST_TIMEOUT_S = 0.1, 0.2
    turn = await sync_to_async(lambda: admit(session=session_of(alice), owner=alice))()
    items = await collect(stream(turn.id))
    assert names(items)[-1] == (None, "done", "interrupted")
    assert (items[-2]["id"], items[-2]["data"]["code"]) == (None, "upstream")
    assert await sync_to_async(lambda: Turn.objects.get(id=turn.id).state)() == Turn.State.RUNNING
    assert await sync_to_async(lambda: len(events.since(turn.id)))() == 1


async def test_a_connection_is_cut_after_the_longest_time_of_a_turn(session_of, settings):
    turns = await sync_to_async(lambda: [admit(session=session_of(person), owner=person) for person in crowd(2)])()
    settings.AGENT_HEARTBEAT_S, settings.AGENT_TURN_MAX_S = 0.1, 0.5
    items = await collect(stream(turns[1].id))
    assert names(items)[-1] == (None, "done", "interrupted")


async def test_a_stream_counts_as_present_and_its_end_starts_the_grace(session_of):
    turns = await sync_to_async(lambda: [admit(session=session_of(person), owner=person) for person in crowd(2)])()

    def left_s():
        turn = Turn.objects.get(id=turns[1].id)
        return (turn.present_until - turn.created_at).total_seconds()

    await collect(stream(turns[1].id), enough=lambda items: len(items) == 2)
    graced = await sync_to_async(until)(lambda: 0 < left_s() < bounds.PRESENCE_GRACE_S + 20)
    assert graced


async def test_a_second_open_page_keeps_the_place_when_the_first_is_closed(session_of):
    turns = await sync_to_async(lambda: [admit(session=session_of(person), owner=person) for person in crowd(2)])()
    second = stream(turns[1].id)
    await anext(second)
    await collect(stream(turns[1].id), enough=lambda items: len(items) == 2)
    # The database thread does one thing after the other: what the first one's end would write is written.
    await hub.hub().db(lambda: None)
    left = await sync_to_async(lambda: Turn.objects.get(id=turns[1].id).present_until)()
    created = turns[1].created_at
    assert (left - created).total_seconds() > bounds.WORKER_GONE_S - 1
    await second.aclose()


async def test_fifty_waiting_streams_share_one_forecast_for_each_change(session_of, monkeypatch):
    turns = await sync_to_async(lambda: [admit(session=session_of(person), owner=person) for person in crowd(51)])()
    streams = [stream(turn.id) for turn in turns[1:]]
    for each in streams:
        await anext(each)
        await anext(each)
    asked = []
    forecast = positions.forecast
    monkeypatch.setattr(positions, "forecast", lambda: asked.append(1) or forecast())
    await sync_to_async(cancel_turn)(turns[0])
    moved = await asyncio.gather(*[anext(each) for each in streams[1:]])
    assert [item["data"]["position"] for item in moved] == list(range(1, 50))
    assert len(asked) <= 3
    for each in streams:
        await each.aclose()
