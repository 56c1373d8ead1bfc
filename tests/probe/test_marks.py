"""Values are read back from the artists of both libraries as they stand in the data."""

import numpy as np
import pandas as pd
import pytest
import seaborn as sns

RNG = np.random.default_rng(42)
TABLE = pd.DataFrame(
    {
        "x": [1.0, 2.0, 3.0, 4.0, np.nan, 6.0],
        "y": [2.0, 4.0, 1.0, 8.0, 5.0, 7.0],
        "group": ["a", "b", "a", "b", "a", "b"],
    }
)
SAMPLES = pd.DataFrame({"group": np.repeat(["a", "b", "c"], 40), "value": RNG.normal(size=120) * 3})


def kinds(drawn):
    return [mark["kind"] for mark in drawn.marks]


def test_matplotlib_points_are_read_back_without_the_missing(draw):
    drawn = draw(lambda figure, axes: axes.scatter(TABLE.x, TABLE.y))
    (mark,) = drawn.marks
    assert (mark["kind"], mark["count"], mark["inside"]) == ("points", 5, 5)
    assert mark["values"]["x"] == [1, 2, 3, 4, None, 6]
    assert drawn.probe["marks_total"] == 5


def test_seaborn_points_keep_their_groups_colors(draw):
    drawn = draw(
        lambda figure, axes: sns.scatterplot(TABLE, x="x", y="y", hue="group", palette=["#009E73", "#C475FD"], ax=axes)
    )
    (mark,) = drawn.marks
    assert mark["colors"] == ["#009E73", "#C475FD"]
    assert mark["values"]["color"] == [0, 1, 0, 1, 1] or mark["values"]["color"] == [0, 1, 0, 1, 0, 1]
    assert drawn.probe["legends"][0]["entries"] == ["a", "b"]


def test_points_outside_the_view_are_counted_apart(draw):
    def narrowed(figure, axes):
        axes.scatter(TABLE.x, TABLE.y)
        axes.set_xlim(0, 3.5)

    (mark,) = draw(narrowed).marks
    assert (mark["count"], mark["inside"]) == (5, 3)


@pytest.mark.parametrize("horizontal", [False, True])
@pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
def test_bars_are_read_back_upright_and_lying(draw, library, horizontal):
    def bars(figure, axes):
        names, values = ["a", "b", "c"], [3.0, -1.5, 0.0]
        if library == "seaborn":
            sns.barplot(x=values if horizontal else names, y=names if horizontal else values, ax=axes)
        else:
            (axes.barh if horizontal else axes.bar)(names, values)

    marks = [mark for mark in draw(bars).marks if mark["kind"] == "bars"]
    length = "width" if horizontal else "height"
    assert [value for mark in marks for value in mark["values"][length]] == [3, -1.5, 0]
    assert sum(mark["inside"] for mark in marks) == 3
    assert {mark["orientation"] for mark in marks} == {"horizontal" if horizontal else "vertical"}


def test_a_histogram_counts_every_value(draw):
    for function in (
        lambda figure, axes: axes.hist(SAMPLES.value, bins=12),
        lambda figure, axes: sns.histplot(SAMPLES, x="value", bins=12, ax=axes),
    ):
        (mark,) = draw(function).marks
        assert (mark["kind"], mark["count"]) == ("bars", 12)
        assert sum(mark["values"]["height"]) == 120


@pytest.mark.parametrize("horizontal", [False, True])
@pytest.mark.parametrize("way", ["matplotlib faces", "matplotlib lines", "seaborn", "notched"])
def test_boxes_are_read_back_as_quartiles(draw, way, horizontal):
    def boxes(figure, axes):
        orientation = "horizontal" if horizontal else "vertical"
        if way == "seaborn":
            x, y = ("value", "group") if horizontal else ("group", "value")
            sns.boxplot(SAMPLES, x=x, y=y, ax=axes)
            return
        groups = [SAMPLES.value[SAMPLES.group == name] for name in "abc"]
        axes.boxplot(groups, orientation=orientation, patch_artist=way != "matplotlib lines", notch=way == "notched")

    (mark,) = draw(boxes).marks
    assert (mark["kind"], mark["count"]) == ("boxes", 3)
    assert mark["orientation"] == ("horizontal" if horizontal else "vertical")
    expected = SAMPLES.groupby("group").value.quantile([0.25, 0.5, 0.75]).unstack()
    np.testing.assert_allclose(mark["values"]["median"], expected[0.5])
    if way != "notched":  # a notch may reach beyond the box
        np.testing.assert_allclose(mark["values"]["q1"], expected[0.25])
        np.testing.assert_allclose(mark["values"]["q3"], expected[0.75])
    assert len(mark["values"]["outliers"]) == 3


def test_a_group_whose_values_are_all_equal_still_has_a_box(draw):
    drawn = draw(lambda figure, axes: axes.boxplot([[1, 1, 1], [1, 2, 3]], patch_artist=True))
    (mark,) = drawn.marks
    assert mark["values"]["median"] == [1, 2]
    assert mark["values"]["low"] == [1, 1]


def test_wedges_are_shares_of_the_whole(draw):
    drawn = draw(lambda figure, axes: axes.pie([1, 2, 5], labels=["a", "b", "c"], counterclock=False))
    (mark,) = drawn.marks
    np.testing.assert_allclose(mark["values"]["share"], [0.125, 0.25, 0.625], atol=1e-6)
    assert mark["labels"] == ["a", "b", "c"]


def test_lines_are_read_back_with_dates_as_day_numbers(draw):
    days = pd.date_range("2024-03-01", periods=5)
    drawn = draw(lambda figure, axes: axes.plot(days, [1, 2, 3, 2, 1], label="series"))
    (mark,) = drawn.marks
    assert (mark["kind"], mark["label"], mark["count"]) == ("line", "series", 1)
    assert mark["values"]["x"][0] == (days[0] - pd.Timestamp(1970, 1, 1)).days
    assert drawn.probe["axes"][0]["xunits"] == "date"


def test_reference_lines_and_bands_are_no_data(draw):
    def decorated(figure, axes):
        axes.axhline(1)
        axes.axvspan(0, 1)
        axes.axvline(0.5)

    drawn = draw(decorated)
    assert kinds(drawn) == ["reference"]
    assert drawn.probe["marks_total"] == 0


def test_a_marker_without_a_line_is_a_point_and_an_empty_line_is_nothing(draw):
    def plotted(figure, axes):
        axes.plot([1, 2], [3, 4], "o")
        axes.plot([], [])
        axes.plot([1, 2], [3, 4], linestyle="none")

    (mark,) = draw(plotted).marks
    assert (mark["kind"], mark["count"]) == ("points", 2)


def test_other_kinds_of_marks_are_counted(draw):
    def many(figure, axes):
        axes.fill_between([0, 1, 2], [1, 2, 1])
        axes.imshow([[1, 2], [3, 4]])
        axes.vlines([1, 2], 0, 1)
        axes.pcolormesh([[1.0, 2.0], [3.0, np.nan]])
        axes.fill([0, 1, 1], [0, 0, 1])

    drawn = draw(many)
    assert sorted(kinds(drawn)) == ["image", "mesh", "polygons", "polygons", "segments"]
    assert drawn.probe["unmeasured"] == 0


def test_many_values_are_cut_and_summed_up(draw):
    x = np.arange(50_000) / 7
    drawn = draw(lambda figure, axes: axes.scatter(x, -x))
    (mark,) = drawn.marks
    assert (mark["values"], mark["cut"], mark["count"]) == ({}, 50_000, 50_000)
    assert mark["summary"]["y"]["min"] == pytest.approx(-x.max())
    assert mark["summary"]["x"]["sum"] == pytest.approx(x.sum())


def test_a_log_axis_hides_what_is_not_positive(draw):
    def logged(figure, axes):
        axes.scatter([1, 2, 3, 4], [-1, 0, 10, 100])
        axes.set_yscale("log")

    (mark,) = draw(logged).marks
    assert mark["inside"] == 2
