"""What the tests of services share: a fake renderer, and a person's session on a real table."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents_app.models import Session
from agents_app.queue import clock
from agents_app.services.start import start
from agents_app.services.upload import upload
from renderer_app.backends import fake
from tests.queue.conftest import FakeClock

BINDINGS = {"x": "bill_length_mm", "y": "bill_depth_mm", "category": "species"}


@pytest.fixture
def renderer(settings: Any) -> Iterator[Any]:
    """The fake renderer, without plans and without memory."""
    settings.AGENT_RENDERER = "fake"
    fake.forget()
    yield fake
    fake.forget()


@pytest.fixture
def penguins(data_dir: Path) -> Callable[..., Session]:
    """Makes a session of a person's: the penguins as a scatter plot."""

    def make(owner: Any, **fields: Any) -> Session:
        data = (data_dir / "H01_penguins.csv").read_bytes()
        dataset = upload(owner, data=data, how="upload", file_name="penguins.csv")
        return start(
            owner,
            **{
                "spec": "scatter-basic",
                "library": "matplotlib",
                "dataset": dataset,
                "bindings": BINDINGS,
                **fields,
            },
        )

    return make


@pytest.fixture
def fake_day() -> Iterator[FakeClock]:
    """The queue's clock stands at noon, UTC, of 1 March 2026."""
    with clock.use(FakeClock()) as standing:
        yield standing
