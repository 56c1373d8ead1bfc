"""A turn's stream `anyplot/1`, for SSE and sockets alike (PR1-PR6)."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from agents_app.models import Turn
from agents_app.queue import events, positions, presence
from agents_app.queue.hub import Watch, hub
from agents_app.queue.policy import Policy
from agents_app.refusals import NotFound

log = logging.getLogger(__name__)

UPSTREAM = "The queue has fallen silent. Your plot is still being made; open the page again to see it."
Item = dict[str, Any] | None


async def stream(turn_id: Any, after: int = 0) -> AsyncIterator[Item]:
    """The events of a turn from number `after` on: {"id", "type", "data"}; None is a heartbeat without news.

    Stored events carry their number, each exactly once and in order. `queued` statuses are computed: one at
    once, on each change, and at each heartbeat; they and what belongs to the connection carry id None. Ends
    after `done`. Close it (`aclose`) when the client is gone: that is how absence is noticed. Raises NotFound
    when there is no such turn.
    """
    here = hub()
    # Watching begins before the rows are read, so that nothing falls between.
    watch = here.join(str(turn_id))
    watch.last = after
    try:
        turn, backlog, queued = await here.db(_open, turn_id, after)
        async for item in _Stream(watch, turn, backlog, queued).items():
            yield item
    finally:
        here.leave(watch)


def _open(turn_id: Any, after: int) -> tuple[Turn, list[dict[str, Any]], dict[str, Any]]:
    presence.attached(turn_id)
    turn = Turn.objects.filter(id=turn_id).first()
    if turn is None:
        raise NotFound("There is no such turn. Its session may have been deleted.")
    return turn, events.since(turn_id, after), positions.queued_status(turn)


def _status(turn: Turn) -> dict[str, Any] | None:
    """The present `queued` status, or None when the turn does not wait any more."""
    state = Turn.objects.filter(id=turn.id).values_list("state", flat=True).first()
    return positions.queued_status(turn) if state == Turn.State.QUEUED else None


class _Stream:
    """One connection: what was sent, and when it must speak, give up, or be cut."""

    def __init__(self, watch: Watch, turn: Turn, backlog: list[dict[str, Any]], queued: dict[str, Any]) -> None:
        self._watch = watch
        self._turn = turn
        self._backlog = backlog
        self._queued = queued
        self._policy = Policy.current()
        self._now = asyncio.get_running_loop().time
        self._cut_at = self._now() + self._policy.turn_max_s
        self._silent_at = self._beat_at = 0.0
        watch.lane = turn.lane
        self._waiting = turn.state == Turn.State.QUEUED

    async def items(self) -> AsyncIterator[Item]:
        """Everything this connection sends, to its `done`."""
        self._spoke()
        async for item in self._begin():
            yield self._sent(item)
            if item["type"] == "done":
                return
        while True:
            now = self._now()
            if now >= min(self._cut_at, self._silent_at):
                # They belong to the connection; the turn goes on (PR5).
                yield events.shape(None, *events.error("upstream", UPSTREAM))
                yield events.shape(None, *events.done("interrupted"))
                return
            try:
                kind, news = await asyncio.wait_for(
                    self._watch.news.get(), max(0.0, min(self._cut_at, self._silent_at, self._beat_at) - now)
                )
            except TimeoutError:
                if self._now() >= self._beat_at:
                    yield await self._heartbeat()
                continue
            async for item in self._told(kind, news):
                yield self._sent(item)
                if item["type"] == "done":
                    return

    async def _begin(self) -> AsyncIterator[dict[str, Any]]:
        """What is stored already, with the queued status in its place: after `ready`, or at once on a resume."""
        needs_run = self._turn.started_at is not None or self._turn.state in Turn.ACTIVE
        fresh = bool(self._backlog) and self._backlog[0]["type"] == "ready"
        if fresh:
            yield self._backlog.pop(0)
        if self._waiting or (fresh and needs_run):
            yield events.shape(None, "status", self._queued)
        for item in self._backlog:
            yield item
        if not self._backlog and self._turn.state in Turn.TERMINAL:
            # A client that had everything already still hears that it is over.
            yield events.shape(None, *events.done(self._turn.outcome))

    async def _told(self, kind: str, news: Any) -> AsyncIterator[dict[str, Any]]:
        """The items that a piece of news stands for."""
        if kind == "gone":
            yield events.shape(None, *events.done("canceled"))
        elif kind == "queued":
            # Not waiting: it was forecast just before it started, or went back to its place after a lost worker.
            status = news if self._waiting else await self._place()
            if status is not None and (status != self._queued or not self._waiting):
                self._queued, self._waiting = status, True
                yield events.shape(None, "status", status)
        elif kind == "event" and news["id"] == self._watch.last + 1:
            yield news
        elif kind == "behind" or news["id"] > self._watch.last:
            for item in await self._rows():
                yield item

    async def _rows(self) -> list[dict[str, Any]]:
        try:
            return await hub().db(events.since, self._turn.id, self._watch.last)
        except Exception as error:
            # The database is away; the next look finds them, or silence ends the connection.
            log.warning("a stream could not read its events: %s", type(error).__name__)
            return []

    async def _heartbeat(self) -> Item:
        """A waiting turn's status, or a comment."""
        self._beat_at = self._now() + self._policy.heartbeat_s
        status = await self._place() if self._waiting else None
        if status is None:
            return None
        self._queued = status
        self._spoke()
        return events.shape(None, "status", status)

    async def _place(self) -> dict[str, Any] | None:
        """The present place; None when it does not wait, or nobody knows."""
        try:
            return await hub().db(_status, self._turn)
        except Exception as error:
            log.warning("a stream could not read its place: %s", type(error).__name__)
            return None

    def _sent(self, item: dict[str, Any]) -> dict[str, Any]:
        """Note what is sent: its number, that it was no silence, and whether the turn still waits."""
        self._spoke()
        if item["id"] is not None:
            self._watch.last = item["id"]
            if item["type"] == "status":
                # `started`, or a step of the run.
                self._waiting = False
        return item

    def _spoke(self) -> None:
        self._beat_at = self._now() + self._policy.heartbeat_s
        self._silent_at = self._now() + self._policy.heartbeat_s + self._policy.timeout_s
