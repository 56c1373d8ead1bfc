"""A run tells its story, ends in one outcome whatever happens, and keeps the better of two pictures."""

from dataclasses import replace

import pytest

from agents_app.pipeline.run import run
from renderer_app.contract import Reason, RendererBusy, RendererUnavailable, RenderResult
from tests.gates.figures import png, text
from tests.pipeline.tables import SECRET, Reports, Script, drawn, measured, regions


def test_a_plot_that_is_right_at_once_is_drawn_once():
    render, report = Script(drawn()), Reports()
    outcome = run(regions(), render=render, report=report)
    assert outcome.status == "ok", outcome.verdicts
    assert report.steps == ["adapt", "validate", "render", "gates"]
    assert outcome.attempts == 1
    assert outcome.rows["total"] == 4
    assert outcome.rows["dropped"] == 1
    assert (outcome.picture.width, outcome.picture.height, outcome.picture.padded) == (3200, 1800, False)
    assert "read_csv" in outcome.plot_py
    assert outcome.usage == {"calls": 0, "tokens": {}, "cost_usd": 0.0}
    assert set(outcome.timings) == {"adapt_ms", "render_ms", "gates_ms"}
    assert all(value >= 0 for value in outcome.timings.values())
    assert outcome.error_code == ""


def test_the_job_carries_script_data_and_theme():
    render = Script(drawn())
    job = regions(theme="dark")
    run(job, render=render, report=Reports())
    (asked,) = render.jobs
    assert (asked.job_id, asked.theme, asked.data) == ("job", "dark", job.data_csv)
    assert '"ANYPLOT_THEME", "dark"' in asked.code


def test_overlapping_labels_are_repaired_once_and_said():
    render, report = Script(drawn(measured(overlapping=3)), drawn()), Reports()
    outcome = run(regions(), render=render, report=report)
    assert outcome.status == "ok"
    assert outcome.attempts == 2
    assert report.steps == ["adapt", "validate", "render", "gates", "repair", "adapt", "validate", "render", "gates"]
    assert dict(report.lines)["repair"]["gates"] == ["G4"]
    assert [job.job_id for job in render.jobs] == ["job", "job-2"]
    assert render.jobs[0].code != render.jobs[1].code
    assert any("labels on the x axis" in change for change in outcome.changes)
    assert outcome.recipe.options


def test_a_repair_that_makes_it_no_better_is_not_kept():
    render = Script(drawn(measured(overlapping=2)), drawn(measured(overlapping=3)))
    outcome = run(regions(), render=render, report=Reports())
    assert outcome.status == "needs_attention"
    assert outcome.attempts == 2
    assert outcome.plot_py == render.jobs[0].code
    assert not any("so that" in change for change in outcome.changes)
    assert [note for note in outcome.notes if "overlap" in note]


def test_a_repair_that_helps_a_little_is_kept():
    render = Script(drawn(measured(overlapping=3)), drawn(measured(overlapping=1)))
    outcome = run(regions(), render=render, report=Reports())
    assert outcome.status == "needs_attention"
    assert outcome.plot_py == render.jobs[1].code
    assert any("so that" in change for change in outcome.changes)


def test_there_is_never_a_third_attempt():
    render = Script(*[drawn(measured(overlapping=3))] * 3)
    run(regions(), render=render, report=Reports())
    assert len(render.jobs) == 2


def test_what_layout_cannot_mend_is_not_tried():
    wrong = measured()
    wrong["axes"][0]["marks"][0]["values"]["height"] = [30.0, 12.5, 7.5]
    render = Script(drawn(wrong))
    outcome = run(regions(), render=render, report=Reports())
    assert outcome.status == "needs_attention"
    assert outcome.attempts == 1
    assert "1 of 3 bars differ from your data." in outcome.notes


def test_a_script_that_fails_gives_the_reason_and_its_last_lines():
    failed = RenderResult(
        "light", reason=Reason.EXIT, detail="The script ended with an error.", output="one\n\ntwo\nValueError: no\n"
    )
    outcome = run(regions(), render=Script(failed), report=Reports())
    assert (outcome.status, outcome.error_code) == ("failed", "render")
    assert outcome.error_text == "The script ended with an error."
    assert outcome.notes == ["The script's last lines:", "one", "two", "ValueError: no"]
    assert outcome.picture is None
    assert outcome.plot_py
    assert outcome.verdicts[0].id == "R1"


def test_a_limit_that_was_passed_reaches_the_person():
    failed = RenderResult("light", reason=Reason.TIMEOUT, measured=60.1, limit=60.0, detail="It took longer than 60 s.")
    outcome = run(regions(), render=Script(failed), report=Reports())
    assert outcome.error_text == "It took longer than 60 s."
    assert (outcome.verdicts[0].measured, outcome.verdicts[0].limit) == (60.1, 60.0)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (RendererBusy("No render slot came free in 120 s."), "render"),
        (RendererUnavailable("The renderer does not answer."), "render"),
        (RenderResult("light", reason=Reason.CANCELED, detail="Stopped."), "canceled"),
        (RenderResult("light", reason=Reason.DEADLINE, detail="Out of time."), "deadline"),
    ],
)
def test_a_renderer_that_gives_nothing_ends_the_run_with_a_code(answer, code):
    outcome = run(regions(), render=Script(answer), report=Reports())
    assert (outcome.status, outcome.error_code) == ("failed", code)
    assert outcome.error_text
    assert outcome.picture is None
    assert outcome.rows["total"] == 4


@pytest.mark.parametrize("answer", [RendererBusy(""), RenderResult("light", reason=Reason.DEADLINE)])
def test_a_first_picture_survives_a_repair_that_could_not_be_drawn(answer):
    outcome = run(regions(), render=Script(drawn(measured(overlapping=3)), answer), report=Reports())
    assert outcome.status == "needs_attention"
    assert outcome.picture is not None
    assert any("repair could not be drawn" in note for note in outcome.notes)


def test_a_run_that_is_stopped_while_it_repairs_is_stopped():
    stopped = RenderResult("light", reason=Reason.CANCELED, detail="Stopped.")
    outcome = run(regions(), render=Script(drawn(measured(overlapping=3)), stopped), report=Reports())
    assert (outcome.status, outcome.error_code) == ("failed", "canceled")


def test_a_picture_that_is_a_little_off_is_padded():
    off = drawn(picture=png((3190, 1800), boxes=[(800, 400, 2600, 1200)]))
    outcome = run(regions(), render=Script(off), report=Reports())
    assert outcome.status == "needs_attention"
    assert outcome.picture.padded
    assert (outcome.picture.width, outcome.picture.height) == (3200, 1800)
    assert any("padded" in note for note in outcome.notes)


def test_a_picture_of_another_size_is_no_result():
    off = drawn(picture=png((1600, 900)))
    outcome = run(regions(), render=Script(off), report=Reports())
    assert (outcome.status, outcome.error_code, outcome.picture) == ("failed", "render", None)


def test_options_that_do_not_exist_end_in_a_sentence():
    outcome = run(regions(options={"NO_SUCH": 1}), render=Script(), report=Reports())
    assert (outcome.status, outcome.error_code) == ("failed", "validation")
    assert "NO_SUCH" in outcome.error_text


def test_an_unknown_plot_ends_in_a_sentence():
    job = regions()
    gone = replace(job, recipe=job.recipe.with_(spec="no-such-plot"))
    outcome = run(gone, render=Script(), report=Reports())
    assert (outcome.status, outcome.error_code) == ("failed", "validation")


def test_reports_say_nothing_of_the_data():
    report = Reports()
    run(regions(), render=Script(drawn(measured(overlapping=3)), drawn()), report=report)
    assert SECRET not in repr(report.lines)
    assert "Umsatz" not in repr(report.lines)


def test_what_was_asked_for_is_not_overridden_by_the_repair():
    asked = regions(options={"LABEL_WRAP": 30}, asked=("LABEL_WRAP", "LABEL_ROTATION", "HORIZONTAL", "LABEL_EVERY"))
    render = Script(drawn(measured(overlapping=3)))
    outcome = run(asked, render=render, report=Reports())
    assert outcome.attempts == 1
    assert outcome.recipe.options == {"LABEL_WRAP": 30}


def test_a_title_beyond_the_edge_is_set_smaller():
    long = measured()
    long["texts"].append(text("Umsatz by Region", "title", 400, 1700, 3_000))
    render = Script(drawn(long), drawn())
    outcome = run(regions(), render=render, report=Reports())
    assert outcome.status == "ok"
    assert outcome.recipe.options["TITLE_SIZE"] == 10
    assert "TITLE_SIZE = 10" in outcome.plot_py


def test_the_alt_text_says_what_is_there():
    outcome = run(regions(), render=Script(drawn()), report=Reports())
    assert outcome.alt_text == (
        "Basic Bar Chart of Region and Umsatz (€), from 3 rows (1 left out). "
        "Region: Süd, Nord and West. Umsatz (€) runs from 7 to 30."
    )
