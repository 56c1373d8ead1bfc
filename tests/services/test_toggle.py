"""The theme toggle (TO1-TO5, EX2), with the fake renderer."""

import pytest

from agents_app.models import Artifact, Toggle, Turn
from agents_app.queue import toggles
from agents_app.refusals import Invalid, NotFound, OverCapacity, RunActive
from agents_app.services.export import export
from agents_app.services.send import send
from agents_app.services.toggle import toggle
from agents_app.services.wish import make_definite
from renderer_app.contract import Reason, RendererBusy, RendererUnavailable, RenderResult
from tests.queue.people import version_of

pytestmark = pytest.mark.django_db(transaction=True)

TOO_SLOW = RenderResult("dark", reason=Reason.TIMEOUT, measured=60, limit=60, detail="Too slow.")


@pytest.fixture
def version(alice, penguins):
    """A finished light version."""
    session = penguins(alice)
    recipe = make_definite(session).recipe
    made = version_of(session, recipe=recipe.as_json(), columns=session.dataset.columns)
    made.data.save("data.csv", session.dataset.canonical, save=True)
    return made


def test_the_other_theme_is_drawn_once_and_then_answered_from_the_record(alice, version, renderer):
    toggled = toggle(version.session, 0, "dark", alice)
    assert (toggled.status, toggled.theme, toggled.code) == ("ok", "dark", "")
    artifact = Artifact.objects.get(version=version, theme="dark")
    assert artifact.file.size == artifact.bytes > 0
    assert [job.theme for job in renderer.jobs] == ["dark"]
    assert toggle(version.session, version.number, "dark", alice).status == "ok"
    assert len(renderer.jobs) == 1
    assert not Toggle.objects.filter(active=True).exists()


def test_the_record_answers_even_while_a_turn_is_active(alice, version, renderer):
    toggle(version.session, 0, "dark", alice)
    send(version.session, alice)
    assert toggle(version.session, 0, "dark", alice).status == "ok"


def test_a_toggle_beside_a_turn_is_refused_and_draws_nothing(alice, version, renderer):
    send(version.session, alice)
    with pytest.raises(RunActive):
        toggle(version.session, 0, "dark", alice)
    assert renderer.jobs == []


def test_a_turn_beside_a_toggle_is_refused(alice, version, renderer):
    refused = []

    def busy(job):
        with pytest.raises(RunActive) as raised:
            send(version.session, alice)
        refused.append(raised.value)
        return renderer.picture(job)

    renderer.plan(busy)
    assert toggle(version.session, 0, "dark", alice).status == "ok"
    assert len(refused) == 1
    assert not Turn.objects.exists()


def test_an_unknown_version_or_theme_is_refused(alice, penguins, version, renderer):
    with pytest.raises(NotFound):
        toggle(version.session, 9, "dark", alice)
    with pytest.raises(NotFound):
        toggle(penguins(alice), 0, "dark", alice)
    with pytest.raises(Invalid):
        toggle(version.session, 0, "sepia", alice)


def test_a_theme_that_fails_is_tried_twice_and_then_answered_from_the_record(alice, version, renderer):
    renderer.plan(TOO_SLOW, TOO_SLOW)
    for _ in range(3):
        toggled = toggle(version.session, 0, "dark", alice)
        assert (toggled.status, toggled.code) == ("failed", "render")
    assert len(renderer.jobs) == 2
    assert Artifact.objects.get(version=version, theme="dark").tries == 2


def test_it_is_recorded_before_the_entry_ends_so_that_a_second_press_finds_it(alice, version, renderer, monkeypatch):
    recorded = []
    end = toggles.end

    def look(entry):
        recorded.append(Artifact.objects.filter(version=version, theme=entry.theme, format=entry.format).exists())
        end(entry)

    monkeypatch.setattr(toggles, "end", look)
    toggle(version.session, 0, "dark", alice)
    export(version, "dark", "svg", alice)
    assert recorded == [True, True]


def test_a_render_may_take_as_long_as_the_operator_allows(alice, version, renderer, settings):
    settings.AGENT_RENDER_WALL_S = 90
    toggle(version.session, 0, "dark", alice)
    export(version, "dark", "pdf", alice)
    assert [(job.format, job.limits.wall_s) for job in renderer.jobs] == [("png", 90), ("pdf", 90)]


@pytest.mark.parametrize("file_format", ["svg", "pdf"])
def test_an_export_that_our_own_fault_kept_away_is_not_recorded(file_format, alice, version, renderer):
    low = RenderResult("dark", reason=Reason.LAUNCHER, detail="This machine has only 100 MiB of memory left.")
    renderer.plan(low, low, low)
    for _ in range(3):
        answer = export(version, "dark", file_format, alice)
        assert (answer.status, answer.code, answer.detail) == ("failed", "error", low.detail)
    assert not Artifact.objects.filter(version=version, theme="dark").exists()
    assert export(version, "dark", file_format, alice).status == "ok"


def test_a_second_try_that_succeeds_replaces_the_record(alice, version, renderer):
    renderer.plan(TOO_SLOW)
    assert toggle(version.session, 0, "dark", alice).status == "failed"
    assert toggle(version.session, 0, "dark", alice).status == "ok"
    assert Artifact.objects.get(version=version, theme="dark").status == "ok"


@pytest.mark.parametrize(
    "trouble", [RendererUnavailable("Away."), RenderResult("dark", reason=Reason.LAUNCHER, detail="No sandbox.")]
)
def test_a_fault_of_ours_is_an_error_and_not_recorded(trouble, alice, version, renderer):
    renderer.plan(trouble)
    toggled = toggle(version.session, 0, "dark", alice)
    assert (toggled.status, toggled.code) == ("failed", "error")
    assert not Artifact.objects.filter(version=version, theme="dark").exists()
    assert toggle(version.session, 0, "dark", alice).status == "ok"


def test_without_a_free_slot_the_answer_is_busy_and_the_registry_is_left(alice, version, renderer):
    renderer.plan(RendererBusy("Busy."))
    with pytest.raises(OverCapacity) as refused:
        toggle(version.session, 0, "dark", alice)
    assert refused.value.retry_after_s
    assert not Toggle.objects.filter(active=True).exists()


def test_a_version_that_is_deleted_meanwhile_leaves_no_file(alice, version, renderer, tmp_path):
    def deleted(job):
        version.session.delete()
        return renderer.picture(job)

    renderer.plan(deleted)
    with pytest.raises(NotFound):
        toggle(version.session, 0, "dark", alice)
    assert not [path for path in (tmp_path / "files").rglob("*.png")]


def test_a_toggle_needs_no_data_set(alice, version, renderer):
    version.session.dataset.delete()
    version.session.refresh_from_db()
    assert toggle(version.session, 0, "dark", alice).status == "ok"
