"""Every code that a person can meet has words."""

import inspect

import pytest

from agents_app import refusals
from agents_app.models import Session, Turn
from agents_app.recipe import operations
from agents_app.web import thread, words

CODES = sorted(
    {kind.code for _, kind in inspect.getmembers(refusals, inspect.isclass) if issubclass(kind, refusals.Refusal)}
)
EVENT_CODES = (
    "capacity",
    "canceled",
    "deadline",
    "upstream",
    "render",
    "validation",
    "budget",
    "worker_lost",
    "internal",
)
OUTCOMES = (
    "ok",
    "needs_attention",
    "failed",
    "canceled",
    "expired",
    "refused",
    "answered",
    "not_understood",
    "interrupted",
    "withdrawn",
)


@pytest.mark.parametrize("code", [code for code in CODES if code != "not_rendered"])
def test_every_refusal_has_a_title(code):
    assert words.REFUSALS[code][0]


@pytest.mark.parametrize("code", EVENT_CODES)
def test_every_error_of_a_run_has_a_title(code):
    assert words.ERRORS[code]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_end_of_a_turn_has_words(outcome):
    assert words.OUTCOMES[outcome][0]


def test_every_state_that_ends_a_turn_has_words_by_its_own_its_outcome_or_its_error():
    assert {str(state) for state in Turn.TERMINAL} - set(words.OUTCOMES) == {"finished", "lost"}


@pytest.mark.parametrize(
    ("code", "title"), [("deadline", "It took too long"), ("worker_lost", "Its worker stopped twice")]
)
def test_a_lost_turn_is_called_by_what_happened_to_it(alice, code, title):
    session = Session.objects.create(owner=alice, spec="scatter-basic", library="matplotlib")
    lost = Turn(session=session, owner=alice, state=Turn.State.LOST, outcome="failed", error_code=code, arrival=1)
    shown = thread.turn(lost)
    assert shown["title"] == title
    assert shown["failed"]


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({"op": "set_title", "text": "Hello"}, "Title: “Hello”"),
        ({"op": "set_title", "text": ""}, "No title"),
        ({"op": "set_label", "axis": "y", "text": "kWh"}, "Call the y axis “kWh”"),
        ({"op": "set_scale", "axis": "x", "scale": "log"}, "Log scale on the x axis"),
        ({"op": "sort", "by": "value", "order": "desc"}, "Sort by value, largest first"),
        ({"op": "limit", "n": 5, "side": "top", "others": True}, "Top 5, the rest together"),
        ({"op": "theme", "value": "dark"}, "Dark theme"),
    ],
)
def test_an_operation_is_said_in_words(operation, said):
    assert words.operation(operation) == said


def test_every_known_operation_has_words():
    assert all(kind in words._SAYINGS for kind in operations.KNOWN)


def test_a_second_worker_begins_the_timeline_anew():
    told = ["started", "adapt", "validate", "render", "gates", "repair", "started", "adapt"]
    stored = [{"type": "status", "data": {"step": step}} for step in told]
    steps = {one["key"]: one for one in thread.timeline(Turn(state=Turn.State.RUNNING), stored)}
    assert steps["adapt"]["state"] == "now"
    assert steps["repair"]["hidden"]


@pytest.mark.parametrize(
    ("queued", "said"),
    [
        ({"position": 1, "waiting": 1, "eta_s": 0}, "Next in line · starts now"),
        ({"position": 2, "waiting": 3, "eta_s": 40}, "2nd of 3 in line · starts in about 40 s"),
        ({"position": 11, "waiting": 12, "eta_s": 240}, "11th of 12 in line · starts in about 4 min"),
        ({"position": 3, "waiting": 3, "eta_s": None}, "3rd of 3 in line · starts are paused, your place is kept"),
    ],
)
def test_a_place_in_the_queue_is_said_in_words(queued, said):
    assert thread.place(queued) == said
