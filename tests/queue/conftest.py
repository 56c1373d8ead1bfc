"""What the queue's tests share: a clock that only tests move, and sessions for people."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile

from agents_app.models import Dataset, Session
from agents_app.queue import clock
from agents_app.queue.clock import Clock

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class FakeClock(Clock):
    """Stands still until a test moves it."""

    host = "a-host"

    def __init__(self) -> None:
        self.at = START
        self.passed = 1_000.0

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.passed

    def advance(self, seconds: float) -> None:
        """Time passes."""
        self.at += timedelta(seconds=seconds)
        self.passed += seconds

    def jump(self, seconds: float) -> None:
        """Somebody sets the clock; no time passes."""
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def fake_clock() -> Iterator[FakeClock]:
    """The queue decides by this clock."""
    with clock.use(FakeClock()) as fake:
        yield fake


@pytest.fixture
def unlimited(settings: Any) -> None:
    """No rate limit."""
    settings.AGENT_RUNS_PER_MINUTE = 0


@pytest.fixture
def session_of() -> Callable[..., Session]:
    """Makes a session of a person's."""

    def make(owner: Any, **fields: Any) -> Session:
        dataset = Dataset(owner=owner, name="Table", bytes=8, rows=1)
        dataset.original.save("t.original", ContentFile(b"a\n1\n"), save=False)
        dataset.canonical.save("t.csv", ContentFile(b"a\n1\n"), save=False)
        dataset.save()
        return Session.objects.create(
            owner=owner, dataset=dataset, **{"spec": "scatter-basic", "library": "matplotlib", **fields}
        )

    return make
