"""Tables in JSON, Markdown and HTML."""

import json

import pytest

from agents_app import intake
from agents_app.refusals import TooLarge
from anyplot_site import bounds


def read(text: str, **how) -> intake.Table:
    return intake.read(text.encode(), **how)


@pytest.mark.parametrize(
    ("data", "format_"),
    [
        ([{"a": "x", "b": 1.5}, {"a": "y", "b": 2}], "json-records"),
        ({"a": ["x", "y"], "b": [1.5, 2]}, "json-columns"),
        ({"a": {"0": "x", "1": "y"}, "b": {"0": 1.5, "1": 2}}, "json-columns"),
        ({"columns": ["a", "b"], "data": [["x", 1.5], ["y", 2]]}, "json"),
        ([["a", "b"], ["x", 1.5], ["y", 2]], "json"),
        ({"status": "ok", "results": [{"a": "x", "b": 1.5}, {"a": "y", "b": 2}]}, "json-records"),
    ],
)
def test_json_tables_of_every_shape_are_read(data, format_):
    table = read(json.dumps(data))
    assert table.reading.format == format_
    assert table.frame["a"].tolist() == ["x", "y"]
    assert table.frame["b"].tolist() == [1.5, 2]


def test_records_one_per_line_are_read():
    table = read('{"a": "x", "b": 1}\n{"a": "y", "b": 2}\n')
    assert table.frame["b"].tolist() == [1, 2]


def test_objects_inside_records_become_columns():
    table = read(json.dumps([{"id": 1, "at": {"lat": 1.5, "lon": 2.5}}, {"id": 2, "at": {"lat": 3.5}}]))
    assert [column.name for column in table.columns] == ["id", "at.lat", "at.lon"]
    assert table.columns[2].missing == 1


def test_numbers_of_json_have_no_ambiguous_marks_and_text_of_numbers_is_read():
    table = read(json.dumps([{"a": 1.234, "b": "7"}, {"a": 5.678, "b": "8"}]))
    assert table.frame["a"].tolist() == [1.234, 5.678]
    assert table.frame["b"].tolist() == [7, 8]
    assert table.notes == []


def test_true_and_null_of_json_are_kept():
    table = read(json.dumps([{"a": True, "b": None}, {"a": False, "b": 2}]))
    assert table.columns[0].type == "boolean"
    assert table.columns[1].missing == 1


def test_a_markdown_table_inside_a_text_is_read():
    table = read("Some words | here\n\n| a | b |\n|---|--:|\n| **x** | 1 |\n| y \\| z | 2 |\n\nMore words.\n")
    assert table.reading.format == "markdown"
    assert table.frame["a"].tolist() == ["x", "y | z"]
    assert table.frame["b"].tolist() == [1, 2]


def test_a_markdown_table_without_outer_bars_is_read():
    assert read("a | b\n--- | ---\nx | 1\ny | 2\n").frame["b"].tolist() == [1, 2]


def test_bars_without_a_rule_are_delimiters():
    assert read("a|b\nx|1\ny|2\n").reading.format == "csv"


def test_the_largest_html_table_is_read_and_said():
    table = read(
        "<div><table><tr><td>menu</td></tr></table>"
        "<table><tr><th>a</th><th>b</th></tr><tr><td>x &amp; y<br>z</td><td>1</td></tr>"
        "<tr><td>w</td><td>2</td></tr></table></div>"
    )
    assert table.frame["a"].tolist() == ["x & y z", "w"]
    assert [note.code for note in table.notes] == ["table_chosen"]


def test_spans_of_html_are_spread_out():
    table = read(
        "<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan=2>x</td><td>1</td><td>2</td></tr>"
        "<tr><td>3</td><td>4</td></tr></table>"
    )
    assert table.frame["a"].tolist() == ["x", "x"]
    assert table.frame["c"].tolist() == [2, 4]


def test_scripts_and_styles_of_html_are_no_text():
    table = read(
        "<table><tr><th>a</th><th>b</th></tr>"
        "<tr><td>x<script>alert(1)</script></td><td>1<style>p{}</style></td></tr></table>"
    )
    assert table.frame["a"].tolist() == ["x"]
    assert table.frame["b"].tolist() == [1]


TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table>"


@pytest.mark.parametrize(
    "mark",
    ["<!-", "<!--", "<", "</", "<?", "<!", "<a", '<a b="', "<a b=", "</a", "<![CDATA[", "<script>", "&", "<a b c "],
)
def test_broken_markup_of_any_length_ends(mark):
    table = read((TABLE + mark * (bounds.HTML_CHARACTERS // len(mark)))[: bounds.HTML_CHARACTERS])
    assert table.frame["b"].tolist() == [1, 2]


@pytest.mark.parametrize("cell", ["<td colspan=200 rowspan=9999>x", "<tr><td rowspan=9999>x", "<tr><td colspan=200>"])
def test_spans_of_html_that_make_millions_of_cells_are_refused(cell):
    text = "<table>" + cell * (bounds.HTML_CHARACTERS // len(cell) - 1)
    with pytest.raises(TooLarge, match=r"1,000,000 cells.*CSV"):
        read(text)


def test_html_of_more_characters_than_can_be_read_is_refused():
    with pytest.raises(TooLarge, match=r"2,000,001 characters.*Save the table as CSV"):
        read(TABLE + " " * (bounds.HTML_CHARACTERS + 1 - len(TABLE)))


def test_the_odd_corners_of_html_are_read_as_browsers_do():
    table = read(
        "<!DOCTYPE html><!-- <table><tr><td>no</td></tr></table> --><!--><?php x ?>"
        "<TABLE title='a > b' data-x=it's><TR><TH>a<TH CLASS=\"q\">b</TR>"
        '<tr><td title="colspan=7 >">3 < 4 &lt; 5<!-- c -->!</td>'
        "<td colspan='1'>1<sup>2</sup><sup class=r>3</sup></td>"
        "</tr><tr><td>y<script>if (a<b) '</td>'</script></td><td>7</table>"
    )
    assert [column.name for column in table.columns] == ["a", "b"]
    assert table.frame["a"].tolist() == ["3 < 4 < 5!", "y"]
    assert table.frame["b"].tolist() == [12, 7]
