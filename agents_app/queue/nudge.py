"""The news: after a commit, what happened is told to whoever waits.

A nudge is never needed: rows are the truth and everybody who waits also looks now and then. So nothing here
raises, blocks its caller or is retried. Listeners in this process hear at once; other processes through the
channel layer, by a thread of its own that a fork starts anew.
"""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from anyplot_site import bounds

log = logging.getLogger(__name__)

QUEUE_GROUP = "queue"
_BACKLOG = 5_000  # more than this waits only behind a silent server; then news is dropped, rows stay

Message = dict[str, Any]
Listener = Callable[[str, Message], None]
_listeners: set[Listener] = set()


def group_of(turn_id: str) -> str:
    """The channel group of a turn's events."""
    return f"turn.{turn_id}"


def event(turn_id: str, shaped: Message) -> None:
    """Tell that a turn has a new event, once the present transaction is committed."""
    _later(group_of(turn_id), {"type": "turn.event", "turn": turn_id, "event": shaped})


def queue_changed() -> None:
    """Tell that places in the queue have changed, once the present transaction is committed."""
    _later(QUEUE_GROUP, {"type": "queue.changed"})


def listen(listener: Listener) -> None:
    """Call `listener(group, message)` for the news of this process, in the thread where it happens."""
    _listeners.add(listener)


def unlisten(listener: Listener) -> None:
    """The end of `listen`."""
    _listeners.discard(listener)


def _later(group: str, message: Message) -> None:
    transaction.on_commit(lambda: publish(group, message), robust=True)


def publish(group: str, message: Message) -> None:
    """Tell it now: to this process, and to the others as far as the key-value server is there."""
    for listener in tuple(_listeners):
        try:
            listener(group, message)
        except Exception:
            log.exception("a listener of the queue's news failed")
    _publisher.put(group, message)


def flush(timeout_s: float = bounds.KV_TIMEOUT_S) -> None:
    """Wait until what was published has left, at most `timeout_s`; before a process ends."""
    _publisher.flush(timeout_s)


class _Publisher:
    """A thread with an event loop, for the channel layer is asynchronous and its callers are not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inbox: asyncio.Queue[tuple[str, Message]] = asyncio.Queue()
        self._taken = 0
        self._tried = 0
        self._silent_until = 0.0

    def put(self, group: str, message: Message) -> None:
        """Send it by and by; dropped when far too much waits."""
        layer = get_channel_layer()
        # A layer in memory belongs to one event loop; its listeners are in this process and have heard.
        if layer is None or isinstance(layer, InMemoryChannelLayer) or self._taken - self._tried > _BACKLOG:
            return
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._run, args=(self._loop,), name="queue-news", daemon=True).start()
            self._taken += 1
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, (group, message))

    def flush(self, timeout_s: float) -> None:
        """Wait until everything that was put has been tried."""
        end = time.monotonic() + timeout_s
        while self._tried < self._taken and time.monotonic() < end:
            time.sleep(0.001)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(self._send_all())

    async def _send_all(self) -> None:
        while True:
            group, message = await self._inbox.get()
            try:
                if time.monotonic() >= self._silent_until:
                    await asyncio.wait_for(get_channel_layer().group_send(group, message), bounds.KV_TIMEOUT_S)
            except Exception as error:
                # One sentence a second at most, and no row of attempts behind a server that is gone.
                self._silent_until = time.monotonic() + bounds.KV_TIMEOUT_S
                log.warning("the key-value server takes no news: %s", type(error).__name__)
            finally:
                self._tried += 1


_publisher = _Publisher()


def _after_fork() -> None:
    global _publisher  # noqa: PLW0603 - the thread did not come along
    _publisher = _Publisher()
    _listeners.clear()


os.register_at_fork(after_in_child=_after_fork)
