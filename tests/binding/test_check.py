"""Refusals of bindings: a line for each fault, with the nearest way out (CH3)."""

import pytest

from agents_app.binding import check
from agents_app.catalogue.spec import Role
from agents_app.refusals import BindingRefused
from tests.binding.plots import BAR, COLOR, DATE, PIE, SCATTER, SERIES, VALUE, X, Y, column, spec

SPECIES = column("species", "category", 3)
LENGTH, DEPTH, MASS = column("bill_length_mm"), column("bill_depth_mm"), column("body_mass_g")
PENGUINS = [SPECIES, LENGTH, DEPTH, MASS]


def refused(plot, columns, bindings) -> BindingRefused:
    with pytest.raises(BindingRefused) as refusal:
        check(plot, columns, bindings)
    assert (refusal.value.status, refusal.value.code) == (422, "binding_refused")
    return refusal.value


def line(plot, columns, bindings) -> dict:
    (only,) = refused(plot, columns, bindings).extra["lines"]
    return only


def test_what_fits_passes_in_the_order_of_the_roles():
    checked = check(SCATTER, PENGUINS, {"y": "bill_depth_mm", "x": "bill_length_mm"})
    assert list(checked.bindings.items()) == [("x", "bill_length_mm"), ("y", "bill_depth_mm")]
    assert checked.notes == []


def test_no_bindings_are_proposed_whole():
    assert check(SCATTER, PENGUINS, None).bindings == {
        "x": "bill_length_mm",
        "y": "bill_depth_mm",
        "category": "species",
    }


def test_roles_not_named_stay_unbound():
    assert "category" not in check(SCATTER, PENGUINS, {"x": "bill_length_mm", "y": "body_mass_g"}).bindings


def test_the_refusal_has_roles_and_a_proposal():
    refusal = refused(SCATTER, PENGUINS, {"x": "species", "y": "body_mass_g"})
    assert [role["name"] for role in refusal.extra["roles"]] == ["x", "y", "category", "size"]
    assert refusal.extra["proposed"]["x"] == "bill_length_mm"


def test_words_for_numbers_name_the_numeric_columns():
    assert line(SCATTER, PENGUINS, {"x": "bill_length_mm", "y": "species"}) == {
        "role": "y",
        "column": "species",
        "text": (
            "`species` holds words; y needs numbers. Numeric columns: `bill_length_mm`, `bill_depth_mm`, `body_mass_g`."
        ),
    }


def test_a_missing_column_names_the_nearest():
    fault = line(SCATTER, PENGUINS, {"x": "bill_lenght_mm", "y": "body_mass_g"})
    assert fault["column"] == "bill_lenght_mm"
    assert "There is no column `bill_lenght_mm`" in fault["text"]
    assert "Did you mean `bill_length_mm`?" in fault["text"]
    assert "Did you mean" not in line(SCATTER, PENGUINS, {"x": "zzz", "y": "body_mass_g"})["text"]


def test_an_unknown_role_names_the_roles():
    fault = line(SCATTER, PENGUINS, {"x": "bill_length_mm", "y": "body_mass_g", "categry": "species"})
    assert fault["role"] == "categry"
    assert "Did you mean category?" in fault["text"]
    assert "Its roles: x, y, category, size." in fault["text"]


def test_the_same_column_twice_is_refused_where_it_shows_nothing():
    fault = line(SCATTER, PENGUINS, {"x": "body_mass_g", "y": "body_mass_g"})
    assert fault == {
        "role": "y",
        "column": "body_mass_g",
        "text": "`body_mass_g` is already x; y needs another column.",
    }
    assert check(SCATTER, PENGUINS, {"x": "bill_length_mm", "y": "body_mass_g", "size": "body_mass_g"})


def test_an_unbound_required_role_names_what_fits():
    fault = line(SCATTER, PENGUINS, {"x": "bill_length_mm"})
    assert (fault["role"], fault["column"]) == ("y", None)
    assert fault["text"].startswith("y is not set; it needs numbers. Numeric columns: `bill_length_mm`")


@pytest.mark.parametrize("nothing", ["", None, []])
def test_a_dropdown_left_empty_is_unbound(nothing):
    assert check(SCATTER, PENGUINS, {"x": "bill_length_mm", "y": "body_mass_g", "category": nothing}).bindings == {
        "x": "bill_length_mm",
        "y": "body_mass_g",
    }


def test_a_table_without_numbers_says_so_with_a_way_out():
    words = [column("name", "category", 5), column("price", "text", 30, sample=["5 or 6", "7?"])]
    lines = refused(SCATTER, words, None).extra["lines"]
    assert [fault["role"] for fault in lines] == ["x", "y"]
    assert "no column of numbers. Should `price` be one? Set its type to number." in lines[0]["text"]
    assert "choose a plot that counts rows" in line(spec(VALUE), [column("name", "category", 5)], None)["text"]


def test_a_table_without_dates_says_so_with_a_way_out():
    assert "set its type to date" in line(spec(DATE, VALUE), PENGUINS, None)["text"]


def test_too_many_numbers_for_a_category_say_how_many():
    text = line(BAR, PENGUINS, {"category": "body_mass_g"})["text"]
    assert "holds 50 different numbers" in text
    assert "at most 24" in text
    assert "`species`" in text


def test_several_faults_have_a_line_each():
    refusal = refused(SCATTER, PENGUINS, {"x": "species", "y": "nothing", "hue": "species"})
    assert [fault["role"] for fault in refusal.extra["lines"]] == ["x", "y", "hue"]
    assert refusal.detail.startswith("3 roles do not fit yet.")


def test_a_single_role_takes_a_single_column():
    assert check(SCATTER, PENGUINS, {"x": ["bill_length_mm"], "y": "body_mass_g"}).bindings["x"] == "bill_length_mm"
    text = line(SCATTER, PENGUINS, {"x": ["bill_length_mm", "bill_depth_mm"], "y": "body_mass_g"})["text"]
    assert text == "x takes one column, not 2. Choose one of them."


def test_a_family_takes_a_list_and_a_single_name():
    plot = spec(SERIES)
    assert check(plot, PENGUINS, {"series": "body_mass_g"}).bindings == {"series": ["body_mass_g"]}
    both = ["body_mass_g", "bill_depth_mm"]
    assert check(plot, PENGUINS, {"series": both}).bindings == {"series": both}
    assert "stands 2 times" in line(plot, PENGUINS, {"series": ["body_mass_g", "body_mass_g"]})["text"]
    assert line(plot, PENGUINS, {"series": ["body_mass_g", "species"]})["column"] == "species"


@pytest.mark.parametrize("value", [5, True, {"a": 1}, [["x"]], 1.5])
def test_what_is_no_name_is_refused(value):
    assert refused(SCATTER, PENGUINS, {"x": value, "y": "body_mass_g"}).extra["lines"][0]["role"] == "x"


@pytest.mark.parametrize("bindings", [[], "x", 5])
def test_what_are_no_bindings_is_refused(bindings):
    assert "object" in refused(SCATTER, PENGUINS, bindings).extra["lines"][0]["text"]


def test_parts_of_a_whole_need_a_value_above_nothing():
    columns = [SPECIES, column("loss", min=-9, max=-1), column("gain", min=-5, max=5)]
    assert "no value above 0" in line(PIE, columns, {"category": "species", "value": "loss"})["text"]
    notes = check(PIE, columns, {"category": "species", "value": "gain"}).notes
    assert notes == ["`gain` has values below 0, which value cannot show."]


def test_what_is_worth_knowing_is_noted():
    columns = [column("code", kind="id"), column("same", distinct=1), column("state", "category", 51), LENGTH]
    plot = spec(X, Y, COLOR)
    notes = check(plot, columns, {"x": "code", "y": "same", "category": "state"}).notes
    assert "`code` looks like a code rather than a quantity." in notes
    assert "`same` has the same value in every row." in notes
    assert any("51 values" in note and "8 colors" in note for note in notes)
    assert check(BAR, PENGUINS, {"category": "species"}).notes == ["value is left out: rows are counted."]


def test_a_required_color_without_few_values_offers_the_many():
    columns = [column("state", "category", 51), LENGTH]
    fault = line(PIE, columns, None)
    assert "at most 8 values suits it" in fault["text"]
    assert "`state`" in fault["text"]
    assert check(PIE, columns, {"category": "state", "value": "bill_length_mm"})


def test_an_empty_column_says_that_it_is_empty():
    columns = [*PENGUINS, column("void", "text", 0, kind="empty")]
    assert "`void` holds no values" in line(SCATTER, columns, {"x": "void", "y": "body_mass_g"})["text"]


def test_a_role_of_two_types_says_both():
    plot = spec(Role("x", ("numeric", "datetime")))
    assert "x needs numbers or dates" in line(plot, PENGUINS, {"x": "species"})["text"]
