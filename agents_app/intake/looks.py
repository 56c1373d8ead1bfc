"""What a single cell looks like, before columns are known."""

import re

from agents_app.intake.dates import TIME_OF_DAY, looks_like_date
from agents_app.intake.missing import AMONG_VALUES, EVERYWHERE
from agents_app.intake.numbers import looks_like_number

_YEAR = re.compile(r"1[5-9]\d\d|20\d\d|21\d\d")
_FLAGS = frozenset(["true", "false", "yes", "no", "ja", "nein", "oui", "non", "wahr", "falsch", "vrai", "faux"])


def is_missing(cell: str) -> bool:
    """True for an empty cell and for every mark that may stand for one."""
    return cell in EVERYWHERE or cell in AMONG_VALUES


def is_typed(cell: str) -> bool:
    """True for a number, a date, a time or a truth value."""
    return (
        looks_like_number(cell)
        or looks_like_date(cell)
        or cell.casefold() in _FLAGS
        or TIME_OF_DAY.fullmatch(cell) is not None
    )


def is_year(cell: str) -> bool:
    """True for a whole number that may be a year, 1500 to 2199."""
    return _YEAR.fullmatch(cell) is not None
