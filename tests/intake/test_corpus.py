"""Every committed table is read as its row of the manifest says, and its canonical form reads back alone."""

import hashlib
import io
import json
import math
from pathlib import Path

import pandas as pd
import pytest

from agents_app import intake

DATA = Path(__file__).parent.parent / "data"
FILES = json.loads((DATA / "manifest.json").read_text())["files"]
EACH = pytest.mark.parametrize("row", FILES, ids=[row["id"] for row in FILES])


def brought(row: dict) -> bytes:
    """The bytes as a person brings them: a paste arrives as UTF-8."""
    data = (DATA / row["file"]).read_bytes()
    return data.decode(row["expected"]["encoding"]).encode() if row["how"] == "paste" else data


def read(row: dict) -> intake.Table:
    return intake.read(brought(row), file_name=row["file"], how=row["how"])


@EACH
def test_the_file_is_the_one_that_the_manifest_describes(row):
    assert hashlib.sha256((DATA / row["file"]).read_bytes()).hexdigest() == row["sha256"]


@EACH
def test_rows_columns_and_types_are_right(row):
    table, expected = read(row), row["expected"]
    assert table.rows == expected["n_rows"]
    assert len(table.columns) == expected["n_cols"]
    for got, want in zip(table.columns, expected["columns"], strict=True):
        assert got.type in (want.get("accept") or [want["type"]]), got.name
        assert got.missing == want["n_missing"], got.name
        assert want.get("kind") in (None, got.kind), got.name
        assert want.get("unit") in (None, got.unit), got.name
        if "n_distinct" in want:
            assert got.distinct == want["n_distinct"], got.name


@EACH
def test_names_are_those_of_the_header(row):
    table = read(row)
    wanted = [column["name"] for column in row["expected"]["columns"]]
    assert [column.name for column in table.columns] == wanted


@EACH
def test_values_are_right(row):
    for got, want in zip(read(row).columns, row["expected"]["columns"], strict=True):
        for key in ("sum", "min", "max"):
            if key not in want or got.type not in ("number", "date"):
                continue
            value = getattr(got, key)
            if got.type == "date":
                assert value == want[key], (got.name, key)
            else:
                assert math.isclose(value, want[key], rel_tol=1e-9), (got.name, key)
        if "n_true" in want and got.type == "boolean":
            assert int(read(row).frame[got.name].sum()) == want["n_true"]


@EACH
def test_the_receipt_says_how_it_was_read(row):
    reading, expected = read(row).reading, row["expected"]
    for key in (
        "format",
        "encoding",
        "delimiter",
        "decimal",
        "thousands",
        "skipped_rows",
        "header_rows",
        "footer_rows",
    ):
        assert getattr(reading, key) == expected[key], key
    assert reading.missing_marks == expected["missing_marks"]
    for got, want in zip(read(row).columns, expected["columns"], strict=True):
        if "format" in want:
            assert got.format == want["format"].removesuffix(" (no leading zeros)")


@EACH
def test_data_csv_reads_back_with_pandas_alone(row):
    table = read(row)
    columns = [column.as_json() for column in table.columns]
    plain = pd.read_csv(io.BytesIO(table.data_csv), **intake.read_arguments(columns))
    assert list(plain.columns) == list(table.frame.columns)
    for column in table.columns:
        ours, theirs = table.frame[column.name], plain[column.name]
        assert ours.isna().tolist() == theirs.isna().tolist(), column.name
        left, right = ours.dropna().tolist(), theirs.dropna().tolist()
        if column.type == "number":
            assert left == pytest.approx(right, rel=1e-12)
        else:
            assert left == right


@EACH
def test_the_canonical_form_reads_back_to_the_same_frame(row):
    table = read(row)
    again = intake.read_canonical(table.data_csv, [column.as_json() for column in table.columns])
    pd.testing.assert_frame_equal(again, table.frame)


@EACH
def test_reading_the_canonical_form_again_changes_nothing(row):
    table = read(row)
    again = intake.read(table.data_csv)
    assert again.data_csv == table.data_csv
    assert [column.type for column in again.columns] == [column.type for column in table.columns]


def test_every_file_names_its_source_and_licence():
    sources = (DATA / "SOURCES.md").read_text()
    assert all(f"`{row['file']}`" in sources for row in FILES)
    assert sources.count("CC-BY-4.0") >= 2
