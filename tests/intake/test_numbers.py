"""Numbers: marks by evidence, units, and what is said when there is none."""

import pytest

from agents_app import intake
from agents_app.refusals import Invalid


def column(values: list[str], name: str = "v", delimiter: str = "|", others: list[str] | None = None, **how) -> tuple:
    """Reads one column of texts beside a column of words (or of `others`); gives it and the table."""
    beside = others or [f"w{index}" for index in range(len(values))]
    lines = [delimiter.join(("word", name)), *(delimiter.join(pair) for pair in zip(beside, values, strict=True))]
    table = intake.read("\n".join(lines).encode(), **how)
    return table.columns[1], table.frame[table.columns[1].name].tolist(), table


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1.234,56", "7,5"], [1234.56, 7.5]),
        (["1,234.56", "7.5"], [1234.56, 7.5]),
        (["1 234,56", "7,5"], [1234.56, 7.5]),
        (["1\u00a0234,56", "7,5"], [1234.56, 7.5]),
        (["1\u202f234\u202f567", "12"], [1234567, 12]),
        (["1'234.56", "7.5"], [1234.56, 7.5]),
        (["1’234’567", "12"], [1234567, 12]),
        (["12,34,567", "1,23,456.5"], [1234567, 123456.5]),
        (["(1,234)", "5,678,901"], [-1234, 5678901]),
        (["\u22125", "7"], [-5, 7]),
        (["5-", "7"], [-5, 7]),
        (["+5", "-7"], [5, -7]),
        ([".097", "-.5"], [0.097, -0.5]),
        (["1e3", "2.5E-4"], [1000, 0.00025]),
        (["1.234.567", "12"], [1234567, 12]),
        (["0,123", "0,5"], [0.123, 0.5]),
        (["1234,567", "2345,678"], [1234.567, 2345.678]),
        (["5.", "6.5"], [5, 6.5]),
    ],
)
def test_marks_are_found_by_evidence(texts, values):
    got, read, _ = column(texts)
    assert got.type == "number"
    assert read == pytest.approx(values)


@pytest.mark.parametrize(
    ("texts", "values", "kind", "unit"),
    [
        (["12 %", "7.5%"], [12, 7.5], "percent", "%"),
        (["€ 5", "€ 1.234,50"], [5, 1234.5], "currency", "€"),
        (["5 €", "1.234,50 €"], [5, 1234.5], "currency", "€"),
        (["$1,234", "$5"], [1234, 5], "currency", "$"),
        (["-$1,234.50", "$5.00"], [-1234.5, 5], "currency", "$"),
        (["($5.25)", "$5.00"], [-5.25, 5], "currency", "$"),
        (["12 kg", "7.5 kg"], [12, 7.5], None, "kg"),
        (["21,5 °C", "-3,0 °C"], [21.5, -3], None, "°C"),
        (["CHF 1'200.50", "CHF 3.00"], [1200.5, 3], "currency", "CHF"),
    ],
)
def test_units_in_the_cells_are_taken_off_and_kept(texts, values, kind, unit):
    got, read, _ = column(texts)
    assert (got.type, got.kind, got.unit) == ("number", kind, unit)
    assert read == pytest.approx(values)


@pytest.mark.parametrize(
    ("name", "unit", "kind"),
    [
        ("Rain (mm)", "mm", None),
        ("Erzeugung [GWh]", "GWh", None),
        ("bill_length_mm", "mm", None),
        ("Share (%)", "%", "percent"),
        ("Cost $", "$", "currency"),
        ("GDP (million USD)", "million USD", "currency"),
        ("PM10 (µg/m³)", "µg/m³", None),
        ("Temperature (max)", None, None),
        ("Position m", None, None),
        ("days_in", None, None),
    ],
)
def test_a_unit_in_the_name_is_found(name, unit, kind):
    got, _, _ = column(["1.5", "2.5", "4"], name)
    assert (got.unit, got.kind) == (unit, kind)


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1.234", "5.678"], [1.234, 5.678]),  # a point: decimal unless something says otherwise
        (["1,234", "5,678"], [1234, 5678]),
        (["999", "1.234", "12.000"], [999, 1234, 12000]),  # small whole numbers stand without a mark
        (["1.234", "15000"], [1.234, 15000]),  # large ones too: the mark does not group
    ],
)
def test_three_digits_after_one_mark_are_read_by_likelihood_and_said(texts, values):
    got, read, table = column(texts)
    assert got.type == "number"
    assert read == pytest.approx(values)
    note = next(note for note in table.notes if note.code == "ambiguous_decimal")
    assert note.columns == ["v"]
    assert "could also be" in note.text


def test_another_column_of_the_file_decides_what_three_digits_mean():
    _, read, table = column(["1.234", "5.678"], others=["0,5", "12,25"])
    assert read == [1234, 5678]
    assert table.reading.decimal == ","
    assert not any(note.code == "ambiguous_decimal" for note in table.notes)


def test_the_marks_can_be_set_for_the_file_and_for_a_column():
    assert column(["1.234", "5.678"], reading={"decimal": ","})[1] == [1234, 5678]
    assert column(["1.234", "5.678"], reading={"thousands": "."})[1] == [1234, 5678]
    assert column(["1.234", "5.678"], columns=[{"name": "v", "format": "1.234,56"}])[1] == [1234, 5678]
    assert column(["1.234", "5.678"], columns=[{"name": "v", "format": "1234.56"}])[1] == [1.234, 5.678]


def test_whole_numbers_stay_whole():
    got, _read, table = column(["12", "", "7"])
    assert (got.min, got.max, got.sum) == (7, 12, 19)
    assert isinstance(got.sum, int)
    assert table.data_csv == b"word,v\nw0,12\nw1,\nw2,7\n"
    assert str(table.frame["v"].dtype) == "Int64"


def test_long_whole_numbers_keep_every_digit():
    _, read, _ = column(["9007199254740993", "9007199254740995"])
    assert read == [9007199254740993, 9007199254740995]


def test_codes_with_leading_zeros_stay_text():
    got, read, table = column(["01067", "04109", "80331"], "plz")
    assert (got.type, got.kind) == ("category", "id")
    assert read == ["01067", "04109", "80331"]
    assert next(note for note in table.notes if note.code == "ids_kept_as_text").columns == ["plz"]


@pytest.mark.parametrize(
    ("name", "texts", "kind"),
    [
        ("year", ["1990", "2003", "1987"], "year"),
        ("Jahr", ["1990", "2003", "1987"], "year"),
        ("season", ["2001", "2002", "2003", "2004"], "year"),
        ("x", ["2001", "2002", "2003", "2004"], "year"),
        ("price", ["1990", "2003", "1987"], None),
        ("customer_id", ["7", "3", "9"], "id"),
        ("Sample Number", ["1", "2", "1"], "id"),
        ("Number of cars", ["1", "2", "1"], None),
        ("Paid", ["1", "2", "1"], None),
        ("width", ["5", "5", "5"], "constant"),
    ],
)
def test_kinds_of_whole_numbers_are_found(name, texts, kind):
    assert column(texts, name)[0].kind == kind


def test_cells_that_are_no_numbers_are_named_with_their_rows():
    texts = [str(index) for index in range(30)]
    texts[4], texts[17] = "oops", "12 or 13"
    got, _read, table = column(texts)
    assert (got.type, got.missing) == ("number", 2)
    note = next(note for note in table.notes if note.code == "cells_not_numbers")
    assert (note.rows, note.columns, note.severity) == ([6, 19], ["v"], "warning")
    assert "“oops”" in note.text


def test_a_column_with_too_many_words_is_no_number_column():
    assert column(["1", "2", "x1", "y", "5"])[0].type == "category"


@pytest.mark.parametrize("mark", ["-", "–", "n.a.", "k.A.", "..", "#DIV/0!", "?", "NA", "null"])
def test_marks_for_missing_values_are_missing_among_numbers(mark):
    got, _read, table = column(["1.5", mark, "2.5", mark])
    assert (got.type, got.missing) == ("number", 2)
    assert table.reading.missing_marks == ["", mark]
    assert not any(note.code == "cells_not_numbers" for note in table.notes)


def test_a_number_type_forced_on_words_is_refused_with_its_column():
    with pytest.raises(Invalid, match=r"`v` cannot be of type number"):
        column(["a", "b"], columns=[{"name": "v", "type": "number"}])


@pytest.mark.parametrize("text", ["1.2.3.4", "12-13", "1,2,3", "12 34", "1e", "--5", "0x1F", "1_000", "inf", "١٢"])
def test_what_is_no_number_is_not_read_as_one(text):
    got, read, _ = column([text, text + "a", "b", "c"])
    assert got.type in ("category", "text")
    assert read[0] == text


def test_a_unit_in_every_cell_and_one_in_most_are_read_alike():
    every, values, _ = column(["1.299,00 €", "12,50 €", "-3,00 €"])
    most, same, _ = column(["1.299,00 €", "12,50 €", "-3,00"])
    assert (every.kind, every.unit, values) == (most.kind, most.unit, same) == ("currency", "€", [1299, 12.5, -3])


def test_a_cell_in_another_unit_is_no_number_of_the_column():
    texts = [f"{index} kg" for index in range(20)]
    texts[7] = "3 lb"
    got, _, table = column(texts)
    assert (got.unit, got.missing) == ("kg", 1)
    assert next(note for note in table.notes if note.code == "cells_not_numbers").rows == [9]


def test_thousands_of_money_are_no_decimals():
    assert column(["$1,925", "$599"])[1] == [1925, 599]
    assert column(["1.925 €", "599 €"])[1] == [1925, 599]
