"""One listener per event loop, for all streams of a process.

News comes from this process (`nudge.listen`) and from the channel layer, and is handed to the streams that
watch. Beside that, one look a second at the rows serves all of them: it finds events whose news was lost, new
places in the queue, renews presence, and calls `dispatch`. No stream holds a database connection; all reads
go through one thread.
"""

import asyncio
import contextvars
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import close_old_connections
from django.db.models import Max

from agents_app.models import Event, Turn
from agents_app.queue import nudge, positions, presence
from agents_app.queue.dispatch import dispatch
from anyplot_site import bounds

log = logging.getLogger(__name__)
T = TypeVar("T")

_threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queue-streams")
_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


class Watch:
    """One stream's view of the news.

    `news` holds ("event", shaped event), ("queued", status), ("behind", None): there are rows that it has not
    sent, ("gone", None): the turn was deleted.
    """

    def __init__(self, turn_id: str) -> None:
        self.turn_id = turn_id
        self.news: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.last = 0  # the number of the last event that the stream has sent
        self.lane: str = Turn.Lane.STANDARD


def hub() -> "Hub":
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub(loop)
    return _hubs[loop]


def _in_thread(work: Callable[..., T], *args: Any) -> T:
    close_old_connections()
    try:
        return work(*args)
    finally:
        close_old_connections()


class Hub:
    """Hands the news to the streams of one event loop; works only while there are any."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._watches: dict[str, set[Watch]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._channel = ""
        self._renewed = 0.0
        self._changed = asyncio.Event()

    async def db(self, work: Callable[..., T], *args: Any) -> T:
        """Run `work` in the streams' database thread; no connection outlives it longer than the settings say."""
        return await self._loop.run_in_executor(_threads, _in_thread, work, *args)

    def join(self, turn_id: str) -> Watch:
        """Begin to watch a turn: what happens from now on is in `news`."""
        watch = Watch(turn_id)
        known = turn_id in self._watches
        self._watches.setdefault(turn_id, set()).add(watch)
        nudge.listen(self._heard)
        self._start("look", self._look_now_and_then)
        self._start("places", self._tell_places)
        self._start("receive", self._receive)
        if not known and self._channel:
            self._start(f"subscribe {turn_id}", lambda: self._subscribe(turn_id))
        return watch

    def leave(self, watch: Watch) -> None:
        """The end of `join`; the last one of a turn in this process starts its grace."""
        watches = self._watches.get(watch.turn_id, set())
        watches.discard(watch)
        if watches:
            return
        self._watches.pop(watch.turn_id, None)
        # Not awaited: a stream that was cancelled cannot wait, and the grace does not need to be exact.
        _threads.submit(_detach, watch.turn_id)
        if self._channel:
            self._start(f"unsubscribe {watch.turn_id}", lambda: self._unsubscribe(watch.turn_id))
        if not self._watches:
            nudge.unlisten(self._heard)

    def _start(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `work` beside the streams, unless the task of that name runs already."""
        if name in self._tasks:
            return
        # A context of its own: that of the request that happens to be first ends with it.
        task = self._loop.create_task(work(), context=contextvars.Context())
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))

    # --- news -------------------------------------------------------------------------------
    def _heard(self, group: str, message: nudge.Message) -> None:
        """News of this process, from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._handle, message)
        except RuntimeError:  # the loop is closed
            nudge.unlisten(self._heard)

    def _handle(self, message: nudge.Message) -> None:
        if message["type"] == "queue.changed":
            self._changed.set()
        elif message["type"] == "turn.event":
            for watch in self._watches.get(message["turn"], ()):
                watch.news.put_nowait(("event", message["event"]))

    async def _receive(self) -> None:
        """News of other processes, as long as the key-value server is there; then from the beginning."""
        layer = get_channel_layer()
        if layer is None or isinstance(layer, InMemoryChannelLayer):
            return
        while True:
            try:
                channel = await asyncio.wait_for(layer.new_channel(), bounds.KV_TIMEOUT_S)
                await asyncio.wait_for(layer.group_add(nudge.QUEUE_GROUP, channel), bounds.KV_TIMEOUT_S)
                self._channel = channel
                for turn_id in tuple(self._watches):
                    await self._subscribe(turn_id)
                while True:
                    self._handle(await layer.receive(channel))
            except Exception as error:
                self._channel = ""
                log.warning("no news from the key-value server: %s", type(error).__name__)
                await asyncio.sleep(bounds.STREAM_LOOK_S)

    async def _subscribe(self, turn_id: str) -> None:
        try:
            await asyncio.wait_for(
                get_channel_layer().group_add(nudge.group_of(turn_id), self._channel), bounds.KV_TIMEOUT_S
            )
        except Exception as error:
            log.debug("a turn's news cannot be heard: %s", type(error).__name__)
            return
        # What was told before the server knew of us is in the rows.
        for watch in self._watches.get(turn_id, ()):
            watch.news.put_nowait(("behind", None))

    async def _unsubscribe(self, turn_id: str) -> None:
        try:
            await asyncio.wait_for(
                get_channel_layer().group_discard(nudge.group_of(turn_id), self._channel), bounds.KV_TIMEOUT_S
            )
        except Exception as error:
            log.debug("a turn's news cannot be left: %s", type(error).__name__)

    # --- rows -------------------------------------------------------------------------------
    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(bounds.STREAM_LOOK_S if self._channel else bounds.STREAM_LOOK_ALONE_S)
            if not self._watches:
                continue
            renew = time.monotonic() - self._renewed >= bounds.PRESENCE_BEAT_S
            asked = list(self._watches)
            try:
                numbers = await self.db(_look, asked, renew)
            except Exception as error:
                log.warning("the streams could not look at the rows: %s", type(error).__name__)
                continue
            if renew:
                self._renewed = time.monotonic()
            for turn_id in asked:
                for watch in self._watches.get(turn_id, ()):
                    if turn_id not in numbers:
                        watch.news.put_nowait(("gone", None))
                    elif numbers[turn_id] > watch.last:
                        watch.news.put_nowait(("behind", None))
            if not self._channel:
                self._changed.set()  # nobody tells of other processes' changes

    async def _tell_places(self) -> None:
        """On every change of the queue, one forecast for all streams."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if not self._watches:
                continue
            try:
                forecast = await self.db(positions.forecast)
            except Exception as error:
                log.warning("the places could not be read: %s", type(error).__name__)
                continue
            for turn_id in self._watches.keys() & forecast.places.keys():
                for watch in self._watches[turn_id]:
                    watch.news.put_nowait(("queued", forecast.status(turn_id, watch.lane)))


def _detach(turn_id: str) -> None:
    try:
        _in_thread(presence.detached, turn_id)
    except Exception as error:
        # Its presence ends by itself.
        log.warning("a stream's end could not be noted: %s", type(error).__name__)


def _look(turn_ids: list[str], renew: bool) -> dict[str, int]:
    """The last event's number of each turn that still exists; keeps presence and the queue going by the way."""
    if renew:
        presence.renew(turn_ids)
    dispatch()
    rows = Event.objects.filter(turn_id__in=turn_ids).order_by().values_list("turn_id").annotate(last=Max("number"))
    return {str(turn_id): last for turn_id, last in rows}
