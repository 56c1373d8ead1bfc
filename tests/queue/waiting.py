"""Waiting in tests, always with a deadline."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any


def until(condition: Callable[[], Any], within_s: float = 20.0) -> Any:
    """What `condition` gives once it is true; fails when it is not within `within_s`."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {within_s} s: {condition}")


async def collect(
    items: AsyncIterator[Any], enough: Callable[[list[Any]], bool] = lambda _: False, within_s: float = 20.0
) -> list[Any]:
    """The items of a stream to its end, or until there are enough of them; the stream is closed."""
    found: list[Any] = []

    async def read() -> None:
        async for item in items:
            found.append(item)
            if enough(found):
                return

    try:
        await asyncio.wait_for(read(), within_s)
    finally:
        await items.aclose()  # type: ignore[attr-defined]
    return found
