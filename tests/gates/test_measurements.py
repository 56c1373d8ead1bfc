"""Measurements come out of the sandbox: whatever they hold, reading them never raises."""

import copy

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from agents_app import gates
from agents_app.gates import measurements, picture
from agents_app.gates.evidence import Evidence
from agents_app.recipe.recipe import Recipe
from renderer_app.contract import RenderResult
from tests.gates.figures import BARS, Values, png, probe, text

SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
PICTURE = png(boxes=[(800, 400, 2600, 1200)])
DECODED = picture.decode(PICTURE, "light")
FRAME = pd.DataFrame({"category": ["a", "b", "c"], "value": [1.0, 2.0, 3.0]})
ROWS = {"total": 3, "used": 3, "dropped": 0, "reasons": []}
LEGEND = {"axes": 0, "title": "Group", "entries": ["a", "b"], "count": 2, "bbox": [0, 0, 10, 10]}
HONEST = probe(texts=[text("x", "title", 0, 0), text("y", "xtick", 0, 0)], legends=[LEGEND])


def places(value, path=()):
    """Every place in a JSON value, as the keys that lead there."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def forged(path, lie):
    """The honest measurements with a lie at one place."""
    whole = copy.deepcopy(HONEST)
    if not path:
        return lie
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = lie
    return whole


@settings(deadline=None)
@given(JSON)
def test_reading_never_raises(data):
    measurements.read(data)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(list(places(HONEST))), JSON)
def test_judging_forged_measurements_never_raises(path, lie):
    result = RenderResult("light", PICTURE, 3200, 1800, forged(path, lie))
    evidence = Evidence(result, Recipe("hand-made", "matplotlib", {}), BARS, [], prepared=Values(FRAME, ROWS))
    evidence.__dict__["decoded"] = DECODED  # the picture is the same every time
    assert gates.status(gates.judge_evidence(evidence)) in ("ok", "needs_attention")


def test_what_has_not_the_shape_of_a_measurement_is_counted():
    broken = [
        {"text": "x"},
        "no object",
        text("x", "title", 0, 0) | {"quad": [[0, 0], [1, float("nan")], [1, 1], [0, 1]]},
    ]
    figure = measurements.read(probe(texts=[*broken, text("fine", "title", 0, 0)]))
    assert [found.text for found in figure.texts] == ["fine"]
    assert figure.malformed == 3


def test_lists_without_end_are_cut():
    figure = measurements.read(probe(texts=[text("x", "title", 0, 0)] * 6_000))
    assert len(figure.texts) == measurements.ITEMS
    assert figure.malformed == 1_000


def test_without_a_canvas_there_are_no_measurements():
    assert measurements.read({"axes": []}) is None
    assert measurements.read({"canvas": {"width": 10**400, "height": 3}}) is None
    assert measurements.read("text") is None
