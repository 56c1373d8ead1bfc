"""The loader's pandas lines and the plain-Python transforms come to the same rows, each by its own code (G2)."""

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_app.catalogue import catalogue
from agents_app.recipe import build, operations, transforms
from agents_app.recipe.loader import loader_lines
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid

from .columns import run_loader, same, table

SALES = """day,region,shop,revenue,units,online,year
2024-02-01,North,A,10.5,3,yes,2023
2024-01-01,South,B,-4,1,no,2024
2024-02-01,North,C,20.25,,yes,2024
2024-03-01,,A,7,2,no,2022
2024-01-01,East,B,,9,yes,2023
2024-01-01,East,NA,3,4,yes,2023
2024-04-01,South,None,0,5,,2022
"""
NINE = "g,x,v\n" + "\n".join(f"k{n % 10},{n},{n * n % 17}" for n in range(60)) + "\n"

CASES = {
    "summed and sorted": ("bar-basic", {"category": "region", "value": "revenue"}, []),
    "counted": ("bar-basic", {"category": "shop"}, []),
    "counted years": ("bar-basic", {"category": "year"}, []),
    "yes and no": ("bar-basic", {"category": "online", "value": "units"}, []),
    "dates as names": ("bar-basic", {"category": "day", "value": "units"}, []),
    "top with others": (
        "bar-basic",
        {"category": "region", "value": "revenue"},
        [{"op": "limit", "n": 1, "others": True}],
    ),
    "bottom": ("bar-basic", {"category": "shop"}, [{"op": "limit", "n": 2, "side": "bottom"}]),
    "sorted by name": ("bar-basic", {"category": "shop"}, [{"op": "sort", "by": "category", "order": "desc"}]),
    "boxes as they come": ("box-basic", {"category": "region", "value": "units"}, []),
    "boxes by median": ("box-basic", {"category": "region", "value": "units"}, [{"op": "sort"}]),
    "boxes cut": ("box-basic", {"category": "region", "value": "units"}, [{"op": "limit", "n": 1, "others": True}]),
    "boxes cut off": ("box-basic", {"category": "region", "value": "units"}, [{"op": "limit", "n": 2}]),
    "points": ("scatter-basic", {"x": "revenue", "y": "units", "category": "region"}, []),
    "sized points": ("scatter-basic", {"x": "revenue", "y": "units", "size": "year"}, []),
    "colored by year": ("scatter-basic", {"x": "revenue", "y": "units", "category": "year"}, []),
    "a column twice": ("scatter-basic", {"x": "revenue", "y": "revenue", "category": "region"}, []),
    "mean a day": ("line-timeseries", {"date": "day", "value": "revenue"}, []),
    "mean a day and region": ("line-timeseries", {"date": "day", "value": "revenue", "category": "region"}, []),
    "years as dates": ("line-timeseries", {"date": "year", "value": "units"}, []),
    "distribution": ("histogram-basic", {"value": "revenue"}, []),
    "only positive parts": ("pie-basic", {"category": "region", "value": "revenue"}, []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_loader_and_the_transforms_agree(name, monkeypatch, tmp_path):
    spec_id, bindings, wishes = CASES[name]
    columns, frame, data_csv = table(SALES)
    spec = catalogue.get_spec(spec_id)
    recipe = operations.apply(
        build.initial(spec, "matplotlib", bindings, columns, "light"), wishes, spec, columns
    ).recipe

    prepared = transforms.apply_transforms(frame, recipe)

    loaded = run_loader(loader_lines(prepared.recipe, columns), data_csv, monkeypatch, tmp_path)
    same(loaded[list(prepared.frame.columns)], prepared.frame)
    # With every step written out, it is the same again: an idle one changes nothing.
    whole = run_loader(loader_lines(recipe, columns), data_csv, monkeypatch, tmp_path)
    same(whole[list(prepared.frame.columns)], prepared.frame)


@pytest.mark.parametrize(
    ("spec_id", "bindings"),
    [
        ("scatter-basic", {"x": "x", "y": "v", "category": "g"}),
        ("pie-basic", {"category": "g", "value": "v"}),
    ],
)
def test_many_categories_are_lumped_alike(spec_id, bindings, monkeypatch, tmp_path):
    columns, frame, data_csv = table(NINE)
    recipe = build.initial(catalogue.get_spec(spec_id), "matplotlib", bindings, columns, "light")
    prepared = transforms.apply_transforms(frame, recipe)
    assert "other (3)" in prepared.frame["category"].tolist()
    loaded = run_loader(loader_lines(prepared.recipe, columns), data_csv, monkeypatch, tmp_path)
    same(loaded[list(prepared.frame.columns)], prepared.frame)
    assert prepared.rows["used"] == 60


def test_every_row_is_used_or_counted_with_its_reason():
    columns, frame, _ = table(SALES)
    spec = catalogue.get_spec("bar-basic")
    recipe = build.initial(spec, "matplotlib", {"category": "region", "value": "revenue"}, columns, "light")
    recipe = operations.apply(recipe, [{"op": "limit", "n": 2}], spec, columns).recipe
    prepared = transforms.apply_transforms(frame, recipe)
    assert prepared.rows == {
        "total": 7,
        "used": 3,
        "dropped": 4,
        "reasons": ["2 rows without region or revenue", "2 rows of 1 other value of region"],
    }
    assert prepared.weights == [2, 1]


def test_a_whole_of_nothing_but_negatives_is_empty_and_says_so():
    columns, frame, _ = table("g,v\na,-1\nb,-2\nb,-3\n")
    recipe = build.initial(
        catalogue.get_spec("pie-basic"), "matplotlib", {"category": "g", "value": "v"}, columns, "light"
    )
    prepared = transforms.apply_transforms(frame, recipe)
    assert len(prepared.frame) == 0
    assert list(prepared.frame.columns) == ["category", "value"]
    assert prepared.rows["reasons"] == ["3 rows whose part would be zero or less"]


def test_a_unique_aggregate_is_idle_and_a_needed_one_is_not():
    columns, frame, _ = table("g,v\na,1\nb,2\n")
    recipe = build.initial(
        catalogue.get_spec("bar-basic"), "matplotlib", {"category": "g", "value": "v"}, columns, "light"
    )
    idle = [step["kind"] for step in transforms.apply_transforms(frame, recipe).recipe.transforms if step.get("idle")]
    assert idle == ["drop_missing", "aggregate"]
    columns, frame, _ = table("g,v\na,1\n,3\na,2\n")
    again = transforms.apply_transforms(frame, transforms.apply_transforms(frame, recipe).recipe).recipe.transforms
    assert not [step for step in again if step.get("idle")]


def test_a_family_becomes_rows(monkeypatch, tmp_path):
    columns, frame, data_csv = table("t,a,b\n1,10,20\n2,11,\n")
    steps = ({"kind": "melt", "role": "y", "columns": ["a", "b"]}, {"kind": "drop_missing", "roles": ["y"]})
    recipe = Recipe("any", "matplotlib", {"x": "t", "y": ["a", "b"]}, transforms=steps)
    prepared = transforms.apply_transforms(frame, recipe)
    assert prepared.frame["series"].tolist() == ["a", "a", "b"]
    same(run_loader(loader_lines(recipe, columns), data_csv, monkeypatch, tmp_path), prepared.frame)


def test_a_binding_to_a_column_that_is_gone_is_a_sentence():
    with pytest.raises(Invalid, match="no column “gone”, which is bound to x"):
        transforms.apply_transforms(pd.DataFrame({"a": [1]}), Recipe("s", "matplotlib", {"x": "gone"}))


def test_an_unknown_transform_is_refused():
    recipe = Recipe("s", "matplotlib", {"x": "a"}, transforms=({"kind": "melt down"},))
    with pytest.raises(Invalid, match="melt down"):
        transforms.apply_transforms(pd.DataFrame({"a": [1]}), recipe)


cells = st.one_of(st.none(), st.integers(-50, 50), st.floats(-1e6, 1e6).map(lambda number: round(number, 3)))
groups = st.one_of(st.none(), st.sampled_from(["a", "B", "c d", "NA", "é", "other (2)"]))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    rows=st.lists(st.tuples(groups, cells), min_size=1, max_size=25),
    n=st.integers(1, 4),
    others=st.booleans(),
    side=st.sampled_from(["top", "bottom"]),
    order=st.sampled_from(["asc", "desc"]),
    by=st.sampled_from(["value", "category"]),
    spec_id=st.sampled_from(["bar-basic", "box-basic", "pie-basic"]),
)
def test_any_table_is_loaded_as_it_is_counted(rows, n, others, side, order, by, spec_id, monkeypatch, tmp_path):
    columns = [
        {"name": "g", "type": "category", "distinct": 3, "sample": [], "kind": None, "missing": 0},
        {"name": "v", "type": "number", "distinct": 3, "sample": [], "kind": None, "missing": 0, "min": 1},
    ]
    text = "g,v\n" + "".join(f"{'' if g is None else g},{'' if v is None else v}\n" for g, v in rows)
    frame = pd.DataFrame(
        {"g": pd.Series([g for g, _ in rows], dtype="object"), "v": pd.Series([v for _, v in rows], dtype="float64")}
    )
    spec = catalogue.get_spec(spec_id)
    recipe = build.initial(spec, "matplotlib", {"category": "g", "value": "v"}, columns, "light")
    wishes = [{"op": "sort", "by": by, "order": order}, {"op": "limit", "n": n, "side": side, "others": others}]
    prepared = transforms.apply_transforms(frame, operations.apply(recipe, wishes, spec, columns).recipe)

    loaded = run_loader(loader_lines(prepared.recipe, columns), text.encode(), monkeypatch, tmp_path)

    same(loaded[list(prepared.frame.columns)], prepared.frame)
    assert prepared.rows["used"] + prepared.rows["dropped"] == prepared.rows["total"] == len(rows)
