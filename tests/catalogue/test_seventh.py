"""A plot put into a folder goes the whole way without a line of code being touched."""

from pathlib import Path

import pytest

from agents_app import binding, intake
from agents_app.catalogue import catalogue, eligibility
from agents_app.pipeline.outcome import PipelineJob
from agents_app.pipeline.run import run
from agents_app.recipe import build, operations
from renderer_app import sandbox

SEVENTH = Path(__file__).parent / "seventh"
PEBBLES = "beach,grams\nNorth,12\nSouth,40.5\nNorth,22\nEast,\nSouth,31\n"


@pytest.mark.sandbox
def test_a_seventh_plot_is_listed_bound_adapted_drawn_and_judged(settings):
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(SEVENTH)]
    spec = catalogue.get_spec("strip-plain")
    assert spec in catalogue.search("tick", library="matplotlib")
    assert eligibility.reasons(spec, "matplotlib") == []

    read = intake.read(PEBBLES.encode(), how="paste")
    columns = [column.as_json() for column in read.columns]
    assert binding.propose(spec, columns)["value"] == "grams"
    bindings = binding.check(spec, columns, {"value": "grams", "group": "beach"}).bindings

    recipe = build.initial(spec, "matplotlib", bindings, columns, "dark")
    applied = operations.apply(recipe, [{"op": "set_title", "text": "Pebbles of ours"}], spec, columns)
    job = PipelineJob("seventh", applied.recipe, read.data_csv, columns, applied.changes)
    outcome = run(job, render=sandbox.run, report=lambda step, **fields: None)

    assert [verdict.text for verdict in outcome.verdicts if verdict.blocks] == []
    assert outcome.status == "ok"
    assert (outcome.picture.width, outcome.picture.height) == (3200, 1800)
    assert outcome.rows["dropped"] == 1
    assert 'TITLE = "Pebbles of ours"' in outcome.plot_py
    assert 'X_LABEL = "grams"' in outcome.plot_py
    assert "Title “Pebbles of ours”." in outcome.changes
