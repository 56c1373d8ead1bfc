"""The separating axis test, held against what geometry must be true of."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents_app.gates import overlap
from anyplot_site import bounds

COORDINATE = st.floats(-1_000, 1_000)
LENGTH = st.floats(1, 500)
ANGLE = st.floats(0, 360)


def turned(x, y, width, height, degrees):
    """A rectangle around its centre (x, y)."""
    angle = math.radians(degrees)
    corners = ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((x + u * cos - v * sin, y + u * sin + v * cos) for u, v in corners)


RECTANGLE = st.builds(turned, COORDINATE, COORDINATE, LENGTH, LENGTH, ANGLE)


@settings(deadline=None)
@given(RECTANGLE, RECTANGLE)
def test_overlap_is_mutual(one, two):
    assert overlap.depth(one, two) == pytest.approx(overlap.depth(two, one))


@settings(deadline=None)
@given(COORDINATE, COORDINATE, LENGTH, LENGTH, ANGLE)
def test_a_box_overlaps_itself_by_its_shorter_side(x, y, width, height, degrees):
    box = turned(x, y, width, height, degrees)
    assert overlap.depth(box, box) == pytest.approx(min(width, height), rel=1e-6)


@settings(deadline=None)
@given(RECTANGLE, RECTANGLE, ANGLE, COORDINATE, COORDINATE)
def test_turning_and_moving_both_changes_nothing(one, two, degrees, x, y):
    def moved(quad):
        angle = math.radians(degrees)
        cos, sin = math.cos(angle), math.sin(angle)
        return tuple((u * cos - v * sin + x, u * sin + v * cos + y) for u, v in quad)

    assert overlap.depth(moved(one), moved(two)) == pytest.approx(overlap.depth(one, two), abs=1e-6)


@settings(deadline=None)
@given(RECTANGLE, RECTANGLE)
def test_boxes_that_share_a_corner_or_centre_are_found(one, two):
    def centre(quad):
        return sum(p[0] for p in quad) / 4, sum(p[1] for p in quad) / 4

    (x1, y1), (x2, y2) = centre(one), centre(two)
    onto = tuple((x - x2 + x1, y - y2 + y1) for x, y in two)
    assert overlap.depth(one, onto) > 0


@settings(deadline=None)
@given(RECTANGLE, RECTANGLE)
def test_boxes_whose_upright_hulls_are_apart_do_not_overlap(one, two):
    a, b = overlap.box(one), overlap.box(two)
    if a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]:
        assert overlap.depth(one, two) == 0


@settings(deadline=None)
@given(st.floats(0, 180), st.floats(0.5, 50))
def test_boxes_side_by_side_along_their_own_direction_do_not_overlap(degrees, gap):
    angle = math.radians(degrees)
    one = turned(0, 0, 100, 20, degrees)
    x, y = -math.sin(angle) * (20 + gap), math.cos(angle) * (20 + gap)
    two = turned(x, y, 100, 20, degrees)
    assert overlap.depth(one, two) == 0


def test_slanted_labels_whose_upright_hulls_cross_are_apart():
    one, two = turned(0, 0, 300, 30, 45), turned(60, 0, 300, 30, 45)
    assert overlap.box(one)[2] > overlap.box(two)[0]
    assert overlap.depth(one, two) == 0


def test_a_text_of_no_width_overlaps_nothing_it_only_touches():
    flat = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    assert overlap.depth(flat, turned(50, 50, 20, 20, 0)) == 0


@settings(deadline=None)
@given(st.lists(RECTANGLE, max_size=25))
def test_the_sweep_finds_what_comparing_all_pairs_finds(quads):
    found, complete = overlap.pairs(quads, 2.0)
    expected = {(i, j) for j in range(len(quads)) for i in range(j) if overlap.depth(quads[i], quads[j]) > 2.0}
    assert complete
    assert {(i, j) for i, j, _ in found} == expected


def test_everything_in_one_place_stops_at_the_bound():
    found, complete = overlap.pairs([turned(0, 0, 100, 20, 0)] * 400, 2.0)
    assert not complete
    assert len(found) == bounds.GATE_PAIRS
