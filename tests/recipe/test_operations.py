"""What a person asks for changes the recipe, is said back, or is refused with the way out."""

import pytest

from agents_app.catalogue import catalogue
from agents_app.recipe import build, operations
from agents_app.refusals import Invalid
from anyplot_site import bounds

from .columns import column

BAR = ("bar-basic", {"category": "region", "value": "revenue"}, [column("region", "category"), column("revenue")])
SCATTER = ("scatter-basic", {"x": "a", "y": "b"}, [column("a"), column("b", min=-3)])
LINE = ("line-timeseries", {"date": "day", "value": "v"}, [column("day", "date", min="2020-01-01"), column("v")])
BOX = ("box-basic", {"category": "g", "value": "v"}, [column("g", "category"), column("v")])
PIE = ("pie-basic", {"category": "g", "value": "v"}, [column("g", "category"), column("v")])
HIST = ("histogram-basic", {"value": "v"}, [column("v")])
YEARS = ("bar-basic", {"category": "y"}, [column("y", kind="year")])


def apply(plot: tuple, *wishes: dict, **changes: object) -> operations.Applied:
    """The wishes applied to a new plot."""
    spec = catalogue.get_spec(plot[0])
    recipe = build.initial(spec, "matplotlib", plot[1], plot[2], "light").with_(**changes)
    return operations.apply(recipe, list(wishes), spec, plot[2])


def test_a_title_is_set_and_removed():
    applied = apply(BAR, {"op": "set_title", "text": " Revenue 2025 "})
    assert applied.recipe.labels["title"] == "Revenue 2025"
    assert applied.changes == ["Title “Revenue 2025”."]
    assert apply(BAR, {"op": "set_title", "text": ""}).changes == ["No title."]


def test_a_label_goes_to_the_axis_that_is_seen():
    wish = {"op": "set_label", "axis": "y", "text": "Region"}
    assert apply(BAR, wish).recipe.labels == {"y": "Region"}
    # Lying down, the picture's y axis is the upright plot's x axis.
    assert apply(BAR, wish, options={"HORIZONTAL": True}).recipe.labels == {"x": "Region"}


def test_a_scale_is_set_and_remembered_as_asked():
    applied = apply(BAR, {"op": "set_scale", "axis": "y", "scale": "log"})
    assert applied.recipe.options == {"VALUE_SCALE": "log"}
    assert applied.recipe.asked == ("VALUE_SCALE",)
    assert applied.changes == ["Y axis on a logarithmic scale."]


def test_sorting_by_value_or_category_or_column():
    assert apply(BAR, {"op": "sort", "by": "value"}).changes == ["Sorted by value, largest first."]
    assert apply(BAR, {"op": "sort", "by": "revenue", "order": "asc"}).changes == ["Sorted by value, smallest first."]
    assert apply(BAR, {"op": "sort", "by": "region"}).changes == ["Sorted by region, A to Z."]
    assert apply(YEARS, {"op": "sort", "by": "category", "order": "desc"}).changes == ["Sorted by y, largest first."]
    assert apply(BOX, {"op": "sort"}).changes == ["Sorted by the median of the value, largest first."]


def test_a_second_sort_takes_the_place_of_the_first_and_stays_before_the_limit():
    applied = apply(BAR, {"op": "limit", "n": 3, "others": True}, {"op": "sort", "by": "category"})
    assert [step["kind"] for step in applied.recipe.transforms] == ["drop_missing", "aggregate", "sort", "limit"]
    assert applied.recipe.transforms[2]["by"] == "category"


def test_a_second_limit_takes_the_place_of_the_first():
    applied = apply(BAR, {"op": "limit", "n": 3}, {"op": "limit", "n": 5, "side": "bottom"})
    limits = [step for step in applied.recipe.transforms if step["kind"] == "limit"]
    assert [(step["n"], step["side"]) for step in limits] == [(5, "bottom")]
    assert applied.changes[-1] == "Only the 5 smallest by value, the rest left out."


def test_the_theme_is_the_recipes():
    applied = apply(BAR, {"op": "theme", "value": "dark"})
    assert applied.recipe.theme == "dark"
    assert applied.changes == ["Dark theme."]


@pytest.mark.parametrize(
    ("plot", "wish", "place", "reason", "way_out"),
    [
        (BAR, {"op": "set_scale", "axis": "x", "scale": "log"}, ".axis", "categories of region", "y axis can"),
        (LINE, {"op": "set_scale", "axis": "x", "scale": "log"}, ".axis", "shows dates (day)", "y axis can"),
        (PIE, {"op": "set_scale", "axis": "y", "scale": "log"}, ".axis", "no y axis", ""),
        (SCATTER, {"op": "set_scale", "axis": "y", "scale": "log"}, ".scale", "down to -3", "symlog"),
        (HIST, {"op": "set_scale", "axis": "x", "scale": "symlog"}, ".scale", "linear or log", ""),
        (SCATTER, {"op": "sort"}, ".op", "can't be sorted", "bar chart can"),
        (LINE, {"op": "limit", "n": 3}, ".op", "order of time", "bar chart can"),
        (BAR, {"op": "sort", "by": "units"}, ".by", "“units” is not shown", "category (region)"),
        (BAR, {"op": "limit", "n": 3, "by": "category"}, ".by", "by value", "leave “by” out"),
        (PIE, {"op": "set_label", "axis": "x", "text": "a"}, ".axis", "no x axis", "Set the title"),
        (SCATTER, {"op": "set_label", "axis": "legend", "text": "a"}, ".axis", "no column", "Choose one"),
    ],
)
def test_what_a_plot_can_not_do_is_refused_with_the_reason_and_the_way_out(plot, wish, place, reason, way_out):
    with pytest.raises(Invalid) as refused:
        apply(plot, {"op": "theme", "value": "dark"}, wish)
    assert refused.value.detail.startswith(f"operations[1]{place}: ")
    assert reason in refused.value.detail
    assert way_out in refused.value.detail


def test_a_log_axis_of_counts_is_fine():
    assert apply(HIST, {"op": "set_scale", "axis": "y", "scale": "log"}).recipe.options == {"Y_SCALE": "log"}
    assert apply(YEARS, {"op": "set_scale", "axis": "y", "scale": "log"}).recipe.options == {"VALUE_SCALE": "log"}


@pytest.mark.parametrize(
    ("wish", "start"),
    [
        ({"op": "explode"}, "operations[0].op: 'explode' is not an operation"),
        ({"op": ["sort"]}, "operations[0].op: ['sort'] is not an operation"),
        ({}, "operations[0].op: None is not an operation"),
        ("sort", "operations[0]: an object"),
        ({"op": "set_title"}, "operations[0].text: set_title needs it"),
        ({"op": "set_title", "text": 5}, "operations[0].text: a text is expected"),
        ({"op": "set_title", "text": "x" * 301}, "operations[0].text: 301 characters; at most 300"),
        ({"op": "set_label", "axis": "z", "text": ""}, "operations[0].axis: 'z' is not one of x, y"),
        ({"op": "limit", "n": 0}, "operations[0].n: 0 is too small"),
        ({"op": "limit", "n": True}, "operations[0].n: a whole number"),
        ({"op": "limit", "n": 2, "others": 1}, "operations[0].others: true or false"),
        ({"op": "sort", "order": "up"}, "operations[0].order: 'up' is not one of asc, desc"),
        ({"op": "theme", "value": "dark", "now": True}, "operations[0].now: theme has no such field"),
    ],
)
def test_a_malformed_operation_names_its_place(wish, start):
    with pytest.raises(Invalid) as refused:
        operations.validate([wish])
    assert refused.value.detail.startswith(start)


def test_too_many_operations_are_refused():
    with pytest.raises(Invalid, match=f"at most {bounds.OPERATIONS}"):
        operations.validate([{"op": "sort"}] * (bounds.OPERATIONS + 1))
    with pytest.raises(Invalid, match="a list is expected"):
        operations.validate({"op": "sort"})


def test_validation_fills_in_what_was_left_out():
    assert operations.validate([{"op": "limit", "n": 4}]) == [
        {"op": "limit", "n": 4, "side": "top", "by": "value", "others": False}
    ]
