"""Columns and frames as intake makes them, for tests of recipes."""

import io
from typing import Any

import pandas as pd

from agents_app import intake


def table(text: str) -> tuple[list[dict[str, Any]], pd.DataFrame, bytes]:
    """Columns, typed frame and canonical bytes of a pasted table."""
    read = intake.read(text.encode(), how="paste")
    columns = [column.as_json() for column in read.columns]
    return columns, intake.read_canonical(read.data_csv, columns), read.data_csv


def run_loader(lines: str, data_csv: bytes, monkeypatch: Any, tmp_path: Any) -> pd.DataFrame:
    """What the loader's pandas lines leave in `df`, beside this `data.csv`."""
    (tmp_path / "data.csv").write_bytes(data_csv)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"pd": pd}
    exec(compile(lines, "loader", "exec"), scope)
    frame = scope["df"]
    assert isinstance(frame, pd.DataFrame)
    return frame


def column(name: str, type_: str = "number", **more: Any) -> dict[str, Any]:
    """One column's JSON."""
    plain = {"name": name, "source_name": name, "type": type_, "kind": None, "unit": None, "format": None}
    return {**plain, "missing": 0, "distinct": 3, "min": 1, "max": 9, "sum": 10, "sample": [], **more}


def same(one: pd.DataFrame, two: pd.DataFrame) -> None:
    """Fail unless both frames hold the same rows in the same order, whatever their dtypes."""
    assert list(one.columns) == list(two.columns)
    assert len(one) == len(two)
    for name in one.columns:
        for left, right in zip(one[name].tolist(), two[name].tolist(), strict=True):
            if isinstance(left, float | int) and isinstance(right, float | int):
                assert abs(left - right) <= 1e-9 * max(1.0, abs(left)), (name, left, right)
            else:
                assert left == right, (name, left, right)


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """A frame as canonical bytes."""
    out = io.StringIO()
    frame.to_csv(out, index=False)
    return out.getvalue().encode()
