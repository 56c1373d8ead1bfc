"""The theme toggle: the host's gates decide, the probe's verdicts are notes, and nothing is adapted."""

import pytest

from agents_app.pipeline.rerender import rerender
from renderer_app.contract import Reason, RendererBusy, RendererUnavailable, RenderResult
from tests.gates.figures import png
from tests.pipeline.tables import Script, drawn, measured, regions

DARK = png(theme="dark", boxes=[(800, 400, 2600, 1200)])


def toggled(answer):
    job, render = regions(), Script(answer)
    return rerender(job.recipe, "stored script", job.data_csv, job.columns, "dark", render), render


def dark(measurements=None, picture=DARK, **more):
    return RenderResult("dark", picture, 3200, 1800, measured() if measurements is None else measurements, **more)


def test_the_stored_script_is_drawn_in_the_other_theme():
    result, render = toggled(dark())
    assert (result.status, result.code, result.detail) == ("ok", "", "")
    assert result.picture.png == DARK
    (job,) = render.jobs
    assert (job.code, job.theme) == ("stored script", "dark")


def test_what_the_probe_finds_is_a_note():
    result, _ = toggled(dark(measured(overlapping=3)))
    assert result.status == "ok"
    (overlap,) = [verdict for verdict in result.verdicts if verdict.id == "G4"]
    assert (overlap.passed, overlap.blocking) == (False, False)


def test_a_picture_a_little_off_is_padded_with_the_themes_page():
    result, _ = toggled(dark(picture=png((3198, 1800), theme="dark", boxes=[(800, 400, 2600, 1200)])))
    assert (result.status, result.code) == ("needs_attention", "canvas_padded")
    assert result.picture.padded
    assert "padded" in result.detail


@pytest.mark.parametrize(
    "answer",
    [
        RenderResult("dark", reason=Reason.EXIT, detail="The script ended with an error."),
        RenderResult("dark", b"rubbish", 3200, 1800),
        RenderResult("dark", png((100, 100)), 100, 100),
    ],
)
def test_a_script_that_gives_no_picture_has_failed(answer):
    result, _ = toggled(answer)
    assert (result.status, result.code, result.picture) == ("failed", "render", None)
    assert result.detail


@pytest.mark.parametrize(
    "answer",
    [
        RendererUnavailable("gone"),
        RenderResult("dark", reason=Reason.LAUNCHER, detail="The sandbox could not be started."),
        RenderResult("dark", reason=Reason.DEADLINE, detail="Out of time."),
    ],
)
def test_a_fault_of_the_renderer_is_an_error_that_is_not_the_scripts(answer):
    result, _ = toggled(answer)
    assert (result.status, result.code) == ("failed", "error")


def test_a_busy_renderer_is_told_to_the_caller():
    with pytest.raises(RendererBusy):
        toggled(RendererBusy("no slot"))


def test_a_plot_that_left_the_catalogue_can_still_be_toggled():
    job = regions()
    recipe = job.recipe.with_(spec="gone")
    result = rerender(recipe, "stored script", job.data_csv, job.columns, "dark", Script(dark()))
    assert result.status == "ok"
    assert [verdict.id for verdict in result.verdicts] == ["R1", "R2", "R3"]


def test_two_of_the_same_have_one_name():
    job = regions()
    names = set()
    for _ in range(2):
        render = Script(drawn())
        rerender(job.recipe, "stored script", job.data_csv, job.columns, "light", render)
        names.add(render.jobs[0].job_id)
    assert len(names) == 1
