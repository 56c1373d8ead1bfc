"""G2: what is drawn equals the recipe's aggregate, and every row is accounted for."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from agents_app.catalogue.spec import Order, Role
from agents_app.gates.faithful import shows_the_data
from agents_app.recipe.recipe import Recipe
from tests.gates.figures import BARS, Values, bars, probe

ROWS = {"total": 3, "used": 3, "dropped": 0, "reasons": []}
FRAME = pd.DataFrame({"category": ["a", "b", "c"], "value": [1.0, 2.0, 3.0]})
SCATTER = replace(
    BARS, roles=(Role("x", ("numeric",)), Role("y", ("numeric",))), grain=(), axes={"x": "x", "y": "y"}, options=()
)
HISTOGRAM = replace(SCATTER, roles=(Role("value", ("numeric",)),), axes={"x": "value", "y": "count"})
BOXES = replace(BARS, grain=(), order=Order("category", "value", "median"))
PIE = replace(BARS, axes={}, options=())


@pytest.fixture
def judged(evidence):
    def judge(marks, frame=FRAME, spec=BARS, rows=ROWS, axes=None, recipe=None):
        given = {"recipe": recipe} if recipe else {}
        return shows_the_data(
            evidence(probe=probe(marks=marks, axes=axes or {}), spec=spec, prepared=Values(frame, rows), **given)
        )

    return judge


def ticks(*texts):
    return {"xticks": [{"at": float(at), "text": text} for at, text in enumerate(texts)]}


def test_bars_that_equal_the_data_are_faithful(judged):
    verdict = judged([bars([1.0, 2.0, 3.0])], axes=ticks("a", "b", "c"))
    assert verdict.passed
    assert verdict.text == "All 3 bars were read back from the plot and equal your data."


def test_a_bar_of_another_length_is_found(judged):
    verdict = judged([bars([1.0, 2.5, 3.0])])
    assert verdict.text == "1 of 3 bars differ from your data."
    assert (verdict.measured, verdict.limit) == (1, 0)


def test_a_missing_bar_is_found(judged):
    assert judged([bars([1.0, 2.0])]).text == "2 bars are drawn; your data has 3."


def test_bars_above_the_wrong_names_are_found(judged):
    verdict = judged([bars([1.0, 2.0, 3.0])], axes=ticks("b", "a", "c"))
    assert verdict.text == "2 of 3 bars stand at another category's label."


def test_lying_bars_are_compared_by_their_width(judged):
    lying = bars([1.0, 2.0, 3.0])
    values = lying["values"]
    lying["values"] = {"x": values["y"], "y": values["x"], "width": values["height"], "height": values["width"]}
    recipe = Recipe("hand-made", "matplotlib", {"category": "c", "value": "v"}, options={"HORIZONTAL": True})
    yticks = {"yticks": ticks("a", "b", "c")["xticks"]}
    assert judged([lying], axes=yticks, recipe=recipe).passed
    assert not judged([lying], axes={"yticks": ticks("c", "b", "a")["xticks"]}, recipe=recipe).passed


def test_rounding_is_no_difference(judged):
    assert judged([bars([1.0, 2.0 + 1e-10, 3.0 - 1e-10])]).passed


def test_rows_that_are_neither_drawn_nor_counted_are_named(judged):
    verdict = judged([bars([1.0, 2.0, 3.0])], rows={"total": 10, "used": 3, "dropped": 2, "reasons": []})
    assert verdict.text == "5 rows are neither drawn nor counted as left out."


def test_marks_outside_the_view_are_counted_unless_the_scale_was_asked_for(judged):
    hidden = [bars([1.0, 2.0, 3.0], inside=2)]
    assert judged(hidden).text == "1 of 3 bars lie outside the visible range."
    recipe = Recipe("hand-made", "matplotlib", {"category": "c", "value": "v"}, asked=("VALUE_SCALE",))
    asked = judged(hidden, recipe=recipe)
    assert asked.asked
    assert not asked.blocks


def points(x, y, kind="points", **more):
    column = {"x": list(x), "y": list(y)}
    return {"kind": kind, "count": len(column["x"]), "inside": len(column["x"]), "values": column, **more}


XY = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0]})


def test_points_are_compared_as_pairs_in_any_order(judged):
    assert judged([points([3, 1], [6, 4]), points([2], [5])], XY, SCATTER).passed
    # The same numbers on each axis, put together otherwise.
    assert judged([points([1, 2, 3], [5, 4, 6])], XY, SCATTER).measured == 2
    assert judged([points([1, 2], [4, 5])], XY, SCATTER).text == "2 points are drawn; your data has 3."


def test_a_trend_line_beside_the_points_is_no_data(judged):
    assert judged([points([1, 2, 3], [4, 5, 6]), points([0, 9], [0, 9], "line", count=1)], XY, SCATTER).passed


def test_cut_values_are_compared_by_their_sums(judged):
    def summed(total):
        summary = {
            "x": {"count": 3, "min": 1, "max": 3, "sum": 6},
            "y": {"count": 3, "min": 4, "max": 6, "sum": total},
        }
        return {"kind": "points", "count": 3, "inside": 3, "values": {}, "cut": 3, "summary": summary}

    assert judged([summed(15)], XY, SCATTER).passed
    assert not judged([summed(16)], XY, SCATTER).passed


def test_dates_are_compared_as_day_numbers(judged):
    days = pd.date_range("2024-01-01", periods=3)
    frame = pd.DataFrame({"x": days, "y": [1.0, 2.0, 3.0]})
    first = (days[0] - pd.Timestamp(1970, 1, 1)).days
    assert judged([points([first, first + 1, first + 2], [1, 2, 3], "line")], frame, SCATTER).passed
    assert not judged([points([first, first + 1, first + 3], [1, 2, 3], "line")], frame, SCATTER).passed


def histogram(edges, heights):
    columns = {"x": edges[:-1], "width": list(np.diff(edges)), "height": heights, "y": [0.0] * len(heights)}
    return {"kind": "bars", "count": len(heights), "inside": len(heights), "values": columns}


def test_the_bars_of_a_histogram_count_what_their_range_holds(judged):
    frame = pd.DataFrame({"value": [0.5, 1.0, 1.5, 2.5]})
    assert judged([histogram([0.0, 1.0, 2.0, 3.0], [1, 2, 1])], frame, HISTOGRAM).passed
    assert judged([histogram([0.0, 1.0, 2.0, 3.0], [2, 1, 1])], frame, HISTOGRAM).passed  # an edge belongs to either
    assert not judged([histogram([0.0, 1.0, 2.0, 3.0], [1, 1, 2])], frame, HISTOGRAM).passed
    verdict = judged([histogram([0.0, 1.0, 2.0], [1, 2])], frame, HISTOGRAM)
    assert verdict.text == "The bars count 3 rows; your data has 4."


def test_wedges_are_shares_of_the_sum(judged):
    def wedges(*shares):
        return {"kind": "wedges", "count": len(shares), "inside": len(shares), "values": {"share": list(shares)}}

    assert judged([wedges(1 / 6, 2 / 6, 3 / 6)], FRAME, PIE).passed
    assert judged([wedges(1 / 6, 1 / 6, 4 / 6)], FRAME, PIE).text == "2 of 3 parts differ from your data."


def test_boxes_are_the_quartiles_of_their_groups(judged):
    values = np.array([1.0, 2, 3, 4, 5, 40, 10, 11, 12, 13])
    frame = pd.DataFrame({"category": ["a"] * 6 + ["b"] * 4, "value": values})
    q = [np.percentile(values[:6], (25, 50, 75)), np.percentile(values[6:], (25, 50, 75))]

    def boxes(medians, order=(0, 1)):
        columns = {
            "position": [0.0, 1.0],
            "low": [(1.0, 10.0)[n] for n in order],
            "q1": [q[n][0] for n in order],
            "median": [medians[n] for n in order],
            "q3": [q[n][2] for n in order],
            "high": [(5.0, 13.0)[n] for n in order],
            "outliers": [(1.0, 0.0)[n] for n in order],
        }
        return {"kind": "boxes", "count": 2, "inside": 2, "values": columns}

    rows = {"total": 10, "used": 10, "dropped": 0}
    assert judged([boxes((q[0][1], q[1][1]))], frame, BOXES, rows).passed
    assert judged([boxes((q[0][1] + 1, q[1][1]))], frame, BOXES, rows).text == "1 of 2 boxes differ from your data."
    assert judged([boxes((q[0][1], q[1][1]), (1, 0))], frame, BOXES, rows).measured == 2


def test_what_cannot_be_compared_is_not_judged(judged, evidence):
    assert judged([{"kind": "polygons", "count": 1, "inside": 1}]) is None
    assert shows_the_data(evidence()) is None
    assert shows_the_data(evidence(probe=None, prepared=Values(FRAME, ROWS))) is None
