"""Whatever is brought: a table written in any dialect comes back equal, and nothing crashes the reader."""

import csv
import io
import json
import string
from datetime import date, timedelta

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents_app import intake
from agents_app.refusals import Refusal

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

WORDS = st.text(string.ascii_letters + "äöüßéñΣжø", min_size=3, max_size=9).filter(
    lambda word: word.casefold() not in {"true", "false", "yes", "nan", "none", "null", "non", "oui", "nein", "inf"}
)
# Cells that need care: delimiters, quotes, line breaks, letters of several scripts.
PHRASES = st.builds(
    lambda first, middle, last: f"{first}{middle}{last}",
    WORDS,
    st.sampled_from(["", " ", ", ", ";", "|", "\t", '"', "\n", "'", ' "x" ', "\\", "-"]),
    WORDS,
)


@st.composite
def dialects(draw):
    decimal = draw(st.sampled_from([".", ","]))
    delimiter = draw(st.sampled_from([";", "\t", "|"] if decimal == "," else [",", ";", "\t", "|"]))
    thousands = draw(st.sampled_from(["", {".": ",", ",": "."}[decimal], " ", "\u202f", "'"]))
    return {
        "delimiter": delimiter,
        "decimal": decimal,
        "thousands": thousands,
        "ending": draw(st.sampled_from(["\n", "\r\n"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        "encoding": draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])),
        "date": draw(st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %b %Y"])),
        "missing": draw(st.sampled_from(["", "NA", "null"])),
    }


@st.composite
def tables(draw):
    count = draw(st.integers(4, 25))
    hundredths = st.integers(-9_999_999, 9_999_999).filter(lambda value: value % 100)
    days = st.integers(0, 40_000).map(lambda days: date(1950, 1, 1) + timedelta(days=days))
    columns = {
        "word": draw(st.lists(PHRASES, min_size=count, max_size=count)),
        "amount": [value / 100 for value in draw(st.lists(hundredths, min_size=count, max_size=count))],
        "pieces": draw(st.lists(st.integers(-999, 999), min_size=count, max_size=count)),
        "day": draw(st.lists(days, min_size=count, max_size=count)),
        "flag": draw(st.lists(st.booleans(), min_size=count, max_size=count)),
    }
    # No column is all missing, and the first row is whole, so that what the table is stays decided.
    for name in ("amount", "pieces", "day"):
        for index in draw(st.sets(st.integers(1, count - 1), max_size=count // 3)):
            columns[name][index] = None
    return columns


def grouped(value: float, dialect: dict) -> str:
    text = f"{value:,.2f}"
    whole, _, fraction = text.partition(".")
    return whole.replace(",", dialect["thousands"]) + dialect["decimal"] + fraction


def written(table: dict, dialect: dict) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(
        out, delimiter=dialect["delimiter"], quoting=dialect["quoting"], lineterminator=dialect["ending"]
    )
    writer.writerow(table)
    for word, amount, pieces, day, flag in zip(*table.values(), strict=True):
        writer.writerow(
            [
                word,
                dialect["missing"] if amount is None else grouped(amount, dialect),
                dialect["missing"] if pieces is None else str(pieces),
                dialect["missing"] if day is None else day.strftime(dialect["date"]),
                "true" if flag else "false",
            ]
        )
    return out.getvalue().encode(dialect["encoding"])


@FEW
@given(tables(), dialects())
def test_a_table_in_any_dialect_comes_back_equal(table, dialect):
    read = intake.read(written(table, dialect))
    assert [column.name for column in read.columns] == list(table)
    assert read.rows == len(table["word"])
    assert read.frame["word"].tolist() == [word.strip() for word in table["word"]]
    for name in ("amount", "pieces"):
        got = [None if pd.isna(value) else float(value) for value in read.frame[name]]
        assert got == pytest.approx(table[name]), name
    days = [None if pd.isna(value) else value.date() for value in read.frame["day"]]
    assert days == table["day"]
    assert read.columns[4].type == "boolean"
    assert read.frame["flag"].tolist() == table["flag"]
    assert read.reading.delimiter == dialect["delimiter"]
    assert read.reading.decimal == dialect["decimal"]


@FEW
@given(tables(), dialects())
def test_the_canonical_form_always_reads_back_to_the_same_frame(table, dialect):
    read = intake.read(written(table, dialect))
    columns = [column.as_json() for column in read.columns]
    pd.testing.assert_frame_equal(intake.read_canonical(read.data_csv, columns), read.frame)
    plain = pd.read_csv(io.BytesIO(read.data_csv), **intake.read_arguments(columns))
    assert plain["word"].tolist() == read.frame["word"].tolist()
    assert plain["amount"].tolist() == pytest.approx(read.frame["amount"].astype("float64").tolist(), nan_ok=True)
    assert plain["day"].dropna().tolist() == read.frame["day"].dropna().tolist()


def outcome(data: bytes, **how) -> None:
    """Reading ends in a table or a refusal with a sentence."""
    try:
        table = intake.read(data, **how)
    except Refusal as refusal:
        assert refusal.detail  # noqa: PT017  both outcomes are right, each with its own demand
        return
    assert len(table.frame) == table.rows
    assert len(table.columns) == len({column.name for column in table.columns}) == table.frame.shape[1]
    columns = [column.as_json() for column in table.columns]
    pd.testing.assert_frame_equal(intake.read_canonical(table.data_csv, columns), table.frame)
    intake.json_rows(table.frame.head(20))


@FEW
@given(st.binary(max_size=400))
def test_random_bytes_end_in_a_table_or_a_sentence(data):
    outcome(data)


@settings(FEW, max_examples=200)
@given(st.text(st.sampled_from("ab1290,;|\t\n\r\"'.-/:%€$()eE+ \u00a0é{}[]<>tdrhl_#=\\"), max_size=120))
@example("0.\n1e999,\n")
@example("1\n" + "9" * 400)
def test_random_tables_of_awkward_signs_end_in_a_table_or_a_sentence(text):
    outcome(text.encode())


CELL = st.one_of(
    WORDS,
    st.integers().map(str),
    st.floats().map(str),
    st.dates().map(str),
    st.datetimes().map(str),
    st.times().map(str),
    st.text(max_size=6),
    st.sampled_from(
        ["", "NA", "-", "1.234", "1,234", "12 %", "$5", "(3)", "2024-Q1", "2024-W53", "31/12/9999", "0001-01-01"]
    ),
)


@example([["a", "b", "c"], ["x", "0\r:", "1"], ["y", "z\r\nw", "2"]], ",")
@FEW
@given(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=12), st.sampled_from([",", ";", "\t"]))
def test_random_cells_end_in_a_table_or_a_sentence(rows, delimiter):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    outcome(out.getvalue().encode("utf-8", errors="replace"))


@example([["AAA", "2024-W53"], ["AAA", "2000-01-01"]], "date")
@FEW
@given(
    st.lists(st.lists(CELL, min_size=2, max_size=2), min_size=2, max_size=8),
    st.sampled_from(["number", "date", "category", "boolean", "text"]),
)
def test_any_type_may_be_asked_for(rows, type_):
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["a", "b"], *rows])
    outcome(out.getvalue().encode("utf-8", errors="replace"), columns=[{"name": "b", "type": type_}])


@example([{"": 8.988465674311579e307}, {"": 8.98846567431158e307}])
@FEW
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
        max_leaves=20,
    )
)
def test_random_json_ends_in_a_table_or_a_sentence(value):
    outcome(json.dumps(value).encode(), reading={"format": "json"})
