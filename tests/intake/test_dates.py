"""Dates: explicit patterns, day or month first by evidence, and what is said when there is none."""

import pytest

from agents_app import intake
from agents_app.refusals import Invalid


def column(texts: list[str], **how) -> tuple:
    table = intake.read("\n".join(["when|n", *(f"{text}|{index}" for index, text in enumerate(texts))]).encode(), **how)
    days = [None if value is None else str(value) for value in (row[0] for row in intake.json_rows(table.frame))]
    return table.columns[0], days, table


@pytest.mark.parametrize(
    ("texts", "days", "format_"),
    [
        (["2024-01-31", "2024-02-29"], ["2024-01-31", "2024-02-29"], "%Y-%m-%d"),
        (["2024/1/31", "2024/2/9"], ["2024-01-31", "2024-02-09"], "%Y/%m/%d"),
        (["20240131", "20240229"], ["2024-01-31", "2024-02-29"], "%Y%m%d"),
        (["31.01.2024", "1.2.2024"], ["2024-01-31", "2024-02-01"], "%d.%m.%Y"),
        (["31.01.24", "01.02.69"], ["2024-01-31", "1969-02-01"], "%d.%m.%y"),
        (["31/01/2024", "01/02/2024"], ["2024-01-31", "2024-02-01"], "%d/%m/%Y"),
        (["01/31/2024", "02/01/2024"], ["2024-01-31", "2024-02-01"], "%m/%d/%Y"),
        (["1-31-2024", "2-1-2024"], ["2024-01-31", "2024-02-01"], "%m-%d-%Y"),
        (["5 Jan 2024", "17 Feb 2024"], ["2024-01-05", "2024-02-17"], "%d %b %Y"),
        (["05-Jan-2024", "17-Feb-2024"], ["2024-01-05", "2024-02-17"], "%d-%b-%Y"),
        (["5. Januar 2024", "17. März 2024"], ["2024-01-05", "2024-03-17"], "%d. %B %Y"),
        (["5 janvier 2024", "17 août 2024"], ["2024-01-05", "2024-08-17"], "%d %B %Y"),
        (["5 de enero de 2024", "17 de marzo de 2024"], ["2024-01-05", "2024-03-17"], "%d %B %Y"),
        (["Jan 5, 2024", "Feb 17, 2024"], ["2024-01-05", "2024-02-17"], "%b %d, %Y"),
        (["Mon, 1 Jan 2024", "Tue, 2 Jan 2024"], ["2024-01-01", "2024-01-02"], "%d %b %Y"),
        (["2024-01-31T06:30:00", "2024-02-01T00:00:00"], ["2024-01-31T06:30:00", "2024-02-01"], "%Y-%m-%dT%H:%M:%S"),
        (["31.01.2024 06:30", "01.02.2024 18:00"], ["2024-01-31T06:30:00", "2024-02-01T18:00:00"], "%d.%m.%Y %H:%M"),
        (
            ["1/31/2024 6:30 PM", "2/1/2024 12:05 AM"],
            ["2024-01-31T18:30:00", "2024-02-01T00:05:00"],
            "%m/%d/%Y %I:%M %p",
        ),
        (
            ["2024-01-31T06:30:00Z", "2024-02-01T00:00:00Z"],
            ["2024-01-31T06:30:00", "2024-02-01"],
            "%Y-%m-%dT%H:%M:%S%z",
        ),
    ],
)
def test_a_pattern_is_found_for_the_column(texts, days, format_):
    got, read, _ = column(texts)
    assert (got.type, got.format) == ("date", format_)
    assert read == days


@pytest.mark.parametrize(
    ("texts", "days", "kind"),
    [
        (["Jan 2024", "Feb 2024"], ["2024-01-01", "2024-02-01"], "month"),
        (["January 2024", "February 2024"], ["2024-01-01", "2024-02-01"], "month"),
        (["Jan-24", "Feb-24"], ["2024-01-01", "2024-02-01"], "month"),
        (["2024-01", "2024-02"], ["2024-01-01", "2024-02-01"], "month"),
        (["01/2024", "02/2024"], ["2024-01-01", "2024-02-01"], "month"),
        (["2024-Q1", "2024-Q3"], ["2024-01-01", "2024-07-01"], "quarter"),
        (["Q1 2024", "Q4 2024"], ["2024-01-01", "2024-10-01"], "quarter"),
        (["2024-W01", "2024-W10"], ["2024-01-01", "2024-03-04"], "week"),
    ],
)
def test_months_quarters_and_weeks_are_dates_of_their_kind(texts, days, kind):
    got, read, _ = column(texts)
    assert (got.type, got.kind) == ("date", kind)
    assert read == days


def test_iso_is_never_day_first():
    _got, read, _ = column(["2024-03-04", "2024-05-06"])
    assert read == ["2024-03-04", "2024-05-06"]


def test_ambiguous_dates_are_said_with_both_readings():
    got, _read, table = column(["03/04/2024", "05/04/2024", "01/02/2024", "02/09/2024"])
    assert got.type == "date"
    note = next(note for note in table.notes if note.code == "ambiguous_dates")
    assert "2024-03-04" in note.text
    assert "2024-04-03" in note.text
    assert table.reading.date_order == "mdy"


def test_the_order_of_rows_decides_between_day_and_month():
    _, read, table = column(["01/02/2024", "05/02/2024", "02/03/2024", "09/03/2024"])
    assert read == ["2024-02-01", "2024-02-05", "2024-03-02", "2024-03-09"]
    assert table.reading.date_order == "dmy"
    assert "ascend" in next(note for note in table.notes if note.code == "ambiguous_dates").text


def test_another_column_decides_between_day_and_month():
    lines = ["a,b", "03/04/2024,25/12/2023", "12/02/2024,31/01/2024", "01/05/2024,13/05/2024"]
    table = intake.read("\n".join(lines).encode())
    assert table.columns[0].format == "%d/%m/%Y"


def test_the_order_can_be_set_for_the_file_and_for_a_column():
    texts = ["03/04/2024", "05/04/2024", "01/02/2024"]
    assert column(texts, reading={"date_order": "dmy"})[1][0] == "2024-04-03"
    assert column(texts, reading={"date_order": "mdy"})[1][0] == "2024-03-04"
    _got, read, table = column(texts, columns=[{"name": "when", "type": "date", "format": "%d/%m/%Y"}])
    assert read[0] == "2024-04-03"
    assert not any(note.code == "ambiguous_dates" for note in table.notes)


def test_dates_written_in_two_ways_are_each_read_and_said():
    _, read, table = column(["2024-01-31", "2024-02-01", "03.02.2024", "2024-02-04"])
    assert read == ["2024-01-31", "2024-02-01", "2024-02-03", "2024-02-04"]
    note = next(note for note in table.notes if note.code == "mixed_dates")
    assert note.rows == [4]


def test_days_that_do_not_exist_are_named():
    texts = [f"{day:02d}.01.2024" for day in range(1, 31)]
    texts[9] = "31.02.2024"
    got, read, table = column(texts)
    assert (got.type, read[9]) == ("date", None)
    assert next(note for note in table.notes if note.code == "cells_not_dates").rows == [11]


def test_times_of_several_zones_become_utc():
    _, read, table = column(["2024-07-01T12:00:00+02:00", "2024-07-01T12:00:00Z"])
    assert read == ["2024-07-01T10:00:00", "2024-07-01T12:00:00"]
    assert any(note.code == "times_in_utc" for note in table.notes)


def test_times_of_day_are_words_of_their_kind():
    got, _, _ = column(["06:30", "18:45"])
    assert (got.type, got.kind) == ("category", "time")


def test_years_become_dates_when_a_person_says_so():
    got, read, _ = column(["1990", "2003"], columns=[{"name": "when", "type": "date"}])
    assert (got.type, read) == ("date", ["1990-01-01", "2003-01-01"])


def test_a_date_format_that_fits_nothing_is_refused():
    with pytest.raises(Invalid, match="format"):
        column(["2024-01-31"], columns=[{"name": "when", "type": "date", "format": "%d/%m/%Y"}])


@pytest.mark.parametrize("text", ["1.2.3", "99.99.2024", "12:30", "v1-2-2024x", "May the 4th"])
def test_what_is_no_date_is_not_read_as_one(text):
    assert column([text, "b", "c"])[0].type in ("category", "text")
