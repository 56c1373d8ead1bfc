"""Readers of the pages, and a plot that was made by a real run (with the fake renderer)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agents_app.jobs import run_turn
from agents_app.models import Dataset, Session, Turn, Version
from agents_app.services.send import send
from agents_app.services.start import start
from agents_app.services.upload import upload
from renderer_app.backends import fake
from tests.web.seen import Reader

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(autouse=True)
def fake_renderer(settings):
    """No sandbox: the pages are what is tested here."""
    settings.AGENT_RENDERER = "fake"
    settings.AGENT_RUNS_PER_MINUTE = 0
    fake.forget()
    yield
    fake.forget()


@pytest.fixture
def nobody(db) -> Reader:
    """A browser that was never here."""
    return Reader()


@pytest.fixture
def as_alice(alice) -> Reader:
    """alice's browser."""
    return Reader(alice)


@pytest.fixture
def as_charlie(charlie) -> Reader:
    """The stranger's browser."""
    return Reader(charlie)


@pytest.fixture
def penguins() -> bytes:
    """A clean table of 344 rows."""
    return (DATA / "H01_penguins.csv").read_bytes()


@pytest.fixture
def run(transactional_db) -> Callable[[Turn], Turn]:
    """Does what a worker does with a started turn. Its heart beats in a thread, so rows are really committed."""

    def go(turn: Turn) -> Turn:
        run_turn(str(turn.pk), turn.token)
        turn.refresh_from_db()
        return turn

    return go


@dataclass(frozen=True)
class Made:
    """alice's finished plot: its table, its session, its turn, its version."""

    dataset: Dataset
    session: Session
    turn: Turn
    version: Version


@pytest.fixture
def made(transactional_db, alice, penguins, run) -> Made:
    """A finished scatter plot of alice's."""
    dataset = upload(alice, data=penguins, how="upload", file_name="penguins.csv")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    turn = run(send(session, alice))
    assert turn.version is not None, f"{turn.state} {turn.error_code}"
    return Made(dataset, session, turn, turn.version)
