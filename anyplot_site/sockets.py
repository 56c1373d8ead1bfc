"""Sockets at an address where there is nothing."""

from collections.abc import Awaitable, Callable
from typing import Any

NOT_FOUND = 4404  # as for a turn that is somebody else's


async def nothing_here(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Close the socket quietly instead of failing in the router."""
    await receive()
    await send({"type": "websocket.close", "code": NOT_FOUND})
