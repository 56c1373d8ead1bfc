"""Sending a message (QU1, QU17, BU1, TH1, TH2)."""

from datetime import timedelta

import pytest

from agents_app.models import Guest, Turn, Usage
from agents_app.queue import clock
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import BindingRefused, Invalid, NotFound, OverBudget, RunActive
from agents_app.services.cancel import cancel
from agents_app.services.send import send
from agents_app.services.wish import make_definite
from tests.queue.people import crowd, version_of

pytestmark = pytest.mark.django_db


def drawn(session, theme="light", **fields):
    """A version of a session, as if a run had made it."""
    recipe = make_definite(session, theme=theme).recipe
    return version_of(session, theme=theme, recipe=recipe.as_json(), columns=session.dataset.columns, **fields)


def test_an_empty_message_asks_for_the_plot(alice, penguins):
    turn = send(penguins(alice), alice)
    assert turn.state == Turn.State.RUNNING
    assert (turn.text, turn.operations, turn.base) == ("", [], "previous")


def test_words_are_answered_at_once_and_named_back(alice, penguins, settings):
    settings.AGENT_DAILY_RUNS = 1
    Usage.objects.create(user=alice, day=clock.now().date(), runs=1)
    turn = send(penguins(alice), alice, text="make it pop")
    assert turn.state == Turn.State.FINISHED
    assert [event.type for event in turn.events.all()] == ["ready", "message", "done"]
    assert turn.events.get(number=2).data["not_understood"] == ["make it pop"]
    assert turn.events.get(number=3).data["outcome"] == "not_understood"


def test_words_beside_a_running_turn_are_answered_too(alice, penguins):
    session = penguins(alice)
    send(session, alice)
    assert send(session, alice, text="hello").outcome == "not_understood"
    with pytest.raises(RunActive):
        send(session, alice)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"operations": [{"op": "explode"}]}, "explode"),
        ({"operations": [{"op": "set_scale", "axis": "x", "scale": "cubic"}]}, r"operations\[0\]"),
        ({"operations": [{"op": "set_title", "text": "A"}] * 51}, "51"),
        ({"theme": "sepia"}, "sepia"),
        ({"text": "x" * 4_001}, "4,001"),
        ({"text": "log", "operations": [{"op": "set_title", "text": "A"}]}, "not both"),
    ],
)
def test_what_is_wrong_is_refused_before_any_place_is_taken(fields, words, alice, penguins):
    with pytest.raises(Invalid, match=words):
        send(penguins(alice), alice, **fields)
    assert not Turn.objects.exists()


def test_a_version_that_is_not_there_cannot_be_the_base(alice, penguins):
    with pytest.raises(NotFound, match="version 7"):
        send(penguins(alice), alice, base="7")


def test_a_session_whose_data_set_was_deleted_takes_no_new_turn(alice, penguins):
    session = penguins(alice)
    session.dataset.delete()
    session.refresh_from_db()
    with pytest.raises(Invalid, match="deleted"):
        send(session, alice)


def test_columns_that_have_changed_since_are_refused_by_name(alice, penguins):
    session = penguins(alice)
    session.dataset.columns = [column for column in session.dataset.columns if column["name"] != "species"]
    session.dataset.save()
    with pytest.raises(BindingRefused):
        send(session, alice)


def test_a_repeated_key_joins_the_turn_even_when_a_new_one_would_be_refused(alice, penguins):
    session = penguins(alice)
    turn = send(session, alice, idempotency_key="k")
    assert send(session, alice, idempotency_key="k").id == turn.id


def test_stopping_makes_room_for_a_new_turn_at_once(alice, penguins):
    session = penguins(alice)
    send(session, alice)
    assert cancel(session, alice)
    assert not cancel(session, alice)
    assert send(session, alice).state in Turn.ACTIVE


# --- the budget -------------------------------------------------------------------------------


def test_spent_runs_are_refused_with_when_they_come_back(alice, penguins, settings, fake_day):
    settings.AGENT_DAILY_RUNS = 2
    session = penguins(alice)
    Usage.objects.create(user=alice, day=fake_day.now().date(), runs=2)
    with pytest.raises(OverBudget) as refused:
        send(session, alice)
    assert refused.value.extra["resets_at"] == "2026-03-02T00:00:00Z"
    assert refused.value.retry_after_s == 12 * 3600
    assert not Turn.objects.exists()
    fake_day.advance(12 * 3600)
    assert send(session, alice)


def test_guests_of_one_address_share_a_budget(penguins, settings, fake_day):
    settings.AGENT_DAILY_RUNS = 2
    first, second, other = crowd(3)
    for person, address in ((first, "a"), (second, "a"), (other, "b")):
        Guest.objects.create(user=person, address_hash=address)
    for person in (first, second):
        Usage.objects.create(user=person, day=fake_day.now().date(), runs=1)
    Usage.objects.create(user=first, day=fake_day.now().date() - timedelta(days=1), runs=9)
    with pytest.raises(OverBudget):
        send(penguins(second), second)
    assert send(penguins(other), other)


# --- themes -----------------------------------------------------------------------------------


def test_a_new_session_has_its_own_theme_and_a_named_one_wins(alice, penguins):
    assert make_definite(penguins(alice)).recipe.theme == "light"
    assert make_definite(penguins(alice, theme="dark")).recipe.theme == "dark"
    assert make_definite(penguins(alice, theme="dark"), theme="light").recipe.theme == "light"


def test_a_refinement_keeps_the_theme_of_what_it_starts_from(alice, penguins):
    session = penguins(alice)
    for theme in ("light", "dark", "light", "dark"):
        drawn(session, theme)
    title = [{"op": "set_title", "text": "A"}]
    themes = {
        base: make_definite(session, operations=title, base=base).recipe.theme
        for base in ("previous", "original", "2", "3")
    }
    assert themes == {"previous": "dark", "original": "light", "2": "dark", "3": "light"}
    assert make_definite(session, operations=title, base="3", theme="dark").recipe.theme == "dark"
    asked = [{"op": "theme", "value": "light"}]
    assert make_definite(session, operations=asked).recipe.theme == "light"


def test_the_plot_again_comes_from_the_bindings_and_keeps_the_latest_theme(alice, penguins):
    session = penguins(alice)
    first = drawn(session, "dark")
    titled = make_definite(session, operations=[{"op": "set_title", "text": "A"}])
    version_of(session, theme="dark", recipe=titled.recipe.as_json())
    again = make_definite(session)
    assert again.recipe == Recipe.from_json(first.recipe)
    assert again.parent is None


def test_operations_change_the_base_versions_recipe_and_say_so(alice, penguins):
    session = penguins(alice)
    drawn(session)
    second = make_definite(session, operations=[{"op": "set_title", "text": "Bills"}])
    latest = version_of(session, theme="light", recipe=second.recipe.as_json())
    wish = make_definite(session, operations=[{"op": "set_label", "axis": "x", "text": "Length"}])
    assert (wish.recipe.labels["title"], wish.recipe.labels["x"]) == ("Bills", "Length")
    assert wish.parent == latest
    assert len(wish.changes) == 1
    original = make_definite(session, operations=[{"op": "set_label", "axis": "x", "text": "L"}], base="original")
    assert "title" not in original.recipe.labels


def test_a_failed_version_is_nothing_to_start_from(alice, penguins):
    session = penguins(alice)
    good = drawn(session)
    drawn(session, status="failed")
    assert make_definite(session, operations=[{"op": "set_title", "text": "A"}]).parent == good


@pytest.mark.parametrize(("text", "words"), [("a\0b", "NUL character"), ("a\ud800b", "surrogate")])
def test_texts_that_no_database_takes_are_refused_in_words_and_in_operations(text, words, alice, penguins):
    with pytest.raises(Invalid, match=words):
        send(penguins(alice), alice, text=text)
    with pytest.raises(Invalid, match=words):
        send(penguins(alice), alice, operations=[{"op": "set_title", "text": text}])
