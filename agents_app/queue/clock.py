"""The queue's clock.

Decisions use wall time, since rows outlive processes and hosts; on PostgreSQL it is the database's, so that
several hosts share one. The host's monotonic clock beside it tells a jump of the clock from a quiet hour.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.db import connection


class Clock:
    """The real clock; tests put another in its place with `use`."""

    def __init__(self) -> None:
        try:
            self.host = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        except OSError:
            self.host = "unknown"

    def now(self) -> datetime:
        """The time, aware UTC."""
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT clock_timestamp()")
                return cursor.fetchone()[0].astimezone(UTC)  # type: ignore[no-any-return]
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that no change of the clock touches; the same for all processes of this host."""
        return time.monotonic()


_clock = Clock()


def now() -> datetime:
    """The queue's time, aware UTC; inside a decision it is read after the gate row is held."""
    return _clock.now()


def monotonic() -> float:
    """Seconds of this host's monotonic clock."""
    return _clock.monotonic()


def host() -> str:
    """What names this host's monotonic clock: it changes with every boot."""
    return _clock.host


@contextmanager
def use(clock: Clock) -> Iterator[Clock]:
    """Decide by another clock inside the block."""
    global _clock  # noqa: PLW0603 - one clock per process is the point
    before, _clock = _clock, clock
    try:
        yield clock
    finally:
        _clock = before
