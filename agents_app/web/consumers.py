"""The socket of a turn: `ws/turns/<uuid>/?after=N` sends its events as they happen, to its owner alone."""

import asyncio
import contextlib
import json
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any, cast
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from agents_app import selectors
from agents_app.queue.stream import stream
from agents_app.refusals import NotFound
from anyplot_site import bounds

log = logging.getLogger(__name__)
ABSENT = 4404  # no such turn, or somebody else's (EX3)
TOO_MANY = 4429  # more sockets of one person than anybody needs
TOO_BIG, BROKEN, DONE = 1009, 1011, 1000


class TurnConsumer(AsyncWebsocketConsumer):
    """Sends `{"id", "type", "data"}`; hears nothing. Ends with 1000 after `done`."""

    open_sockets: Counter[int] = Counter()  # by user, in this process
    work: asyncio.Task[None] | None = None
    counted = False

    async def connect(self) -> None:
        """Accept, so that the page can read the code with which a stranger's socket is closed."""
        await self.accept()
        self.user = self.scope.get("user")
        if not await self.owns():
            await self.close(ABSENT)
            return
        if self.open_sockets[self.user.pk] >= bounds.SOCKETS_PER_USER:
            await self.close(TOO_MANY)
            return
        self.open_sockets[self.user.pk] += 1
        self.counted = True
        self.work = asyncio.create_task(self.follow(self.after()))

    async def disconnect(self, code: int) -> None:
        """Stop following; the stream notes that its client left (QU10)."""
        if self.work is not None:
            self.work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.work
        if self.counted:
            self.counted = False
            self.open_sockets[self.user.pk] -= 1

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is expected; what is larger than any sensible word closes the socket."""
        if len(text_data or bytes_data or "") > bounds.SOCKET_MESSAGE_BYTES:
            await self.close(TOO_BIG)

    async def follow(self, after: int) -> None:
        """Send every event from number `after` on; whose it is, is asked again at each one."""
        code = DONE
        try:
            async with contextlib.aclosing(cast("AsyncGenerator[Any]", stream(self.turn_id, after))) as items:
                async for item in items:
                    if item is not None and not await self.owns():
                        raise NotFound("It is not theirs any more.")
                    if item is not None:
                        await self.send(text_data=json.dumps(item))
        except NotFound:
            code = ABSENT
        except Exception:
            log.exception("a turn's socket broke; its page will come back")
            code = BROKEN
        await self.close(code)

    async def owns(self) -> bool:
        """True while the turn is there, and its owner is the person at this socket, who may still sign in."""
        if self.user is None or not self.user.is_authenticated:
            return False
        return await database_sync_to_async(self._owns)()

    def _owns(self) -> bool:
        try:
            return bool(selectors.turn(self.user, self.turn_id).owner.is_active)
        except NotFound:
            return False

    @property
    def turn_id(self) -> Any:
        """The turn that the address names."""
        return self.scope["url_route"]["kwargs"]["turn"]

    def after(self) -> int:
        """The number of the last event that the page has; 0 for a bad one."""
        given = parse_qs(self.scope.get("query_string", b"").decode("ascii", "replace")).get("after", ["0"])[0]
        return int(given) if given.isdecimal() and len(given) < 10 else 0
