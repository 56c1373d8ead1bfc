"""Numbered lines (PR2, PR3)."""

import pytest

from agents_app.queue import events, lease
from agents_app.queue.admission import admit
from agents_app.queue.cancel import cancel_turn

pytestmark = pytest.mark.django_db


def test_numbers_count_from_one_without_gaps_and_since_gives_the_rest(alice, session_of, fake_clock):
    turn = admit(session=session_of(alice), owner=alice)
    lease.claim(turn.id, turn.token, "elsewhere:1:1:x")
    assert events.report(turn.id, turn.token, "adapt", attempt=1)
    assert events.report(turn.id, turn.token, "render", attempt=1, theme="light")
    found = events.since(turn.id, 0)
    assert [event["id"] for event in found] == [1, 2, 3, 4]
    assert [event["data"].get("step") for event in found] == [None, "started", "adapt", "render"]
    assert events.since(turn.id, 2) == found[2:]
    assert events.since(turn.id, 4) == []


def test_a_stale_token_reports_nothing(alice, session_of, fake_clock):
    turn = admit(session=session_of(alice), owner=alice)
    assert not events.report(turn.id, turn.token + 1, "adapt")
    cancel_turn(turn)
    assert not events.report(turn.id, turn.token, "adapt")
    assert [event["type"] for event in events.since(turn.id)] == ["ready", "error", "done"]


def test_a_status_carries_only_fields_that_are_on_the_list(alice, session_of, fake_clock):
    turn = admit(session=session_of(alice), owner=alice)
    events.report(turn.id, turn.token, "gates", failed=["G4"], text="Umsatz Bayern")
    assert events.since(turn.id)[-1]["data"] == {"step": "gates", "failed": ["G4"]}


def test_an_unknown_step_is_a_mistake_of_ours(alice, session_of, fake_clock):
    turn = admit(session=session_of(alice), owner=alice)
    with pytest.raises(ValueError, match="Unknown step"):
        events.report(turn.id, turn.token, "queued")
