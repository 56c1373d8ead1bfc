"""The first recipe of a plot is what a reader would expect."""

import pytest

from agents_app.catalogue import catalogue
from agents_app.recipe import build
from agents_app.recipe.recipe import Recipe

from .columns import column


def steps(spec: str, bindings: dict, *columns: dict) -> list[dict]:
    """The transforms of a new plot."""
    return list(build.initial(catalogue.get_spec(spec), "matplotlib", bindings, list(columns), "light").transforms)


def kinds(spec: str, bindings: dict, *columns: dict) -> list[str]:
    """Their kinds."""
    return [step["kind"] for step in steps(spec, bindings, *columns)]


def test_bars_are_summed_and_sorted_by_value():
    found = steps("bar-basic", {"category": "c", "value": "v"}, column("c", "category"), column("v"))
    assert found == [
        {"kind": "drop_missing", "roles": ["category", "value"]},
        {"kind": "aggregate", "by": ["category"], "role": "value", "func": "sum"},
        {"kind": "sort", "role": "category", "by": "value", "order": "desc"},
    ]


def test_a_value_left_out_means_count_rows():
    found = steps("bar-basic", {"category": "c"}, column("c", "category"))
    assert {"kind": "count", "by": ["category"], "into": "value"} in found


@pytest.mark.parametrize(
    ("given", "sort"),
    [
        (column("c", "number", kind="year"), {"by": "category", "order": "asc", "numeric": True}),
        (column("c", "date", min="2020-01-01", max="2021-01-01"), {"by": "category", "order": "asc"}),
        (column("c", "category", sample=["Mar", "Jan", "Feb"]), None),
        (column("c", "category", sample=["low", "high", "medium"]), None),
        (column("c", "category", sample=["0-9", "10-19", "65+"]), None),
        (column("c", "category", sample=["red", "blue"]), {"by": "value", "order": "desc"}),
        (column("c", "boolean"), {"by": "value", "order": "desc"}),
    ],
)
def test_categories_with_an_order_of_their_own_keep_it(given, sort):
    found = [step for step in steps("bar-basic", {"category": "c"}, given) if step["kind"] == "sort"]
    assert found == ([{"kind": "sort", "role": "category", **sort}] if sort else [])


def test_lines_average_a_date_and_run_in_time():
    found = kinds("line-timeseries", {"date": "d", "value": "v"}, column("d", "date"), column("v"))
    assert found == ["drop_missing", "parse_date", "aggregate", "sort"]


def test_a_year_as_a_date_is_its_first_day():
    found = steps("line-timeseries", {"date": "y", "value": "v"}, column("y", kind="year"), column("v"))
    assert {"kind": "parse_date", "role": "date", "source": "year"} in found


def test_a_missing_color_is_kept_under_a_name_and_a_missing_place_is_not():
    columns = (column("a"), column("b"), column("g", "category"))
    found = steps("scatter-basic", {"x": "a", "y": "b", "category": "g"}, *columns)
    assert found == [
        {"kind": "drop_missing", "roles": ["x", "y"]},
        {"kind": "fill_missing", "role": "category", "text": "(missing)"},
    ]


def test_more_than_eight_colors_are_folded():
    columns = (column("a"), column("b"), column("g", "category", distinct=9))
    found = steps("scatter-basic", {"x": "a", "y": "b", "category": "g"}, *columns)
    assert {"kind": "fold", "role": "category", "keep": 7} in found


def test_more_than_eight_parts_of_a_whole_are_lumped_by_size():
    columns = (column("g", "category", distinct=9), column("v"))
    found = steps("pie-basic", {"category": "g", "value": "v"}, *columns)
    assert [step["kind"] for step in found] == ["drop_missing", "aggregate", "keep_above", "sort", "limit"]
    assert found[-1]["others"]
    assert found[-1]["n"] == 7


def test_the_colors_of_numbers_stand_in_their_order():
    columns = (column("a"), column("b"), column("y", kind="year"))
    found = steps("scatter-basic", {"x": "a", "y": "b", "category": "y"}, *columns)
    assert found[-1] == {"kind": "sort", "role": "category", "by": "category", "order": "asc", "numeric": True}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (column("c", "date", min="2020-01-01", max="2021-01-01"), "%Y-%m-%d"),
        (column("c", "date", min="2020-01-01T08:00:00", max="2021-01-01"), "%Y-%m-%d %H:%M"),
    ],
)
def test_dates_as_names_have_no_midnight(given, expected):
    found = steps("box-basic", {"category": "c", "value": "v"}, given, column("v"))
    assert {"kind": "as_text", "role": "category", "source": "date", "format": expected} in found


def test_only_bound_roles_are_in_the_recipe_and_it_survives_json():
    columns = [column("a"), column("b")]
    spec = catalogue.get_spec("scatter-basic")
    recipe = build.initial(spec, "seaborn", {"x": "a", "y": "b", "category": None, "size": ""}, columns, "dark")
    assert recipe.bindings == {"x": "a", "y": "b"}
    assert (recipe.theme, recipe.canvas) == ("dark", "landscape")
    assert Recipe.from_json(recipe.as_json()) == recipe


def test_a_square_plot_is_square():
    spec = catalogue.get_spec("pie-basic")
    columns = [column("g", "category"), column("v")]
    assert build.initial(spec, "matplotlib", {"category": "g", "value": "v"}, columns, "light").canvas == "square"
