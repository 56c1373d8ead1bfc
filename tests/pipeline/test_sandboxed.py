"""Whole runs through the real sandbox."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from agents_app.catalogue import catalogue
from agents_app.pipeline.run import run
from renderer_app import sandbox
from tests.pipeline.tables import Reports, job

pytestmark = pytest.mark.sandbox

both = pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
LONG = "Department of Public Works and Water {} North East"


def table(names):
    return "Office,Budget (EUR)\n" + "".join(f"{name},{1000 + n * 37 % 900}\n" for n, name in enumerate(names))


def run_bars(names, library, **recipe):
    given = job(table(names), "bar-basic", {"category": "Office", "value": "Budget (EUR)"}, library, **recipe)
    # The automatic limit of categories is not what is tested here.
    kept = tuple(step for step in given.recipe.transforms if step["kind"] != "limit")
    report = Reports()
    whole = replace(given, recipe=given.recipe.with_(transforms=kept))
    return run(whole, render=sandbox.run, report=report), report


@both
def test_a_bar_plot_with_40_long_labels_fails_at_first_and_passes_after_the_repair(library):
    outcome, report = run_bars([LONG.format(number) for number in range(40)], library)
    first = next(fields for step, fields in report.lines if step == "gates")
    assert (first["attempt"], first["status"]) == (1, "needs_attention")
    assert "G4" in first["failed"]
    assert outcome.attempts == 2
    assert {verdict.id: verdict.text for verdict in outcome.verdicts if not verdict.passed} == {}
    assert outcome.status == "ok"
    assert any("labels" in change and "so that" in change for change in outcome.changes)
    assert any(f"\n{name} = " in outcome.plot_py for name in ("LABEL_ROTATION", "HORIZONTAL", "LABEL_EVERY"))


@both
@pytest.mark.parametrize(
    ("names", "rung"),
    [
        ([f"Regional office number {n} of the north" for n in range(14)], None),
        ([f"Office{n}_of_the_northern_region" for n in range(16)], None),
        ([f"Office number {n}" for n in range(120)], "LABEL_EVERY"),
    ],
    ids=["14 wordy", "16 unbreakable", "120 short"],
)
def test_crowded_labels_are_ok_after_one_repair(library, names, rung):
    outcome, _ = run_bars(names, library)
    assert {verdict.id: verdict.text for verdict in outcome.verdicts if not verdict.passed} == {}
    assert outcome.status == "ok"
    if rung:
        assert rung in outcome.recipe.options


def test_a_person_who_asked_for_upright_bars_does_not_get_lying_ones():
    outcome, _ = run_bars([LONG.format(number) for number in range(12)], "matplotlib", asked=("HORIZONTAL",))
    assert "HORIZONTAL" not in outcome.recipe.options


# --- a seventh plot ----------------------------------------------------------------------------

YAML = """
spec_id: dot-basic
title: Dot Plot
family: bar
canvas: square
roles:
  - {name: item, types: [categorical], required: true, description: "The things."}
  - {name: amount, types: [numeric], required: true, aggregate: mean, description: "How much."}
grain: [item]
order: {role: item, by: amount, initial: true}
axes: {"x": amount, "y": item}
title_pattern: "{amount} by {item}"
options:
  - {name: TITLE, type: text, default: "Dots", effect: title, description: "Above."}
  - {name: X_LABEL, type: text, default: "Amount", effect: "label:x", description: "Below."}
  - {name: Y_LABEL, type: text, default: "Item", effect: "label:y", description: "Beside."}
"""
MARKDOWN = (
    "# dot-basic: Dot Plot\n\n## Description\nA dot for each thing.\n\n## Data\n- `item` (categorical) - things\n"
)
PLOT = """
# --- Data ---
df = pd.DataFrame({"item": ["a", "b"], "amount": [1.0, 2.0]})

# --- Options ---
TITLE = "Dots"  # above
X_LABEL = "Amount"  # below
Y_LABEL = "Item"  # beside

# --- Plot ---
fig, ax = plt.subplots(figsize=(6, 6), dpi=400, layout="constrained")
ax.scatter(df["amount"], range(len(df)), color=PALETTE[0], edgecolor=INK)
ax.set_yticks(range(len(df)), df["item"])
ax.set_title(TITLE)
ax.set_xlabel(X_LABEL)
ax.set_ylabel(Y_LABEL)

# --- Save ---
fig.savefig(f"plot-{THEME}.png", dpi=400)
"""


@pytest.fixture
def seventh(tmp_path: Path, settings):
    """A folder with one more plot, beside the catalogue's own."""
    folder = tmp_path / "plots" / "dot-basic"
    scripts = folder / "implementations" / "python"
    scripts.mkdir(parents=True)
    (folder / "specification.yaml").write_text(YAML)
    (folder / "specification.md").write_text(MARKDOWN)
    bars = catalogue.script(catalogue.get_spec("bar-basic"), "matplotlib")
    head = bars[: bars.index("# --- Data ---")]
    (scripts / "matplotlib.py").write_text(head + PLOT.lstrip("\n"))
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path / "plots")]
    return "dot-basic"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_seventh_plot_is_adapted_drawn_and_judged_without_touching_code(seventh, theme):
    data = "Thing,Kilos (kg)\nax,3\nsaw,1.5\nax,5\nnail,\n"
    given = job(data, seventh, {"item": "Thing", "amount": "Kilos (kg)"}, theme=theme)
    outcome = run(given, render=sandbox.run, report=Reports())
    assert {verdict.id: verdict.text for verdict in outcome.verdicts if not verdict.passed} == {}
    assert outcome.status == "ok"
    assert [verdict.id for verdict in outcome.verdicts][:5] == ["R1", "R2", "R3", "G1", "G2"]
    assert (outcome.picture.width, outcome.picture.height) == (2400, 2400)
    assert outcome.rows == {"total": 4, "used": 3, "dropped": 1, "reasons": outcome.rows["reasons"]}
    page = np.asarray(Image.open(io.BytesIO(outcome.picture.png)).convert("RGB"))[0, 0]
    assert (page > 127).all() == (theme == "light")
