"""The ladder's rungs, chosen from measured boxes."""

import math
from dataclasses import replace

import pytest

from agents_app.catalogue import catalogue
from agents_app.gates import measurements
from agents_app.gates.evidence import Evidence
from agents_app.gates.texts import inside_canvas, no_overlap
from agents_app.pipeline.repair import measure_labels, repair
from agents_app.recipe.recipe import Recipe
from renderer_app.contract import RenderResult
from tests.gates.figures import probe, text

BARS = catalogue.get_spec("bar-basic")
RECIPE = Recipe("bar-basic", "matplotlib", {"category": "c"})
CHARACTER, LINE = 26, 46  # pixels of 8 points at 400 dpi
WIDTH = 2600  # of the axes


def labelled(names, axis="x"):
    """A figure with a level label for each name, spread over the axis."""
    texts, ticks = [], []
    for number, name in enumerate(names):
        rows = name.split("\n")
        width, height = CHARACTER * max(map(len, rows)), LINE * len(rows)
        place = (number + 0.5) / len(names)
        x, y = (400 + WIDTH * place - width / 2, 250 - height) if axis == "x" else (380 - width, 300 + 1300 * place)
        texts.append(text(name, f"{axis}tick", x, y, width, height))
        ticks.append({"at": float(number), "text": name})
    return probe(texts=texts, axes={f"{axis}ticks": ticks})


def mended(measured, recipe=RECIPE, spec=BARS):
    evidence = Evidence(RenderResult("light", b"", 3200, 1800, measured), recipe, spec, [])
    verdicts = [inside_canvas(evidence), no_overlap(evidence)]
    return repair(recipe, spec, evidence.figure, verdicts)


def test_nothing_is_repaired_when_nothing_is_wrong():
    assert mended(labelled(["a", "b", "c"])) is None


def test_labels_are_measured_as_they_stand():
    labels = measure_labels(measurements.read(labelled(["one\ntwo three", "four", "five", "six"])), "x")
    assert labels.pitch == pytest.approx(WIDTH / 4)
    assert (labels.character, labels.line) == (pytest.approx(CHARACTER), pytest.approx(LINE))
    assert labels.longest == len("one two three")
    assert labels.longest_word == 5
    assert labels.lines(9) == 2


def test_words_are_broken_into_lines_first():
    found = mended(labelled([f"several short words {n}" for n in range(8)]))
    assert found.rungs == ["wrap"]
    assert found.recipe.options == {"LABEL_WRAP": 12}
    assert found.changes == [
        "The labels on the x axis are broken into lines of at most 12 characters, so that they fit."
    ]


def test_a_long_word_is_turned_rather_than_broken():
    found = mended(labelled([f"Verwaltungsbezirk{n:02}" for n in range(16)]))
    assert found.rungs == ["rotate"]
    assert found.recipe.options == {"LABEL_ROTATION": 45, "LABEL_WRAP": 0}


def test_long_labels_lay_the_plot_on_its_side_when_it_can_lie():
    names = [f"Verwaltungsgemeinschaft Nordwestbezirk Oberland {n}" for n in range(12)]
    assert mended(labelled(names)).rungs == ["flip"]
    without = replace(BARS, options=tuple(option for option in BARS.options if option.effect != "swap_axes"))
    assert mended(labelled(names), spec=without).rungs == ["rotate"]


def test_too_many_labels_are_turned_and_thinned():
    found = mended(labelled([f"Label {n}" for n in range(120)]))
    assert found.rungs == ["rotate", "thin"]
    assert found.recipe.options["LABEL_EVERY"] >= 2
    pitch = WIDTH / 120 * found.recipe.options["LABEL_EVERY"]
    assert pitch >= LINE


def test_labels_that_may_not_be_turned_are_thinned():
    found = mended(
        labelled([f"20{n:02}-01" for n in range(16)]),
        RECIPE.with_(asked=("LABEL_ROTATION", "LABEL_WRAP", "HORIZONTAL")),
    )
    assert found.rungs == ["thin"]
    assert found.changes == ["Only every 2nd of the labels on the x axis is written, so that they don't overlap."]


def test_labels_on_the_y_axis_go_on_one_line_then_are_thinned():
    found = mended(labelled([f"two words\nnumber {n}" for n in range(20)], "y"))
    assert found.recipe.options == {"LABEL_WRAP": 0}
    many = mended(labelled([f"name {n}" for n in range(60)], "y"))
    assert many.rungs == ["thin"]
    assert 1300 / 60 * many.recipe.options["LABEL_EVERY"] >= LINE


@pytest.mark.parametrize(
    "asked", [("LABEL_WRAP",), ("LABEL_ROTATION",), ("HORIZONTAL",), ("LABEL_WRAP", "LABEL_ROTATION", "LABEL_EVERY")]
)
def test_what_was_asked_for_is_never_turned(asked):
    found = mended(labelled([f"several short words number {n}" for n in range(30)]), RECIPE.with_(asked=asked))
    assert not set(asked) & set(found.recipe.options if found else {})


def test_an_option_that_the_script_does_not_declare_is_never_turned():
    bare = replace(BARS, options=())
    assert mended(labelled([f"several short words {n}" for n in range(30)]), spec=bare) is None


def test_a_wide_title_is_shrunk_to_its_floor():
    found = mended(probe(texts=[text("A title", "title", 400, 1700, 3_100)]))
    assert (found.rungs, found.recipe.options) == (["title"], {"TITLE_SIZE": 10})
    assert mended(probe(texts=[text("A title", "title", 400, 1700, 9_000)])).recipe.options == {"TITLE_SIZE": 8}
    smallest = RECIPE.with_(options={"TITLE_SIZE": 8})
    assert mended(probe(texts=[text("A title", "title", 400, 1700, 9_000)]), smallest) is None


def test_margins_grow_by_what_was_measured():
    found = mended(probe(texts=[text("Label", "ylabel", -40, 800), text("note", "annotation", 3_150, 800, 100)]))
    left, bottom, right, top = found.recipe.options["MARGINS"]
    assert found.rungs == ["margins"]
    assert left >= 0.02 + 40 / 3200
    assert right >= 0.02 + 50 / 3200
    assert (bottom, top) == (0.02, 0.02)
    assert found.changes == ["The margin is wider at the left and right, so that no text is cut off."]


def test_several_rungs_may_be_taken_in_one_round():
    measured = labelled([f"several short words {n}" for n in range(8)])
    measured["texts"].append(text("Label", "ylabel", -40, 800))
    assert mended(measured).rungs == ["wrap", "margins"]


def test_options_set_before_stay():
    found = mended(
        labelled([f"several short words {n}" for n in range(8)]), RECIPE.with_(options={"VALUE_SCALE": "log"})
    )
    assert found.recipe.options == {"VALUE_SCALE": "log", "LABEL_WRAP": 12}


def test_labels_at_45_degrees_as_planned_do_not_overlap():
    names = [f"Verwaltungsbezirk{n:02}" for n in range(26)]
    pitch = WIDTH / len(names)
    found = mended(labelled(names))
    assert found.recipe.options["LABEL_ROTATION"] == 45
    assert pitch * math.sin(math.radians(45)) > LINE
