"""Titles and labels say what is shown, in the words of the person's columns (design decision 10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.catalogue import catalogue
from agents_app.recipe import build, labels
from agents_app.recipe.recipe import Recipe

from .columns import column


def texts(spec: str, bindings: dict, *columns: dict, **changes: object) -> dict[str, str]:
    """The texts of a new plot, with some fields of its recipe changed."""
    found = catalogue.get_spec(spec)
    recipe = build.initial(found, "matplotlib", bindings, list(columns), "light").with_(**changes)
    return labels.axis_texts(recipe, found, list(columns))


def test_a_scatter_is_called_by_its_two_columns():
    found = texts(
        "scatter-basic",
        {"x": "bill_length_mm", "y": "bill_depth_mm"},
        column("bill_length_mm"),
        column("bill_depth_mm"),
    )
    assert found == {
        "title": "bill_depth_mm by bill_length_mm",
        "x": "bill_length_mm",
        "y": "bill_depth_mm",
        "legend": "",
        "size": "",
    }


@pytest.mark.parametrize(
    ("name", "unit", "label", "bare"),
    [
        ("Revenue", "€", "Revenue (€)", "Revenue"),
        ("Erzeugung (GWh)", "GWh", "Erzeugung (GWh)", "Erzeugung"),
        ("mass_g", "g", "mass_g", "mass_g"),
        ("Speed [kn]", "kn", "Speed [kn]", "Speed [kn]"),
        ("Rate", None, "Rate", "Rate"),
        ("(mm)", "mm", "(mm)", "(mm)"),
    ],
)
def test_a_unit_is_said_once_and_not_in_the_title(name, unit, label, bare):
    columns = [column(name, unit=unit)]
    assert labels.column_text(name, columns) == label
    assert labels.column_text(name, columns, units=False) == bare


def test_sums_means_and_counts_are_called_so():
    c, v = column("region", "category"), column("revenue", unit="€")
    assert texts("bar-basic", {"category": "region", "value": "revenue"}, c, v)["y"] == "Sum of revenue (€)"
    assert texts("bar-basic", {"category": "region"}, c)["title"] == "Number of rows by region"
    d = column("day", "date")
    assert texts("line-timeseries", {"date": "day", "value": "revenue"}, d, v)["title"] == "Mean revenue by day"
    assert texts("histogram-basic", {"value": "revenue"}, v)["y"] == "Number of rows"


def test_one_row_a_category_needs_no_sum():
    c, v = column("region", "category"), column("revenue")
    idle = ({"kind": "aggregate", "by": ["category"], "role": "value", "func": "sum", "idle": True},)
    found = texts("bar-basic", {"category": "region", "value": "revenue"}, c, v, transforms=idle)
    assert (found["title"], found["y"]) == ("revenue by region", "revenue")


def test_a_plot_that_lies_swaps_its_axes_and_set_labels_go_along():
    c, v = column("region", "category"), column("revenue")
    found = texts(
        "bar-basic",
        {"category": "region", "value": "revenue"},
        c,
        v,
        options={"HORIZONTAL": True},
        labels={"y": "Money", "title": ""},
    )
    assert (found["x"], found["y"], found["title"]) == ("Money", "region", "")


def test_a_pie_has_no_axes():
    found = texts("pie-basic", {"category": "region", "value": "share"}, column("region", "category"), column("share"))
    assert (found["x"], found["y"], found["legend"]) == ("", "", "")


def test_the_legend_is_called_by_the_color_column_only_when_bound():
    a, b, g = column("a"), column("b"), column("g", "category")
    assert texts("scatter-basic", {"x": "a", "y": "b", "category": "g"}, a, b, g)["legend"] == "g"
    assert texts("scatter-basic", {"x": "a", "y": "b"}, a, b, g, labels={"legend": "Group"})["legend"] == ""


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_column_name_stands_in_the_title_as_it_is(x, y):
    spec = catalogue.get_spec("scatter-basic")
    recipe = Recipe("scatter-basic", "matplotlib", {"x": x, "y": y})
    assert labels.title_text(recipe, spec, []) == f"{y} by {x}"


def test_a_plot_without_a_pattern_is_called_by_its_roles():
    from dataclasses import replace

    spec = replace(catalogue.get_spec("scatter-basic"), title_pattern="")
    recipe = Recipe("scatter-basic", "matplotlib", {"x": "a", "y": "b"})
    assert labels.title_text(recipe, spec, []) == "b by a"
