"""The clock of render leases: on PostgreSQL the database's, so that several hosts share one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from django.db import connection


def _real() -> datetime:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            found: datetime = cursor.fetchone()[0]
            return found.astimezone(UTC)
    return datetime.now(UTC)


_read: Callable[[], datetime] = _real


def now() -> datetime:
    """The time, aware UTC; inside a decision it is read after the gate row is held."""
    return _read()


@contextmanager
def use(read: Callable[[], datetime]) -> Iterator[None]:
    """Decide by another clock inside the block (tests)."""
    global _read  # noqa: PLW0603 - one clock per process is the point
    before, _read = _read, read
    try:
        yield
    finally:
        _read = before
