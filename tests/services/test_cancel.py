"""Stopping (QU10, EX4)."""

import pytest

from agents_app.models import Turn
from agents_app.queue import lease
from agents_app.services.cancel import cancel
from agents_app.services.send import send

pytestmark = pytest.mark.django_db


def test_there_is_nothing_to_stop_in_a_quiet_session(alice, penguins):
    assert not cancel(penguins(alice), alice)


def test_a_running_turn_is_over_at_once_and_says_so(alice, penguins):
    session = penguins(alice)
    turn = send(session, alice)
    lease.claim(turn.id, turn.token, "elsewhere:1:1:x")
    assert cancel(session, alice)
    turn.refresh_from_db()
    assert (turn.state, turn.outcome, turn.cancel_requested) == (Turn.State.CANCELED, "canceled", True)
    assert [event.type for event in turn.events.all()][-2:] == ["error", "done"]


def test_the_turn_of_another_session_goes_on(alice, penguins):
    first, second = penguins(alice), penguins(alice)
    turn = send(first, alice)
    assert not cancel(second, alice)
    turn.refresh_from_db()
    assert turn.state == Turn.State.RUNNING


def test_a_stranger_stops_nothing(alice, charlie, penguins):
    session = penguins(alice)
    send(session, alice)
    assert not cancel(session, charlie)
