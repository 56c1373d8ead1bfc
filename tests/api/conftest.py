"""Callers of the API, and something of alice's for each operation to be about."""

import pytest

from agents_app.services.tokens import issue
from tests.api.caller import Caller
from tests.api.things import Things, make_things


@pytest.fixture
def anonymous(db) -> Caller:
    """A program without credentials."""
    return Caller()


@pytest.fixture
def as_alice(alice) -> Caller:
    """alice's program."""
    return Caller(issue(alice, "test")[1])


@pytest.fixture
def as_bob(bob) -> Caller:
    """bob's program."""
    return Caller(issue(bob, "test")[1])


@pytest.fixture
def as_charlie(charlie) -> Caller:
    """The stranger's program."""
    return Caller(issue(charlie, "test")[1])


@pytest.fixture
def things(alice) -> Things:
    """alice's things."""
    return make_things(alice)


@pytest.fixture
def bobs(bob) -> Things:
    """bob's things."""
    return make_things(bob)
