"""`manage.py catalogue`, as an operator calls it."""

import io

import pytest
from django.core.management import CommandError, call_command

from agents_app.catalogue import catalogue, preview
from renderer_app import sandbox
from renderer_app.contract import Reason, RenderResult

from .test_loader import write


def said(*arguments: str) -> str:
    """What the command prints."""
    out = io.StringIO()
    call_command("catalogue", *arguments, stdout=out)
    return out.getvalue()


def test_check_counts_by_reason_and_names_each(tmp_path, settings):
    write(tmp_path / "odd-plot", "# odd-plot: Odd\n\n## Data\n- `m` (matrix)\n")
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path)]
    text = said("check")
    assert "odd-plot matplotlib: structured_role: The role m needs more structure" in text
    assert "12 of 13 scripts can be adapted." in text
    assert "1  structured_role" in text


def test_stamp_changes_nothing_that_is_stamped():
    assert said("stamp") == ""


def test_stamp_writes_what_is_behind(tmp_path, monkeypatch):
    plots = tmp_path / "plots"
    folder = write(plots / "odd-plot", "# odd-plot: Odd\n")
    script = folder / "implementations" / "python" / "matplotlib.py"
    script.write_text("# --- Theme ---\n# --- Data ---\n# --- Fit ---\n# --- Save ---\n")
    monkeypatch.setattr(catalogue, "PLOTS", plots)
    assert said("stamp") == "stamped odd-plot matplotlib\n"
    assert "PALETTE = [" in script.read_text()


def test_previews_of_an_unknown_plot_are_refused():
    with pytest.raises(CommandError, match="no plot of ours called nope"):
        said("previews", "--spec", "nope")


def test_a_script_that_fails_stops_the_previews_with_its_sentence(monkeypatch):
    def fail(job):
        return RenderResult(job.theme, reason=Reason.EXIT, detail="The script ended with 1.", output="ValueError: no")

    monkeypatch.setattr(sandbox, "run", fail)
    with pytest.raises(CommandError, match=r"pie-basic in matplotlib, light: The script ended with 1\."):
        said("previews", "--spec", "pie-basic")


@pytest.mark.sandbox
def test_previews_are_drawn_in_the_sandbox_and_indexed(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "PREVIEWS", tmp_path)
    spec = catalogue.get_spec("bar-basic")
    paths = list(preview.draw(spec, "matplotlib"))
    assert [path.name for path in paths] == [
        f"matplotlib-{theme}-{width}.webp" for theme in ("light", "dark") for width in (640, 320)
    ]
    assert preview.index() == {"bar-basic/matplotlib": preview.script_hash(catalogue.script(spec, "matplotlib"))}
