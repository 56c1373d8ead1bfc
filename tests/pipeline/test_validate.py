"""The validator refuses early, with the line."""

import pytest

from agents_app.catalogue import catalogue
from agents_app.pipeline.adapt import Adapted, adapt, prepare
from agents_app.pipeline.outcome import Failure
from agents_app.pipeline.validate import validate
from tests.pipeline.tables import regions


def adapted(change=lambda script: script, plot_py=None):
    job = regions()
    prepared = prepare(job.recipe, job.data_csv, job.columns)
    good = adapt(prepared.recipe, job.columns, prepared)
    return Adapted(good.recipe, good.spec, change(good.script), plot_py or good.plot_py)


@pytest.mark.parametrize("spec", [spec.id for spec in catalogue.specs()])
@pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
def test_every_script_of_the_catalogue_is_valid(spec, library):
    script = catalogue.script(catalogue.get_spec(spec), library)
    validate(Adapted(regions().recipe, catalogue.get_spec(spec), script, script))


@pytest.mark.parametrize(
    "change",
    [
        lambda script: script.replace("import textwrap", "import subprocess"),
        lambda script: script.replace('fig.savefig(f"plot-{THEME}.png"', 'fig.savefig("elsewhere.png"'),
        lambda script: script.replace("# --- Plot ---", "# --- Plot ---\neval('1')"),
        lambda script: script.replace('os.getenv("ANYPLOT_THEME", "light")', '"light"'),
    ],
    ids=["import", "save target", "call", "theme block"],
)
def test_a_script_that_breaks_a_rule_is_refused_with_the_reason(change):
    with pytest.raises(Failure) as refused:
        validate(adapted(change))
    assert refused.value.code == "validation"
    assert refused.value.notes


def test_an_adapted_script_that_does_not_parse_is_refused():
    with pytest.raises(Failure) as refused:
        validate(adapted(plot_py="import os\nif True print"))
    assert refused.value.notes[0].startswith("Line 2")
