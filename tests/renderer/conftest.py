"""What the renderer's tests share."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psutil
import pytest

from renderer_app import clock, sandbox
from renderer_app.contract import Limits, RenderJob, RenderResult

Run = Callable[..., RenderResult]


@pytest.fixture
def run() -> Run:
    """Run a script in the real sandbox: `run(code, data=b"", theme="light", format="png", canceled=…, **limits)`."""

    sandbox.prepare_fonts()  # once; a test that fakes the launcher must not fake this too

    def _run(code: str, *, data: bytes = b"", theme: str = "light", format: str = "png", canceled=None, **limits):
        job = RenderJob("test", theme, code, data, format, replace(Limits(), **limits))
        return sandbox.run(job, canceled=canceled or sandbox.never)

    return _run


@pytest.fixture
def leaves_nothing() -> Iterator[None]:
    """After the test no process that it started is left, sandboxes above all."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    left = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    assert left == []


class FakeClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def advance(self, seconds: float) -> None:
        """Time passes."""
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def time_stands() -> Iterator[FakeClock]:
    """Leases and waits are decided by a clock that only the test moves."""
    fake = FakeClock()
    with clock.use(fake):
        yield fake
