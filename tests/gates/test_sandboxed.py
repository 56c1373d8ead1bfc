"""Every gate on real figures of both libraries, drawn in the real sandbox: a clean one is silent, a defect fires."""

import pandas as pd
import pytest

from agents_app import gates
from agents_app.catalogue.spec import Role, Spec
from agents_app.gates.evidence import Evidence
from agents_app.recipe.recipe import Recipe
from tests.gates.figures import Values

pytestmark = pytest.mark.sandbox

SPEC = Spec(
    id="hand-made",
    title="Hand-made",
    family="bar",
    folder=None,  # type: ignore[arg-type]
    roles=(Role("category", ("categorical",)), Role("value", ("numeric",)), Role("group", ("any",), False, color=True)),
    grain=("category",),
    axes={"x": "category", "y": "value", "legend": "group"},
)
RECIPE = Recipe("hand-made", "matplotlib", {"category": "c", "value": "v", "group": "g"})
FRAME = pd.DataFrame(
    {
        "category": [f"Place {number}" for number in range(14)],
        "value": [float(number * 3 % 11 + 1) for number in range(14)],
        "group": ["Nord", "Süd"] * 7,
    }
)
PREPARED = Values(FRAME, {"total": 14, "used": 14, "dropped": 0, "reasons": []})
EXPECTED = {"title": "Value by place", "x": "Place", "y": "Value (€)", "legend": "Region"}

# Defects are lines put in at a place of an otherwise clean script.
SCRIPT = """
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

frame = pd.DataFrame({frame})
fig, ax = plt.subplots(figsize=({width}, 4.5), dpi=400, layout="constrained", facecolor="#FAF8F1")
ax.set_facecolor("#FAF8F1")
{data}
{draw}
ax.set_title("Value by place")
ax.set_xlabel("Place")
ax.set_ylabel("Value (€)")
ax.tick_params(axis="x", labelsize=7)
{late}
fig.canvas.draw()
fig.set_layout_engine("none")
{last}
fig.savefig("plot-light.png", dpi=400)
"""
DRAW = {
    "matplotlib": """
for group, color in (("Nord", "#009E73"), ("Süd", "#C475FD")):
    part = frame[frame.group == group]
    ax.bar(part.category, part.value, color=color, label=group)
order = [list(frame[frame.group == "Nord"].category).index(name) if name in set(frame[frame.group == "Nord"].category)
         else 7 + list(frame[frame.group == "Süd"].category).index(name) for name in frame.category]
ax.set_xticks(order, frame.category)
ax.legend(title="Region", loc="upper left", bbox_to_anchor=(1, 1))
""",
    "seaborn": """
sns.barplot(frame, x="category", y="value", hue="group", palette=["#009E73", "#C475FD"], ax=ax)
sns.move_legend(ax, "upper left", bbox_to_anchor=(1, 1), title="Region")
""",
}


def judged(sandboxed, library, **defect):
    parts = {"width": "8", "data": "", "late": "", "last": ""} | defect
    code = SCRIPT.format(frame=FRAME.to_dict("list"), **({"draw": DRAW[library]} | parts))
    result = sandboxed(code)
    evidence = Evidence(result, RECIPE.with_(library=library), SPEC, [], EXPECTED, PREPARED)
    return {verdict.id: verdict for verdict in gates.judge_evidence(evidence)}


both = pytest.mark.parametrize("library", ["matplotlib", "seaborn"])


@both
def test_every_gate_is_silent_on_a_clean_figure(sandboxed, library):
    verdicts = judged(sandboxed, library)
    assert {name: v.text for name, v in verdicts.items() if not v.passed} == {}
    assert list(verdicts) == ["R1", "R2", "R3", "G1", "G2", "G3", "G4", "G8"]


@both
@pytest.mark.parametrize(
    ("gate", "defect", "said"),
    [
        ("R1", {"late": "raise RuntimeError('no')"}, ""),
        ("R3", {"width": "7.99"}, "padded"),
        ("G1", {"late": "for bar in ax.patches: bar.set_visible(False)"}, "no marks"),
        ("G1", {"late": "ax.set_ylim(100, 200)"}, "outside the visible range"),
        ("G1", {"late": "for bar in ax.patches: bar.set_facecolor('#FAF8F1')"}, "bare"),
        ("G2", {"data": "frame['value'] = frame['value'] * 1.01"}, "14 of 14 bars differ"),
        ("G2", {"data": "frame = frame.head(13)"}, "13 bars are drawn"),
        ("G3", {"last": "ax.title.set_fontsize(200)"}, "The title reaches"),
        ("G3", {"last": "fig.text(0.99, 0.5, 'beyond the edge')"}, "beyond the right edge"),
        ("G4", {"last": "ax.tick_params(axis='x', labelsize=12)"}, "of 14 labels on the x axis overlap"),
        ("G4", {"last": "ax.annotate('one', (3, 5)); ax.annotate('two', (3, 5))"}, "labels in the plot overlap"),
        ("G8", {"late": "ax.set_ylabel('Value')"}, "instead of “Value (€)”"),
        ("G8", {"late": "ax.set_title('')"}, "The title is missing"),
        ("G8", {"late": "ax.get_legend().remove()"}, "Nothing says which color is which"),
        ("G8", {"late": "ax.get_legend().get_texts()[1].set_text('Nord')"}, "entries for 2 groups"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) == 2 else "",
)
def test_a_gate_fires_on_its_defect(sandboxed, library, gate, defect, said):
    verdict = judged(sandboxed, library, **defect)[gate]
    assert not verdict.passed, verdict
    assert said in verdict.text


def test_slanted_labels_that_fit_are_silent(sandboxed):
    turned = "ax.tick_params(axis='x', labelrotation=45, labelsize=12)"
    verdicts = judged(sandboxed, "matplotlib", late=turned)
    assert verdicts["G4"].passed, verdicts["G4"].text
