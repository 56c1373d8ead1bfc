"""What the receipt says about a column: counts, range, sum, a few values."""

import math
from typing import Any

import pandas as pd

from agents_app.intake.cells import Typed
from agents_app.intake.table import Column, json_rows
from anyplot_site import bounds


def summarise(typed: Typed) -> Column:
    """The column's entry in the receipt."""
    values = typed.values
    known = values.dropna()
    unique = known.drop_duplicates()
    low: float | str | None = None
    high: float | str | None = None
    total: float | None = None
    if typed.type == "number" and len(known):
        low, high, total = _number_range(known)
    elif typed.type == "date" and len(known):
        low, high = _date_text(known.min()), _date_text(known.max())
    return Column(
        name=typed.name,
        source_name=typed.source_name,
        type=typed.type,
        kind=typed.kind,
        unit=typed.unit,
        format=typed.format,
        missing=int(values.isna().sum()),
        distinct=len(unique),
        min=low,
        max=high,
        sum=total,
        sample=[row[0] for row in json_rows(unique.head(bounds.SAMPLE_VALUES).to_frame())],
    )


def _number_range(known: "pd.Series[Any]") -> tuple[float, float, float | None]:
    """Least, greatest, and the sum (None beyond what a number holds); whole ones stay whole, others keep 15 digits."""
    values = known.tolist()
    if str(known.dtype) == "Int64":
        return min(values), max(values), sum(values)
    try:
        total = float(f"{math.fsum(values):.15g}")
    except OverflowError:
        total = math.inf
    return min(values), max(values), total if math.isfinite(total) else None


def _date_text(stamp: Any) -> str:
    return str(stamp.isoformat()).removesuffix("T00:00:00")
