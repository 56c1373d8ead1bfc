"""Results over HTTP: the version, its files, its other theme, feedback."""

import io
import json
import zipfile

import pytest
from django.core.files.base import ContentFile

from agents_app.models import Artifact, Feedback, Version
from renderer_app.backends import fake
from renderer_app.contract import RendererBusy, RendererUnavailable

VERSION = "/v1/sessions/{session}/versions/1"


def test_a_version_tells_everything_about_itself(as_alice, things):
    found = as_alice.get(things.path(VERSION)).json()
    path = things.path(VERSION)
    assert found["version"] == 1
    assert found["parent"] is None
    assert found["themes"]["light"] == {
        "status": "ok",
        "code": None,
        "detail": None,
        "width": 3200,
        "height": 1800,
        "png": f"{path}/plot-light.png",
        "svg": None,
        "pdf": None,
        "gates": [],
    }
    assert found["files"] == {name: f"{path}/{name}" for name in ("plot.py", "data.csv", "recipe.json", "bundle.zip")}
    assert found["rows"] == {"total": 6, "used": 6, "dropped": 0, "reasons": []}
    assert found["usage"] == {"calls": 0, "tokens": {}, "cost_usd": 0}
    assert found["recipe"]["spec"] == "scatter-basic"


def test_zero_is_the_latest(as_alice, things):
    latest = as_alice.get(things.path("/v1/sessions/{session}/versions/0")).json()
    assert latest["version"] == 1
    second = Version.objects.get()
    second.pk, second.number, second.parent, second.turn = None, 2, things.version, None
    second._state.adding = True
    second.save()
    latest = as_alice.get(things.path("/v1/sessions/{session}/versions/0")).json()
    assert (latest["version"], latest["parent"]) == (2, 1)
    page = as_alice.get(things.path("/v1/sessions/{session}/versions")).json()
    assert [item["version"] for item in page["items"]] == [1, 2]


@pytest.mark.parametrize(
    ("number", "status", "words"),
    [
        ("2", 404, "There is no version 2."),
        ("999", 404, "There is no version 999."),
        ("1000", 422, "version is 1000; use 0 (the latest) to 999."),
        ("-1", 404, "There is nothing at this address."),
        ("one", 404, "There is nothing at this address."),
    ],
)
def test_a_version_that_is_not_there_is_named(as_alice, things, number, status, words):
    answer = as_alice.get(things.path("/v1/sessions/{session}/versions/") + number)
    assert answer.status_code == status
    assert answer.json()["detail"].startswith(words)


@pytest.mark.parametrize(
    ("name", "kind", "saved"),
    [
        ("plot-light.png", "image/png", False),
        ("plot.py", "text/x-python; charset=utf-8", True),
        ("data.csv", "text/csv; charset=utf-8", True),
        ("recipe.json", "application/json", False),
        ("bundle.zip", "application/zip", True),
    ],
)
def test_a_file_has_its_type_a_private_tag_and_is_saved_or_shown(as_alice, things, name, kind, saved):
    path = things.path(VERSION) + "/" + name
    answer = as_alice.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == kind
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "private, no-cache"
    assert ("attachment" in answer["Content-Disposition"]) is saved
    assert "attachment" in as_alice.get(path + "?download=1")["Content-Disposition"]
    if "plot-" in path:
        assert 'filename="scatter-basic-' in answer["Content-Disposition"]
    assert as_alice.get(path, If_None_Match=answer["ETag"]).status_code == 304


def test_an_svg_that_a_script_drew_can_run_nothing(as_alice, things):
    artifact = Artifact(version=things.version, theme="light", format="svg", status="ok")
    artifact.file.save("plot-light.svg", ContentFile(b"<svg><script>alert(1)</script></svg>"))
    answer = as_alice.get(things.path(VERSION) + "/plot-light.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "sandbox" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["plot-dark.png", "plot-light.svg", "plot-light.pdf"])
def test_a_picture_that_was_not_made_is_not_rendered_by_reading(as_alice, things, name):
    answer = as_alice.get(things.path(VERSION) + "/" + name)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_rendered")
    assert "first" in answer.json()["detail"]


@pytest.mark.parametrize("name", ["plot-blue.png", "plot-light.gif", "plot.txt"])
def test_a_picture_that_there_never_is_is_404(as_alice, things, name):
    answer = as_alice.get(things.path(VERSION) + "/" + name)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_file_that_was_swept_is_404_in_words(as_alice, things):
    things.version.script.storage.delete(things.version.script.name)
    answer = as_alice.get(things.path(VERSION) + "/plot.py")
    assert (answer.status_code, answer.json()["detail"]) == (404, "This file is no longer stored.")


def test_the_bundle_holds_what_draws_the_plot_again(as_alice, things):
    archive = zipfile.ZipFile(io.BytesIO(as_alice.get(things.path(VERSION) + "/bundle.zip").content))
    assert archive.namelist() == ["plot.py", "data.csv", "recipe.json", "requirements.txt", "README.md"]
    assert archive.read("plot.py") == as_alice.get(things.path(VERSION) + "/plot.py").content
    assert json.loads(archive.read("recipe.json"))["library"] == "matplotlib"
    requirements = archive.read("requirements.txt").decode().splitlines()
    assert [line.split("==")[0] for line in requirements] == ["matplotlib", "seaborn", "pandas", "numpy"]
    assert all(line.split("==")[1] for line in requirements)
    readme = archive.read("README.md").decode().splitlines()
    assert len(readme) == 3
    assert "ANYPLOT_THEME=dark python plot.py" in readme[2]


def test_the_table_shows_the_plotted_values(as_alice, things):
    page = as_alice.get(things.path(VERSION) + "/table?limit=2").json()
    assert page["total"] == 6
    assert len(page["items"]) == 2
    assert {"x", "y"} <= set(page["columns"])


def test_a_theme_that_is_there_is_answered_from_the_record(as_alice, things):
    answer = as_alice.post(things.path(VERSION) + "/render", {"theme": "light"})
    assert answer.status_code == 200, answer.content
    found = answer.json()
    assert (found["status"], found["theme"], found["version"]["version"]) == ("ok", "light", 1)
    assert found["version"]["themes"]["light"]["png"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "theme is missing."),
        ({"theme": "blue"}, "theme must be 'light' or 'dark'."),
        ({"theme": "dark", "format": "png"}, "format is not known here. Known: theme."),
    ],
)
def test_a_toggle_that_does_not_fit_is_refused_in_words(as_alice, things, body, words):
    answer = as_alice.post(things.path(VERSION) + "/render", body)
    assert (answer.status_code, answer.json()["detail"]) == (422, words)


def test_an_export_is_drawn_on_request_then_served_and_answered_from_the_record(as_alice, things, settings):
    settings.AGENT_RENDERER = "fake"
    fake.forget()
    for file_format, start in (("svg", b"<svg"), ("pdf", b"%PDF")):
        for _ in range(2):
            found = as_alice.post(things.path(VERSION) + "/export", {"theme": "light", "format": file_format}).json()
            assert found == {"url": things.path(VERSION) + f"/plot-light.{file_format}", "status": "ok"}
        assert as_alice.get(found["url"]).content.startswith(start)
    assert [job.format for job in fake.jobs] == ["svg", "pdf"], "each drawn once"
    themes = as_alice.get(things.path(VERSION)).json()["themes"]
    assert themes["light"]["status"] == "ok"
    assert themes["light"]["svg"].endswith("plot-light.svg")


def test_an_export_that_fails_is_tried_twice_and_then_answered_from_the_record(as_alice, things, settings):
    settings.AGENT_RENDERER = "fake"
    fake.forget()
    things.version.script.storage.delete(things.version.script.name)
    things.version.script.save("plot.py", ContentFile(b"# fake: timeout\n"))
    for _ in range(3):
        found = as_alice.post(things.path(VERSION) + "/export", {"theme": "dark", "format": "pdf"}).json()
        assert (found["url"], found["status"], found["code"]) == (None, "failed", "render")
        assert "longer than" in found["detail"]
    assert len(fake.jobs) == 2
    assert as_alice.get(things.path(VERSION)).json()["themes"]["dark"]["status"] is None


@pytest.mark.parametrize("trouble", [RendererBusy("busy"), RendererUnavailable("away")])
def test_a_renderer_that_can_not_be_had_is_not_held_against_the_format(as_alice, things, settings, trouble):
    settings.AGENT_RENDERER = "fake"
    fake.forget()
    fake.plan(trouble)
    path, body = things.path(VERSION) + "/export", {"theme": "light", "format": "svg"}
    answer = as_alice.post(path, body)
    if isinstance(trouble, RendererBusy):
        assert (answer.status_code, answer.json()["code"]) == (503, "capacity")
        assert int(answer["Retry-After"]) >= 1
    else:
        assert answer.json()["code"] == "error"
    assert as_alice.post(path, body).json()["status"] == "ok"


def test_an_export_is_refused_while_a_run_is_active(as_alice, things, settings):
    settings.AGENT_RENDERER = "fake"
    as_alice.post(things.path("/v1/sessions/{session}/messages"), {})
    answer = as_alice.post(things.path(VERSION) + "/export", {"theme": "light", "format": "svg"})
    assert (answer.status_code, answer.json()["code"]) == (409, "run_active")


def test_feedback_is_kept_once_a_person_and_the_last_word_counts(as_alice, things):
    path = things.path(VERSION) + "/feedback"
    assert as_alice.post(path, {"reaction": "down", "message": "labels overlap"}).status_code == 200
    assert as_alice.post(path, {"reaction": "up"}).json() == {"reaction": "up", "message": ""}
    assert Feedback.objects.get().reaction == "up"
    answer = as_alice.post(path, {"reaction": "meh"})
    assert (answer.status_code, answer.json()["detail"]) == (422, "reaction must be 'up' or 'down'.")
