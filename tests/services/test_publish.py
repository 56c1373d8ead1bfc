"""A run from its claim to its version (QU13, TH3, PR1), with the fake renderer."""

from dataclasses import replace

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError

from agents_app import jobs
from agents_app.jobs import run_turn
from agents_app.models import Artifact, Turn, Usage, Version
from agents_app.pipeline import run as pipeline
from agents_app.pipeline.outcome import Failure, Outcome, Picture
from agents_app.queue import lease
from agents_app.queue.cancel import cancel_turn
from agents_app.recipe.recipe import Recipe
from agents_app.services import publish as publishing
from agents_app.services.publish import publish
from agents_app.services.send import send
from agents_app.services.wish import make_definite
from renderer_app.contract import Reason, RendererBusy, RendererUnavailable, RenderResult

pytestmark = pytest.mark.django_db(transaction=True)


def run(turn):
    """Runs a started turn as a worker does."""
    run_turn(str(turn.id), turn.token)
    turn.refresh_from_db()
    return turn


def told(turn):
    """What the turn's stream said, in short."""
    return [
        (event.type, event.data.get("step") or event.data.get("code") or event.data.get("outcome"))
        for event in turn.events.all()
    ]


def stored_files():
    """Every file below the folders of results."""
    found = []
    folders = [folder for folder in ("versions", "artifacts") if default_storage.exists(folder)]
    while folders:
        folder = folders.pop()
        inner, files = default_storage.listdir(folder)
        folders += [f"{folder}/{name}" for name in inner]
        found += [f"{folder}/{name}" for name in files]
    return found


@pytest.fixture
def outcome(alice, penguins):
    """A made-up outcome and what belongs to it: turn (claimed), wish, data."""
    turn = send(penguins(alice), alice)
    claimed = lease.claim(turn.id, turn.token, "elsewhere:1:1:x")
    wish = make_definite(turn.session)
    made = Outcome(status="ok", recipe=wish.recipe, plot_py="print()\n", picture=Picture(b"png", 3200, 1800))
    return claimed, made, wish, b"a\n1\n"


def test_a_run_makes_a_version_with_its_files_and_its_last_events(alice, penguins, renderer):
    turn = run(send(penguins(alice), alice))
    version = Version.objects.get()
    assert turn.state == Turn.State.FINISHED
    assert (turn.version, turn.outcome) == (version, version.status)
    steps = ["started", "adapt", "validate", "render", "gates", "publish"]
    assert [name for kind, name in told(turn) if kind == "status"] == steps
    assert [kind for kind, _ in told(turn)][-3:] == ["plot", "message", "done"]
    assert (version.number, version.theme, version.session) == (1, "light", turn.session)
    assert b"pd.read_csv" in version.script.read()
    assert version.data.read() == turn.session.dataset.canonical.read()
    assert version.columns == turn.session.dataset.columns
    artifact = Artifact.objects.get()
    assert (artifact.version, artifact.theme, artifact.format, artifact.width) == (version, "light", "png", 3200)
    assert set(version.timings) == {"queued_ms", "adapt_ms", "render_ms", "gates_ms", "total_ms"}
    assert Usage.objects.get(user=alice).runs == 1


def test_the_plot_event_names_version_theme_and_pictures(alice, penguins, renderer):
    turn = run(send(penguins(alice), alice, theme="dark"))
    data = turn.events.get(type="plot").data
    assert set(data) == {"version", "status", "theme", "artifacts", "changes", "notes"}
    assert (data["version"], data["theme"]) == (1, "dark")
    assert data["artifacts"]["dark"]["png"].endswith("/versions/1/plot-dark.png")


def test_versions_of_a_session_are_numbered_and_know_their_parent(alice, penguins, renderer):
    session = penguins(alice)
    run(send(session, alice))
    run(send(session, alice, operations=[{"op": "set_title", "text": "Bills"}]))
    run(send(session, alice, operations=[{"op": "set_title", "text": "Beaks"}], base="1"))
    numbers = [(version.number, version.parent and version.parent.number) for version in session.versions.all()]
    assert sorted(numbers) == [(1, None), (2, 1), (3, 1)]
    assert Recipe.from_json(session.versions.get(number=3).recipe).labels["title"] == "Beaks"
    assert session.turns.first().events.get(type="message").data["understood"]


def test_a_doubled_message_does_nothing(alice, penguins, renderer):
    turn = send(penguins(alice), alice)
    run(turn)
    count = turn.events.count()
    run(turn)
    assert turn.events.count() == count
    assert Version.objects.count() == 1


def test_a_script_that_fails_ends_in_a_sentence_and_no_version(alice, penguins, renderer):
    renderer.plan(RenderResult("light", reason=Reason.TIMEOUT, measured=60, limit=60, detail="Too slow."))
    turn = run(send(penguins(alice), alice))
    assert told(turn)[-2:] == [("error", "render"), ("done", "failed")]
    assert turn.events.get(type="error").data["detail"]
    assert not Version.objects.exists()
    assert stored_files() == []


def test_a_script_that_stops_with_an_error_says_its_last_lines(alice, penguins, renderer):
    printed = 'File "plot.py", line 7\n\nValueError: no such marker\n'
    renderer.plan(RenderResult("light", reason=Reason.EXIT, detail="It stopped: ValueError.", output=printed))
    turn = run(send(penguins(alice), alice))
    error = turn.events.get(type="error").data
    assert error["detail"] == "It stopped: ValueError."
    assert str(turn.id).startswith(error["ref"])
    assert error["ref"]
    assert error["lines"] == [
        "The script's last lines:",
        'File "plot.py", line 7',
        "ValueError: no such marker",
    ]


def test_a_script_that_breaks_the_rules_says_which_lines(alice, penguins, renderer, monkeypatch):
    def refuse(adapted):
        raise Failure("validation", "The script breaks the rules of the catalogue.", ("Line 12: It opens a file.",))

    monkeypatch.setattr(pipeline, "validate", refuse)
    turn = run(send(penguins(alice), alice))
    error = turn.events.get(type="error").data
    assert (error["code"], error["lines"]) == ("validation", ["Line 12: It opens a file."])
    assert not Version.objects.exists()


@pytest.mark.parametrize("trouble", [RendererBusy("Busy."), RendererUnavailable("Away.")])
def test_a_renderer_that_cannot_be_had_ends_the_turn(trouble, alice, penguins, renderer):
    renderer.plan(trouble)
    turn = run(send(penguins(alice), alice))
    assert told(turn)[-2:] == [("error", "render"), ("done", "failed")]


def test_any_exception_ends_the_turn_with_a_reference_and_without_its_text(alice, penguins, renderer):
    renderer.plan(KeyError("a secret of ours"))
    turn = run(send(penguins(alice), alice))
    assert told(turn)[-2:] == [("error", "internal"), ("done", "failed")]
    error = turn.events.get(type="error").data
    assert error["ref"] in error["detail"]
    assert "secret" not in str(error)


def test_a_data_set_that_went_meanwhile_ends_the_turn_in_a_sentence(alice, penguins, renderer):
    turn = send(penguins(alice), alice)
    turn.session.dataset.delete()
    assert told(run(turn))[-2:] == [("error", "validation"), ("done", "failed")]


def test_a_stop_in_the_middle_of_a_render_ends_the_run_and_stores_nothing(alice, penguins, renderer):
    turn = send(penguins(alice), alice)

    def stopped(job):
        cancel_turn(turn)
        return RenderResult("light", reason=Reason.CANCELED, detail="The render was canceled.")

    renderer.plan(stopped)
    run(turn)
    assert turn.state == Turn.State.CANCELED
    assert [name for kind, name in told(turn) if kind == "done"] == ["canceled"]
    assert turn.starts.get().held_until is None
    assert not Version.objects.exists()


def test_a_run_out_of_time_is_told_so(alice, penguins, renderer, settings):
    settings.AGENT_REQUEST_DEADLINE_S = 0
    turn = run(send(penguins(alice), alice))
    assert told(turn)[-2:] == [("error", "deadline"), ("done", "failed")]


def test_a_database_that_is_away_leaves_the_turn_to_recovery(alice, penguins, renderer, monkeypatch):
    def away(*_):
        raise OperationalError("gone")

    turn = send(penguins(alice), alice)
    monkeypatch.setattr(jobs, "publish", away)
    run_turn(str(turn.id), turn.token)  # and RQ gets no error to store
    turn.refresh_from_db()
    assert turn.state == Turn.State.RUNNING


def test_a_late_writers_result_is_dropped_with_its_files(outcome):
    turn, made, wish, data = outcome
    cancel_turn(turn)
    assert publish(turn, made, wish, data) is None
    assert not Version.objects.exists()
    assert stored_files() == []


def test_a_disk_that_is_full_leaves_no_half_version(outcome, monkeypatch):
    turn, made, wish, data = outcome
    monkeypatch.setattr(publishing, "_write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(OSError, match="No space"):
        publish(turn, made, wish, data)
    assert not Version.objects.exists()
    assert stored_files() == []


def test_what_needs_attention_is_a_version_and_says_what(outcome):
    turn, made, wish, data = outcome
    publish(turn, replace(made, status="needs_attention", notes=["3 labels overlap."]), wish, data)
    assert Version.objects.get().status == "needs_attention"
    assert "3 labels overlap." in turn.events.get(type="message").data["text"]
    assert told(turn)[-1] == ("done", "needs_attention")
