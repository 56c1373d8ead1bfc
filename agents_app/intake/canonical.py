"""The canonical table: UTF-8, comma, point, ISO dates, final names, all rows; and its way back.

It reads back to the same values with `pd.read_csv` alone; `read_arguments` says what to pass so that codes keep
their zeros and dates become dates.
"""

import csv
import io
import math
from typing import Any

import numpy as np
import pandas as pd

from agents_app.intake.table import Column

_MISSING = ""


def write_canonical(frame: pd.DataFrame, columns: list[Column]) -> bytes:
    """The canonical bytes of a typed frame."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    texts = [_texts(frame[column.name], column.type) for column in columns]
    writer.writerows(zip(*texts, strict=True))
    return out.getvalue().encode("utf-8", errors="replace")


def _texts(values: "pd.Series[Any]", type_: str) -> list[str]:
    """A column's cells as canonical texts."""
    if type_ == "number":
        return _number_texts(values)
    if type_ == "date":
        stamps = values.to_numpy("datetime64[us]")
        missing = np.isnat(stamps)
        known = stamps[~missing]
        whole_days = bool((known == known.astype("datetime64[D]")).all())
        texts = np.datetime_as_string(stamps, unit="D" if whole_days else "s")
        if not whole_days:
            # One length for the whole column, so that pandas finds one format.
            exact = bool((known == known.astype("datetime64[s]")).all())
            texts = np.datetime_as_string(stamps, unit="s" if exact else "us")
        return ["" if gone else str(text) for text, gone in zip(texts.tolist(), missing.tolist(), strict=True)]
    if type_ == "boolean":
        return ["" if value is pd.NA else "true" if value else "false" for value in values.astype("boolean").tolist()]
    return [value if isinstance(value, str) else _MISSING for value in values.tolist()]


def _number_texts(values: "pd.Series[Any]") -> list[str]:
    if str(values.dtype) == "Int64":
        return ["" if value is pd.NA else str(value) for value in values.tolist()]
    return ["" if math.isnan(value) else _plain(repr(value)) for value in values.astype("float64").tolist()]


def _plain(text: str) -> str:
    """`12.0` as `12`; exponents stay."""
    return text.removesuffix(".0")


def read_arguments(columns: list[dict[str, Any]]) -> dict[str, Any]:
    """Keywords for `pd.read_csv` beyond its defaults: `dtype` for columns of words, `parse_dates` for dates.

    Words need their type only so that codes such as 007 stay words; `columns` are `Column.as_json()` objects.
    """
    arguments: dict[str, Any] = {}
    if words := [column["name"] for column in columns if column["type"] in ("category", "text")]:
        arguments["dtype"] = dict.fromkeys(words, "str")
    if stamps := [column["name"] for column in columns if column["type"] == "date"]:
        arguments["parse_dates"] = stamps
    return arguments


def read_canonical(data_csv: bytes, columns: list[dict[str, Any]]) -> pd.DataFrame:
    """The typed frame of canonical bytes: the same values and dtypes as `Table.frame`.

    `columns` are `Column.as_json()` objects in the order of the file.
    """
    frame = pd.read_csv(
        io.BytesIO(data_csv),
        dtype="str",
        keep_default_na=False,
        na_values=[""],
        encoding="utf-8",
        skip_blank_lines=False,
    )
    frame.columns = pd.Index([column["name"] for column in columns])
    typed = {column["name"]: _typed(frame[column["name"]], column["type"]) for column in columns}
    return pd.DataFrame(typed)


def _typed(texts: "pd.Series[Any]", type_: str) -> "pd.Series[Any]":
    if type_ == "number":
        return _numbers(texts)
    if type_ == "date":
        stamps = [
            np.datetime64(value, "us") if isinstance(value, str) else np.datetime64("NaT") for value in texts.tolist()
        ]
        return pd.Series(np.array(stamps, dtype="datetime64[us]"), name=texts.name)
    if type_ == "boolean":
        return texts.map({"true": True, "false": False}).astype("boolean")
    return texts


def _numbers(texts: "pd.Series[Any]") -> "pd.Series[Any]":
    known = texts.dropna()
    if len(known) and not any(mark in text for text in known.unique().tolist() for mark in ".en"):
        return texts.astype("Int64")
    return texts.astype("float64")
