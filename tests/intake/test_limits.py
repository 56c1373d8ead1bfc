"""Limits and refusals: each names the limit and the value, and a way out."""

import pytest

from agents_app import intake
from agents_app.refusals import Refusal, TooLarge, Unreadable
from anyplot_site import bounds


def refused(data: bytes, kind: type[Refusal], **how) -> Refusal:
    with pytest.raises(kind) as refusal:
        intake.read(data, **how)
    assert refusal.value.detail.endswith(".")
    return refusal.value


def test_a_paste_of_300_kb_is_refused_with_limit_and_value():
    refusal = refused(b"a,b\n" + b"1,2\n" * 75_000, TooLarge, how="paste")
    assert (refusal.status, refusal.code) == (413, "too_large")
    assert (refusal.extra["limit"], refusal.extra["value"]) == (bounds.PASTE_BYTES, 300_004)
    assert "300 KB" in refusal.detail
    assert "200 KB" in refusal.detail
    assert "Upload it as a file" in refusal.detail


def test_the_same_text_may_be_uploaded():
    assert intake.read(b"a,b\n" + b"1,2\n" * 75_000).rows == 75_000


def test_a_file_of_12_mb_is_refused():
    refusal = refused(b"a,b\n" + b"1,2\n" * 3_000_000, TooLarge)
    assert "12 MB" in refusal.detail
    assert "10 MB" in refusal.detail


def test_a_file_of_too_many_rows_is_refused():
    refusal = refused(b"a,b\n" + b"1,2\n" * (bounds.TABLE_ROWS + 1), TooLarge)
    assert (refusal.extra["limit"], refusal.extra["value"]) == (bounds.TABLE_ROWS, bounds.TABLE_ROWS + 1)
    assert "200,001" in refusal.detail


def test_a_file_of_just_enough_rows_is_read():
    assert intake.read(b"a,b\n" + b"1,2\n" * bounds.TABLE_ROWS).rows == bounds.TABLE_ROWS


def wide(columns: int) -> bytes:
    header = ",".join(f"c{index}" for index in range(columns))
    row = ",".join("1" for _ in range(columns))
    return f"{header}\n{row}\n{row}\n".encode()


def test_too_many_columns_are_refused():
    refusal = refused(wide(bounds.TABLE_COLUMNS + 1), TooLarge)
    assert (refusal.extra["limit"], refusal.extra["value"]) == (bounds.TABLE_COLUMNS, bounds.TABLE_COLUMNS + 1)
    assert len(intake.read(wide(bounds.TABLE_COLUMNS)).columns) == bounds.TABLE_COLUMNS


def test_a_million_columns_are_refused():
    refused(b",".join([b"1"] * 1_000_000) + b"\n" + b",".join([b"2"] * 1_000_000), TooLarge)


def test_a_cell_beyond_the_limit_is_refused_with_its_row():
    refusal = refused(b"a,b\n1,2\n3," + b"x" * (bounds.CELL_BYTES + 1) + b"\n", TooLarge)
    assert "row 3" in refusal.detail
    quoted = refused(b'a,b\n1,2\n3,"' + b"x y" * bounds.CELL_BYTES + b'"\n', TooLarge)
    assert "row 3" in quoted.detail


def test_a_quote_bomb_ends():
    assert intake.read(b"a,b\n" + b'"x,1\n' * 40_000).rows >= 1


@pytest.mark.parametrize("data", [b"", b"   \n\n \t\n", b"\xef\xbb\xbf", b"\xff\xfe", "\u00a0\n".encode()])
def test_nothing_is_refused_with_a_way_out(data):
    refusal = refused(data, Unreadable)
    assert (refusal.status, refusal.code) == (422, "unreadable")
    assert "nothing in it" in refusal.detail


def test_a_header_without_rows_is_refused():
    refusal = refused(b"city,n,m\n", Unreadable)
    assert "no rows below" in refusal.detail
    assert refusal.extra["lines"] == [{"row": 1, "column": None, "value": "city n m", "text": "the header"}]


def test_running_text_is_no_table():
    text = (
        "It was the best of times, it was the worst of times.\n"
        "There were a king with a large jaw and a queen with a plain face, on the throne of England;\n"
        "there were a king with a large jaw and a queen with a fair face.\n"
    )
    assert "running text" in refused(text.encode(), Unreadable).detail


def test_a_single_word_is_no_table():
    assert "no table" in refused(b"hello", Unreadable).detail


@pytest.mark.parametrize(
    "text",
    ['{"a": 1', '[{"a": 1}, {"a": ]', "[" * 100_000, '{"a":' * 50_000, "[1, [2, [3]]]", "{}", "[]", "[[]]", "[{}]"],
)
def test_broken_or_bottomless_json_is_refused(text):
    with pytest.raises(Refusal):
        intake.read(text.encode(), reading={"format": "json"})


@pytest.mark.parametrize(
    "text", ["<table></table>", "<table>" * 10_000, "<table><tr><td colspan=99999999>x", "<table><![x<tr>"]
)
def test_broken_html_is_refused(text):
    with pytest.raises(Refusal):
        intake.read(text.encode())


@pytest.mark.parametrize(
    "data",
    [
        b"\n" * 5_000_000 + b"a",
        b"," * 5_000_000,
        b"a b\n" + b" " * 900_000 + b"\n1 2",
    ],
)
def test_megabytes_of_nothing_are_refused(data):
    refused(data, Unreadable)


@pytest.mark.parametrize("cell", [b"1" * 4000, b"1." * 4000, b"1 111 " * 9000 + b"z", b"1/" * 9000, b"(" * 9000 + b"1"])
def test_long_cells_that_begin_like_numbers_end_as_words(cell):
    table = intake.read(b"a,b\n" + b"\n".join([b"x," + cell + b"!"] * 100))
    assert table.columns[1].type in ("category", "text")
