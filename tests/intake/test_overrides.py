"""What a person sets is obeyed, or refused with its place."""

import pytest

from agents_app import intake
from agents_app.refusals import Invalid

CSV = b"day,city,n,share\n03/04/2024,Rome,1,5\n05/04/2024,Oslo,2,6\n01/04/2024,Bern,3,7\n"


def test_types_formats_and_names_are_obeyed():
    table = intake.read(
        CSV,
        columns=[
            {"name": "day", "type": "date", "format": "%d/%m/%Y", "rename": "Tag"},
            {"name": "n", "type": "category"},
            {"name": "city", "type": "text"},
        ],
    )
    assert [(column.name, column.source_name, column.type) for column in table.columns] == [
        ("Tag", "day", "date"),
        ("city", "city", "text"),
        ("n", "n", "category"),
        ("share", "share", "number"),
    ]
    assert table.columns[0].min == "2024-04-01"
    assert table.frame["n"].tolist() == ["1", "2", "3"]
    assert table.data_csv.startswith(b"Tag,city,n,share\n2024-04-03,Rome,1,5\n")


def test_a_later_wish_may_use_an_earlier_new_name():
    table = intake.read(CSV, columns=[{"name": "n", "rename": "count"}, {"name": "count", "type": "text"}])
    assert table.columns[2].name == "count"
    assert table.columns[2].type == "text"


def test_two_columns_may_swap_names_in_steps():
    wishes = [{"name": "n", "rename": "x"}, {"name": "share", "rename": "n"}, {"name": "x", "rename": "share"}]
    table = intake.read(CSV, columns=wishes)
    assert [column.name for column in table.columns] == ["day", "city", "share", "n"]


def test_a_renamed_column_keeps_its_source_name_and_words_as_numbers_their_text():
    table = intake.read(b"plz,n\n7,1\n8,2\n", columns=[{"name": "plz", "type": "text"}])
    again = intake.read_canonical(table.data_csv, [column.as_json() for column in table.columns])
    assert again["plz"].tolist() == ["7", "8"]


def test_the_receipt_can_be_sent_back_whole():
    first = intake.read(CSV)
    again = intake.read(CSV, reading=first.reading.as_json())
    assert again.data_csv == first.data_csv


def test_the_delimiter_and_the_quote_are_obeyed():
    table = intake.read(b"a;b,c\n1;2,3\n4;5,6\n", reading={"delimiter": ","})
    assert [column.name for column in table.columns] == ["a;b", "c"]
    table = intake.read(b'a,b\n"x,1\ny",2\n', reading={"quote": ""})
    assert table.frame["a"].tolist() == ['"x', 'y"']
    assert intake.read(b"a\tb\n1\t2\n", reading={"delimiter": "tab"}).rows == 1


def test_forced_numbers_name_what_does_not_fit():
    table = intake.read(b"a,b\nx,1\ny,two\nz,three\n", columns=[{"name": "b", "type": "number"}])
    assert table.columns[1].missing == 2
    assert next(note for note in table.notes if note.code == "cells_not_numbers").rows == [3, 4]


@pytest.mark.parametrize(
    ("reading", "place"),
    [
        ({"delimeter": ";"}, r"reading\.delimeter: there is no such field"),
        ({"delimiter": "ab"}, r"reading\.delimiter"),
        ({"delimiter": "a"}, r"reading\.delimiter"),
        ({"delimiter": 5}, r"reading\.delimiter: a text"),
        ({"quote": "xx"}, r"reading\.quote"),
        ({"quote": ";", "delimiter": ";"}, r"reading\.quote"),
        ({"decimal": ";"}, r"reading\.decimal"),
        ({"decimal": ",", "thousands": ","}, r"reading\.thousands"),
        ({"thousands": "x"}, r"reading\.thousands"),
        ({"skipped_rows": -1}, r"reading\.skipped_rows"),
        ({"skipped_rows": "2"}, r"reading\.skipped_rows"),
        ({"skipped_rows": True}, r"reading\.skipped_rows"),
        ({"skipped_rows": 99}, "nothing is left"),
        ({"header_rows": 3}, r"reading\.header_rows"),
        ({"units_row": 9}, r"reading\.units_row"),
        ({"date_order": "sideways"}, r"reading\.date_order"),
        ({"missing_marks": "NA"}, r"reading\.missing_marks"),
        ({"format": "docx"}, r"reading\.format"),
        ({"sheet": "One"}, r"reading\.sheet"),
        (["delimiter"], "reading: an object"),
    ],
)
def test_a_bad_reading_is_refused_with_its_place(reading, place):
    with pytest.raises(Invalid, match=place):
        intake.read(CSV, reading=reading)


@pytest.mark.parametrize(
    ("columns", "place"),
    [
        ({"name": "n"}, "columns: a list"),
        (["n"], r"columns\[0\]: an object"),
        ([{"type": "date"}], r"columns\[0\]: an object with a name"),
        ([{"name": "n"}, {"name": "m"}], r"columns\[1\]\.name: there is no column `m`.*`day`, `city`"),
        ([{"name": "n", "type": "integer"}], r"columns\[0\]\.type: 'integer' is no type"),
        ([{"name": "n", "kind": "id"}], r"columns\[0\]\.kind: there is no such field"),
        ([{"name": "n", "rename": ""}], r"columns\[0\]\.rename"),
        ([{"name": "n", "rename": "city"}], r"columns\[0\]\.rename: there is already"),
        ([{"name": "n", "rename": "x" * 400}], r"columns\[0\]\.rename: at most"),
        ([{"name": "n", "type": "number", "format": "%d"}], r"columns\[0\]\.format"),
        ([{"name": "day", "type": "date", "format": "dd/mm"}], r"columns\[0\]\.format"),
        ([{"name": "city", "type": "date"}], r"`city` cannot be of type date"),
        ([{"name": "city", "type": "boolean"}], r"`city` cannot be of type boolean"),
    ],
)
def test_a_bad_wish_for_a_column_is_refused_with_its_place(columns, place):
    with pytest.raises(Invalid, match=place):
        intake.read(CSV, columns=columns)
