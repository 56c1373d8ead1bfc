"""G3 and G4 on measured boxes, and the sentences that they make of them."""

import math

import pytest

from agents_app.gates.texts import inside_canvas, no_overlap
from tests.gates.figures import probe, text


def judged(gate, evidence, *texts):
    return gate(evidence(probe=probe(texts=list(texts))))


def ticks(count, pitch, width=100, role="xtick", **more):
    return [text(f"name {number}", role, 400 + number * pitch, 240, width, **more) for number in range(count)]


def turned(content, role, x, y, width, height, degrees):
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = ((0, 0), (width, 0), (width, height), (0, height))
    found = text(content, role, x, y)
    return found | {"quad": [[x + u * cos - v * sin, y + u * sin + v * cos] for u, v in corners], "rotation": degrees}


def test_g3_is_silent_when_every_text_is_inside(evidence):
    verdict = judged(inside_canvas, evidence, text("Title", "title", 0, 1760), text("x", "xlabel", 3100, 0))
    assert verdict.passed


def test_g3_says_which_text_leaves_the_picture_and_by_how_much(evidence):
    verdict = judged(inside_canvas, evidence, text("A title", "title", 2500, 1700, 734))
    assert not verdict.passed
    assert (verdict.measured, verdict.limit) == (1, 0)
    assert verdict.text == "The title reaches 34 px beyond the right edge."
    assert verdict.details == {"sides": {"right": 34}, "roles": {"title": {"right": 34}}}


def test_g3_counts_labels_of_an_axis_together(evidence):
    below = [text(f"name {n}", "xtick", 400 + n * 200, -30 if n < 3 else 10) for n in range(14)]
    verdict = judged(inside_canvas, evidence, *below)
    assert verdict.text == "3 of 14 labels on the x axis reach 30 px beyond the bottom edge."


@pytest.mark.parametrize(
    ("x", "y", "side"), [(-20, 800, "left"), (3150, 800, "right"), (900, -9, "bottom"), (900, 1770, "top")]
)
def test_g3_knows_the_side(evidence, x, y, side):
    verdict = judged(inside_canvas, evidence, text("note", "annotation", x, y))
    assert list(verdict.details["sides"]) == [side]


def test_g3_measures_turned_boxes(evidence):
    # Level it would reach to 3250; upright it stays inside.
    assert not judged(inside_canvas, evidence, text("note", "annotation", 2950, 800, 300)).passed
    assert judged(inside_canvas, evidence, turned("note", "annotation", 3000, 800, 300, 40, 90)).passed


def test_g4_is_silent_on_labels_that_only_touch(evidence):
    assert judged(no_overlap, evidence, *ticks(14, 100)).passed


def test_g4_counts_the_labels_that_overlap(evidence):
    labels = [*ticks(11, 200), *[text(f"late {n}", "xtick", 2700 + n * 90, 240) for n in range(3)]]
    verdict = judged(no_overlap, evidence, *labels)
    assert not verdict.passed
    assert verdict.text == "3 of 14 labels on the x axis overlap."
    assert verdict.measured == 3
    assert verdict.details["roles"]["xtick"] == {"count": 3, "of": 14, "depth": 10}


def test_g4_names_two_different_texts(evidence):
    verdict = judged(no_overlap, evidence, text("T", "title", 400, 1700), text("L", "legend", 450, 1710))
    assert verdict.text == "The legend overlaps the title by 30 px."


def test_g4_is_silent_on_slanted_labels_whose_upright_boxes_cross(evidence):
    slanted = [turned(f"name {n}", "xtick", 400 + n * 70, 100, 300, 40, 45) for n in range(10)]
    assert judged(no_overlap, evidence, *slanted).passed


def test_g4_fires_on_slanted_labels_too_near_to_each_other(evidence):
    slanted = [turned(f"name {n}", "xtick", 400 + n * 50, 100, 300, 40, 45) for n in range(10)]
    assert judged(no_overlap, evidence, *slanted).measured == 10


def test_g4_says_at_least_when_there_is_too_much_to_compare(evidence):
    verdict = judged(no_overlap, evidence, *[text("x", "annotation", 900, 900) for _ in range(300)])
    assert verdict.text.startswith("At least")


def test_without_measurements_texts_are_not_judged(evidence):
    assert inside_canvas(evidence(probe=None)) is None
    assert no_overlap(evidence(probe=None)) is None
