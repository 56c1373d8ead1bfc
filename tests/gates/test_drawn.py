"""G1: something is drawn, and the picture agrees with what the sandbox says."""

import pytest

from agents_app.gates.drawn import something_is_drawn
from tests.gates.figures import bars, png, probe, text

DATA = (800, 400, 2600, 1200)


def test_g1_is_silent_on_a_plot_with_marks(evidence):
    verdict = something_is_drawn(evidence())
    assert verdict.passed
    assert verdict.text.startswith("3 marks drawn")
    assert verdict.measured > verdict.limit


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_g1_fires_when_the_picture_is_blank_whatever_the_measurements_claim(evidence, theme):
    given = evidence(picture=png(theme=theme))
    assert not something_is_drawn(given).passed


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (None, "could not be measured"),
        (probe(marks=[]), "no marks"),
        (probe(marks=[bars([1.0], inside=0)]), "outside the visible range"),
        (probe(marks=[{"kind": "reference", "count": 1, "inside": 1, "reference": True}]), "no marks"),
        (probe() | {"canvas": {"width": 1600, "height": 900}}, "different sizes"),
    ],
    ids=["no probe", "no marks", "outside", "reference lines only", "another size"],
)
def test_g1_fires_on_a_plot_without_visible_marks(evidence, measured, said):
    verdict = something_is_drawn(evidence(probe=measured))
    assert not verdict.passed
    assert said in verdict.text


def test_g1_fires_when_only_texts_have_ink(evidence):
    note = text("note", "annotation", 1000, 800, 400, 100)
    given = evidence(picture=png(boxes=[(1000, 800, 1400, 900), (0, 1700, 3200, 1790)]), probe=probe(texts=[note]))
    verdict = something_is_drawn(given)
    assert not verdict.passed
    assert "bare" in verdict.text


def test_g1_is_silent_on_a_single_small_point(evidence):
    point = {"kind": "points", "count": 1, "inside": 1}
    given = evidence(picture=png(boxes=[(1600, 900, 1620, 920), (0, 1700, 3200, 1790)]), probe=probe(marks=[point]))
    assert something_is_drawn(given).passed


def test_g1_is_silent_on_bars_that_all_stand_for_zero(evidence):
    given = evidence(picture=png(boxes=[(0, 1700, 3200, 1790)]), probe=probe(marks=[bars([0.0, 0.0, 0.0])]))
    assert something_is_drawn(given).passed
