"""What stands around a table: titles, notes, totals, headers, units, blank columns, ragged rows, quotes."""

import pytest

from agents_app import intake


def read(text: str, **how) -> intake.Table:
    return intake.read(text.encode(), **how)


def codes(table: intake.Table) -> list[str]:
    return [note.code for note in table.notes]


def names(table: intake.Table) -> list[str]:
    return [column.name for column in table.columns]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_delimiter_is_found(delimiter):
    lines = ["city;n;note", "Rome;1;a, b", "Oslo;2;c", "Bern;3;d"]
    table = read(
        "\n".join(
            line.replace(";", delimiter) if delimiter != "," else line.replace("a, b", '"a, b"').replace(";", ",")
            for line in lines
        )
    )
    assert table.reading.delimiter == delimiter
    assert names(table) == ["city", "n", "note"]
    assert table.frame["note"].tolist() == ["a, b", "c", "d"]


def test_decimal_commas_do_not_pass_for_delimiters():
    table = read("a;b\n1,5;2,5\n3,5;4,5\n")
    assert table.reading.delimiter == ";"
    assert table.frame["a"].tolist() == [1.5, 3.5]


def test_a_line_that_names_the_separator_is_obeyed():
    table = read("sep=;\na;b\n1;2\n")
    assert table.frame["b"].tolist() == [2]
    assert table.reading.skipped_rows == 1
    assert codes(table) == []


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending_is_read(ending):
    table = read(ending.join(["a,b", "1,2", "3,4", ""]))
    assert table.frame["b"].tolist() == [2, 4]


def test_line_breaks_delimiters_and_quotes_inside_quotes_are_part_of_the_cell():
    table = read('a,b\n"one\ntwo, ""three""",1\n"x\r\ny",2\nz,3\n')
    assert table.frame["a"].tolist() == ['one\ntwo, "three"', "x\ny", "z"]
    assert table.rows == 3


def test_row_numbers_count_the_lines_of_the_file():
    lines = ["a,b", '"x\ny",1', *(f"w{i},{i}" for i in range(20)), "z,oops"]
    note = next(note for note in read("\n".join(lines)).notes if note.code == "cells_not_numbers")
    assert note.rows == [24]


def test_escaped_quotes_are_read():
    table = read('a,b\n"say \\"hi\\", now",1\n"plain",2\n')
    assert table.frame["a"].tolist() == ['say "hi", now', "plain"]


def test_single_quotes_are_read_where_they_enclose():
    table = read("a,b\n'x, y',1\n'z',2\n")
    assert table.reading.quote == "'"
    assert table.frame["a"].tolist() == ["x, y", "z"]


def test_a_quote_that_never_closes_does_not_swallow_the_table():
    rows = [f"w{index},{index}" for index in range(10)]
    rows[3] = '"oops,3'
    table = read("a,b\n" + "\n".join(rows))
    assert table.rows == 10
    note = next(note for note in table.notes if note.code == "stray_quotes")
    assert note.rows == [5]


def test_titles_above_and_notes_below_are_left_out_and_said():
    table = read("Sales report\nUnits: pieces, whole\n\ncity,n\nRome,1\nOslo,2\n\nSource: the office\n* estimated\n")
    assert (table.rows, table.reading.skipped_rows, table.reading.footer_rows) == (2, 3, 3)
    assert {"title_rows_skipped", "footer_left_out"} <= set(codes(table))
    assert next(note for note in table.notes if note.code == "title_rows_skipped").rows == [1, 2]


@pytest.mark.parametrize("label", ["Total", "Summe", "Gesamt:", "TOTAL", "Итого", "Grand total"])
def test_a_total_row_is_not_a_row_of_data(label):
    table = read(f"city,n\nRome,1\nOslo,2\nBern,4\n{label},7\n")
    assert table.rows == 3
    note = next(note for note in table.notes if note.code == "footer_left_out")
    assert (note.rows, note.severity) == ([5], "warning")


def test_a_nameless_row_that_adds_up_is_a_total():
    assert read("city,n,m\nRome,1,10\nOslo,2,20\nBern,4,40\n,7,70\n").rows == 3
    assert read("city,n,m\nRome,1,10\nOslo,2,20\nBern,4,40\n,9,71\n").rows == 4


def test_a_last_row_with_missing_cells_stays():
    table = read("country,a,b\nYemen,1,2\nZambia,3,4\nZimbabwe,,\n")
    assert table.rows == 3


def test_left_out_rows_can_be_taken_back_in():
    table = read("city,n\nRome,1\nOslo,2\nTotal,3\n", reading={"footer_rows": 0})
    assert table.rows == 3
    assert table.frame["city"].iloc[-1] == "Total"


def test_rows_can_be_skipped_by_hand():
    table = read("x,y\nnot,a header\na,b\n1,2\n3,4\n9,9\n", reading={"skipped_rows": 2, "footer_rows": 1})
    assert names(table) == ["a", "b"]
    assert table.rows == 2


def test_a_table_without_a_header_gets_names():
    table = read("Rome,1,2.5\nOslo,2,3.5\nBern,3,4.5\n")
    assert names(table) == ["column_1", "column_2", "column_3"]
    assert table.rows == 3
    assert table.reading.header_rows == 0
    assert "no_header" in codes(table)


def test_years_may_be_names():
    table = read("country,1990,2000,2010\nA,1.5,2.5,3\nB,2,3,4\n")
    assert names(table) == ["country", "1990", "2000", "2010"]


def test_the_header_can_be_set_by_hand():
    assert read("1,2\n3,4\n5,6\n", reading={"header_rows": 1}).rows == 2
    assert read("a,b\nc,d\ne,f\n", reading={"header_rows": 0}).rows == 3


def test_a_row_of_units_gives_units():
    table = read("year,rain,temp\n,mm,°C\n2001,5,1.5\n2002,6,2.5\n2003,7,3.5\n")
    assert [column.unit for column in table.columns] == [None, "mm", "°C"]
    assert (table.reading.units_row, table.reading.header_rows, table.rows) == (2, 2, 3)
    assert "units_row" in codes(table)
    assert read("year,rain\n,mm\n2001,5\n2002,6\n2003,7\n", reading={"units_row": 0}).rows == 4


def test_names_are_made_unique_and_never_empty():
    table = read("temp,temp,,temp_2,temp\n1,2,3,4,5\n6,7,8,9,10\n")
    assert names(table) == ["temp", "temp_3", "column_3", "temp_2", "temp_4"]
    assert [column.source_name for column in table.columns] == ["temp", "temp", "", "temp_2", "temp"]
    assert {"duplicate_headers", "unnamed_columns"} <= set(codes(table))


def test_a_column_without_name_and_values_goes_one_with_a_name_stays():
    table = read("a,,b,c\n1,,,2\n3,,,4\n")
    assert names(table) == ["a", "b", "c"]
    assert table.columns[1].kind == "empty"
    assert codes(table).count("empty_column") == 2


def test_row_names_without_a_name_shift_the_header():
    table = read("mpg,cyl\nMazda,21.5,6\nFiat,32.4,4\nFord,15.8,8\n")
    assert names(table) == ["column_1", "mpg", "cyl"]
    assert table.frame["mpg"].tolist() == [21.5, 32.4, 15.8]
    assert "header_shifted" in codes(table)


def test_ragged_rows_are_filled_or_cut_and_named():
    rows = [f"w{index},{index},{index * 2}" for index in range(30)]
    rows[4] = "w4,4"
    rows[9] = "w9,9,18,surplus"
    table = read("a,b,c\n" + "\n".join(rows))
    assert (table.rows, len(table.columns)) == (30, 3)
    note = next(note for note in table.notes if note.code == "ragged_rows")
    assert note.rows == [6, 11]
    assert table.frame["c"].isna().tolist().index(True) == 4


def test_delimiters_at_the_end_of_every_row_make_no_column():
    table = read("a,b,\n1,2,\n3,4,\n")
    assert names(table) == ["a", "b"]


def test_one_column_is_a_table_when_it_looks_like_one():
    assert read("height\n1.5\n1.7\n1.6\n").frame["height"].tolist() == [1.5, 1.7, 1.6]
    assert read("1.5\n1.7\n1.6\n").rows == 3
    assert read("city\nRome\nOslo\nBern\n").columns[0].type == "category"
    assert read("x\n1,5\n2,5\n3,5\n").frame["x"].tolist() == [1.5, 2.5, 3.5]


def test_a_table_of_one_row_is_a_table():
    assert read("a,b\n1,x\n").rows == 1


def test_blank_lines_between_rows_are_skipped():
    assert read("a,b\n\n1,2\n\n\n3,4\n").frame["b"].tolist() == [2, 4]


@pytest.mark.parametrize(
    ("values", "type_", "format_"),
    [
        (["yes", "no", "yes"], "boolean", "yes/no"),
        (["Ja", "Nein", "Ja"], "boolean", "Ja/Nein"),
        (["TRUE", "FALSE", "TRUE"], "boolean", "TRUE/FALSE"),
        (["y", "n", "y"], "boolean", "y/n"),
        (["oui", "non", ""], "boolean", "oui/non"),
        (["1", "0", "1"], "number", None),
        (["y", "y", "y"], "category", None),
        (["yes", "no", "maybe"], "category", None),
    ],
)
def test_truth_values_are_found(values, type_, format_):
    column = read("w,v\n" + "\n".join(f"a,{value}" for value in values)).columns[1]
    assert (column.type, column.format) == (type_, format_)


def test_canonical_truth_values_are_true_and_false():
    assert read("w,v\na,ja\nb,nein\nc,\n").data_csv == b"w,v\na,true\nb,false\nc,\n"


def test_long_texts_are_text_short_repeated_words_categories():
    comment = "a sentence that goes on for longer than any category would ever do, really"
    table = read("kind,comment\n" + "\n".join(f"k{i % 3},{comment} {i}" for i in range(30)).replace("do, ", "do "))
    assert [column.type for column in table.columns] == ["category", "text"]


def test_a_word_that_counts_as_missing_is_asked_about():
    table = read("drink,n\nNone,1\nLow,2\nHigh,3\n")
    assert table.columns[0].missing == 1
    assert "Is it a value?" in next(note for note in table.notes if note.code == "words_counted_missing").text
    kept = read("drink,n\nNone,1\nLow,2\nHigh,3\n", reading={"missing_marks": []})
    assert kept.frame["drink"].tolist() == ["None", "Low", "High"]


def test_formula_like_cells_stay_text():
    assert read('a,b\n"=HYPERLINK(""x"")",1\n@cmd,2\n').frame["a"].tolist() == ['=HYPERLINK("x")', "@cmd"]


def test_a_header_of_two_rows_is_joined():
    table = read("Region,2020,,2021,\n,Sales,Cost,Sales,Cost\nNorth,1,2,3,4\nSouth,5,6,7,8\nEast,1,2,3,4\n")
    assert names(table) == ["Region", "2020 Sales", "2020 Cost", "2021 Sales", "2021 Cost"]
    assert (table.rows, table.reading.header_rows) == (3, 2)
    assert "header_joined" in codes(table)
    assert read("a,b\nc,d\n1,2\n3,4\n", reading={"header_rows": 2, "units_row": 0}).columns[1].name == "b d"


def test_a_mean_row_is_left_out_when_it_is_the_mean():
    assert read("m,a\nJan,1\nFeb,3\nMar,5\nAverage,3\n").rows == 3
    assert read("m,a\nJan,1\nFeb,3\nMar,5\nAverage,3\nTotal,9\n").rows == 3
    assert read("m,a\nlow,1\nhigh,3\naverage,50\n").rows == 3


def test_columns_set_apart_by_spaces_are_read():
    table = read("name    n   share\nRome    1   0.5\nOslo    2   0.75\nBern   30   1\n")
    assert table.reading.format == "fixed"
    assert names(table) == ["name", "n", "share"]
    assert table.frame["n"].tolist() == [1, 2, 30]
    assert read("a b c\n1 2 3\n4 5 6\n").frame["c"].tolist() == [3, 6]
    assert len(read("city\nNew York\nSan Jose\nEl Paso\n").columns) == 1


def test_rows_longer_than_the_header_keep_their_cells():
    table = read("id,comment\n1,hello\n2,this has, a comma\n3,ok\n4,fine\n")
    assert len(table.columns) == 3
    assert next(note for note in table.notes if note.code == "ragged_rows").rows == [3]


def test_a_separator_line_with_nonsense_is_no_separator():
    assert names(read("sep=a,b\n1,2\n3,4\n")) == ["sep=a", "b"]
