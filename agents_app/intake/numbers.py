"""Texts to numbers: which decimal and thousands marks a column uses, by evidence, and the values.

A single mark followed by exactly three digits ("1.234") says nothing by itself: the column's other cells decide,
then the file's other columns, then the delimiter; when nothing decides, the caller is told so.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

SPACES = " \u00a0\u202f\u2009"
QUOTES = "'\u2019"
CURRENCIES = {
    "$": "$", "US$": "$", "€": "€", "£": "£", "¥": "¥", "₹": "₹", "₽": "₽", "₺": "₺", "₩": "₩", "zł": "zł", "Kč": "Kč",
    "USD": "USD", "EUR": "EUR", "GBP": "GBP", "CHF": "CHF", "JPY": "JPY", "CNY": "CNY", "SEK": "SEK", "NOK": "NOK",
    "DKK": "DKK", "PLN": "PLN", "CZK": "CZK", "CAD": "CAD", "AUD": "AUD", "INR": "INR", "BRL": "BRL", "R$": "R$",
    "Fr.": "CHF", "kr": "kr", "Euro": "€", "A$": "A$", "C$": "C$",
}  # fmt: skip
UNITS = frozenset(
    {
        "mm", "cm", "dm", "m", "km", "in", "ft", "yd", "mi", "nm", "µm", "μm", "mg", "µg", "μg", "g", "kg", "t",
        "lb", "lbs", "oz", "ml", "mL", "cl", "dl", "l", "L", "gal", "s", "ms", "µs", "ns", "sec", "min", "h", "hr",
        "hrs", "hours", "days", "d", "°C", "°F", "°", "K", "℃", "Pa", "hPa", "kPa", "MPa", "bar", "mbar", "psi", "W",
        "kW", "MW", "GW", "TW", "Wh", "kWh", "MWh", "GWh", "TWh", "J", "kJ", "MJ", "GJ", "cal", "kcal", "V", "mV",
        "kV", "A", "mA", "Ah", "mAh", "Ω", "ohm", "Hz", "kHz", "MHz", "GHz", "N", "kN", "Nm", "mol", "mmol", "ppm",
        "ppb", "dB", "px", "pt", "bit", "B", "kB", "KB", "MB", "GB", "TB", "MiB", "GiB", "ha", "m²", "m2", "km²",
        "km2", "cm²", "cm2", "ft²", "ft2", "sqft", "sqm", "m³", "m3", "cm³", "cm3", "km³", "km3", "km/h", "kmh",
        "mph", "m/s", "kn", "kt", "knots", "rpm", "bpm", "g/l", "mg/l", "mg/dl", "mg/dL", "µg/m³", "g/km", "l/100km",
        "mpg", "pcs", "Stk", "Stück", "o/oo", "‰", "lx", "lm", "cd", "T", "mT", "Bq", "Sv", "mSv", "yr", "yrs",
        "years", "Jahre", "Std", "Min", "Sek", "Tage",
    }
)  # fmt: skip
_CURRENCY = "|".join(re.escape(mark) for mark in sorted(CURRENCIES, key=len, reverse=True))
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_SIGN = "[+\\-\u2212\u2013]"
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>{_SIGN})?\s*(?P<before>{_CURRENCY})?\s*(?P<inner>{_SIGN})?\s*"
    rf"(?P<core>[.,]?\d[\d.,{QUOTES}{SPACES}]*?)(?P<exponent>[eE][+\-\u2212]?\d{{1,3}})?\s*(?P<trailing>-)?\s*"
    rf"(?:(?P<percent>%)|(?P<after>{_CURRENCY})|(?P<unit>{_UNIT}))?\s*(?P<close>\))?"
)
_LONGEST = 60  # characters; a longer cell is no number a person wrote
_PLAIN = re.compile(r"\d+")
_ONE_MARK = re.compile(r"(\d*)([.,])(\d*)")
_GROUPS = {
    mark: re.compile(
        rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+|\d{{1,2}}(?:{re.escape(mark)}\d{{2}})+{re.escape(mark)}\d{{3}}"
    )
    for mark in ".,"
}
_WIDE = rf"\d{{1,3}}(?:([{SPACES}{QUOTES}])\d{{3}})(?:\1\d{{3}})*"
_WIDE_WHOLE = re.compile(_WIDE)
_WIDE_NUMBER = re.compile(rf"{_WIDE}(?:[.,]\d+)?")
# Lines in which a group is not of three digits, the first one is longer than three, or one follows the decimal mark.
_BAD_GROUPS = {
    group: re.compile(
        rf"{re.escape(group)}(?!\d{{3}}(?:[{group}{decimal}eE]|$))|^[+-]?(?:\d{{4,}})?{re.escape(group)}"
        rf"|{re.escape(decimal)}\d*{re.escape(group)}",
        re.MULTILINE,
    )
    for group, decimal in ((".", ","), (",", "."))
}


def _searches(mark: str, other: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns over many lines: `mark` is a decimal mark for sure, it groups for sure, it may be either."""
    m, o = re.escape(mark), re.escape(other)
    decimal = (
        rf"^[+-]?(?:\d*{m}\d{{0,2}}|\d*{m}\d{{4,}}|0+{m}\d+|{m}\d+|\d{{4,}}{m}\d*|\d[\d{o}]*{o}\d*{m}\d*)(?:$|[eE])"
    )
    group = rf"^[+-]?(?:\d{{1,3}}(?:{m}\d{{2,3}}){{2,}}|\d{{1,3}}(?:{m}\d{{2,3}})+{o}\d*)(?:$|[eE])"
    unsure = rf"^[+-]?[1-9]\d{{0,2}}{m}\d{{3}}$"
    return re.compile(decimal, re.MULTILINE), re.compile(group, re.MULTILINE), re.compile(unsure, re.MULTILINE)


_POINT, _COMMA = _searches(".", ","), _searches(",", ".")
_LEADING_ZERO = re.compile(r"^0\d+$", re.MULTILINE)
SIMPLE_CHARACTERS = frozenset("0123456789.,+-eE\n")


@dataclass(frozen=True)
class Marks:
    """The decimal mark (`.` or `,`) and the thousands mark (empty: none) of a column."""

    decimal: str = "."
    thousands: str = ""

    @property
    def example(self) -> str | None:
        """How 1234.56 looks with these marks; None for the plain form."""
        return None if (self.decimal, self.thousands) == (".", "") else f"1{self.thousands}234{self.decimal}56"


@dataclass(frozen=True)
class Piece:
    """A number's text taken apart: `core` still has its marks; `negative` from a sign or parentheses."""

    core: str
    exponent: str = ""
    negative: bool = False
    percent: bool = False
    currency: str = ""
    unit: str = ""


@dataclass
class Evidence:
    """How many cells (counted with repeats) speak for which marks."""

    point_decimal: int = 0
    comma_decimal: int = 0
    point_group: int = 0
    comma_group: int = 0
    unsure_point: int = 0
    unsure_comma: int = 0
    wide: str = ""  # a space or an apostrophe between groups
    whole_small: bool = False  # whole numbers below 1000 without a mark
    whole_large: bool = False  # whole numbers of four digits and more without a mark

    @property
    def for_comma(self) -> int:
        """Cells in which the comma is the decimal mark for sure."""
        return self.comma_decimal + self.point_group

    @property
    def for_point(self) -> int:
        """Cells in which the point is the decimal mark for sure."""
        return self.point_decimal + self.comma_group


def take_apart(cell: str) -> Piece | None:
    """The parts of a number's text, or None when it is no number under any marks."""
    match = _NUMBER.fullmatch(cell) if len(cell) <= _LONGEST else None
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    core = match["core"]
    if core[-1:] in ("'", "\u2019") or not _possible(core):
        return None
    signs = [sign for sign in (match["sign"], match["inner"], match["trailing"]) if sign]
    if len(signs) > 1 or (signs and match["open"]):
        return None
    negative = bool(match["open"]) or (bool(signs) and signs[0] != "+")
    currency = match["before"] or match["after"] or ""
    if match["before"] and match["after"]:
        return None
    return Piece(
        core=core,
        exponent=(match["exponent"] or "").replace("\u2212", "-"),
        negative=negative,
        percent=bool(match["percent"]),
        currency=CURRENCIES.get(currency, ""),
        unit=match["unit"] or "",
    )


def _possible(core: str) -> bool:
    """True when some pair of marks makes a number of `core`."""
    return value(core, Marks(".", "*")) is not None or value(core, Marks(",", "*")) is not None


def value(core: str, marks: Marks) -> float | None:
    """The number in `core` under `marks` (thousands `*`: any), or None when its marks do not fit them."""
    if _PLAIN.fullmatch(core):
        return float(core)
    whole, mark, fraction = core.partition(marks.decimal)
    if mark and (not fraction.isdecimal() and fraction != ""):
        return None
    if not whole and not fraction:
        return None
    if whole and not _PLAIN.fullmatch(whole):
        other = "," if marks.decimal == "." else "."
        if _WIDE_WHOLE.fullmatch(whole):
            whole = re.sub(rf"[{SPACES}{QUOTES}]", "", whole)
        elif other in whole and _GROUPS[other].fullmatch(whole) and marks.thousands in ("*", other):
            whole = whole.replace(other, "")
        else:
            return None
    return float(f"{whole or '0'}.{fraction or '0'}")


def weigh(evidence: Evidence, piece: Piece, count: int) -> None:
    """Adds what one text, seen `count` times, says about the marks."""
    core = piece.core
    if _PLAIN.fullmatch(core):
        if len(core) > 3:
            evidence.whole_large = True
        else:
            evidence.whole_small = True
        return
    wide = _WIDE_NUMBER.fullmatch(core)
    if wide:
        evidence.wide = evidence.wide or ("'" if wide[1] in QUOTES else " ")
    points, commas = core.count("."), core.count(",")
    if points and commas:
        if core.rfind(",") > core.rfind("."):
            evidence.comma_decimal += count
            evidence.point_group += count
        else:
            evidence.point_decimal += count
            evidence.comma_group += count
    elif points > 1:
        evidence.point_group += count
    elif commas > 1:
        evidence.comma_group += count
    elif points or commas:
        _weigh_one_mark(evidence, piece, "." if points else ",", bool(wide), count)


def _weigh_one_mark(evidence: Evidence, piece: Piece, mark: str, wide: bool, count: int) -> None:
    """One mark alone: a decimal mark unless exactly three digits follow one to three."""
    match = _ONE_MARK.fullmatch(piece.core)
    sure = wide or match is None or len(match[3]) != 3 or not 1 <= len(match[1]) <= 3 or match[1].startswith("0")
    if sure or piece.exponent:
        if mark == ".":
            evidence.point_decimal += count
        else:
            evidence.comma_decimal += count
    elif piece.currency:
        # Nobody writes tenths of a cent: "$1,925" is grouped.
        if mark == ".":
            evidence.point_group += count
        else:
            evidence.comma_group += count
    elif mark == ".":
        evidence.unsure_point += count
    else:
        evidence.unsure_comma += count


def weigh_simple(joined: str, characters: set[str], evidence: Evidence) -> bool:
    """Weighs a column of simple texts (digits, marks, sign, exponent), one per line, without a loop over cells.

    False, with nothing weighed, when a text is no number or the texts contradict each other: then they have to be
    counted one by one.
    """
    if not characters <= SIMPLE_CHARACTERS or _floats(joined.replace(".", "").replace(",", "")) is None:
        return False
    point = [bool(pattern.search(joined)) for pattern in _POINT] if "." in characters else [False] * 3
    comma = [bool(pattern.search(joined)) for pattern in _COMMA] if "," in characters else [False] * 3
    if (point[0] or comma[1]) and (comma[0] or point[1]):
        return False
    evidence.point_decimal, evidence.point_group, evidence.unsure_point = map(int, point)
    evidence.comma_decimal, evidence.comma_group, evidence.unsure_comma = map(int, comma)
    evidence.whole_large = bool(re.search(r"^[+-]?\d{4,}$", joined, re.MULTILINE))
    evidence.whole_small = bool(re.search(r"^[+-]?\d{1,3}$", joined, re.MULTILINE))
    return True


def settle_currency(evidence: Evidence) -> None:
    """Three digits after one mark are a group where money is meant: nobody writes tenths of a cent."""
    evidence.point_group += evidence.unsure_point
    evidence.comma_group += evidence.unsure_comma
    evidence.unsure_point = evidence.unsure_comma = 0


def simple_values(joined: str, marks: Marks) -> list[float] | None:
    """The numbers of simple texts, one per line, or None when one of them does not fit the marks."""
    if marks.thousands in (".", ",") and marks.thousands in joined:
        if _BAD_GROUPS[marks.thousands].search(joined):
            return None
        joined = joined.replace(marks.thousands, "")
    if marks.decimal == ",":
        if "." in joined:
            return None
        joined = joined.replace(",", ".")
    return _floats(joined)


def _floats(joined: str) -> list[float] | None:
    """The floats of plain texts, one per line, or None."""
    try:
        return list(map(float, joined.split("\n")))
    except ValueError:
        return None


def has_leading_zeros(texts: Iterable[str] | str) -> bool:
    """True when a whole number starts with a zero that a number would lose ("007")."""
    joined = texts if isinstance(texts, str) else "\n".join(texts)
    return _LEADING_ZERO.search(joined) is not None


@dataclass(frozen=True)
class Decision:
    """The marks of a column; `unsure` when nothing decided and a default was taken, `weak` when only habit did."""

    marks: Marks
    unsure: bool = False
    weak: bool = False


def decide(own: Evidence, file: Evidence, delimiter: str | None) -> Decision:  # noqa: PLR0911  a ladder of evidence
    """The marks by the column's own cells, then the file's other columns, then the delimiter's habit."""
    wide = own.wide
    if own.for_comma or own.for_point:
        comma = own.for_comma > own.for_point
        group = wide or (("." if own.point_group else "") if comma else ("," if own.comma_group else ""))
        unsure_other = own.unsure_point if comma else own.unsure_comma
        if unsure_other and not group:
            group = "." if comma else ","
        return Decision(Marks("," if comma else ".", group))
    if not (own.unsure_point or own.unsure_comma):
        return Decision(Marks("," if file.for_comma > file.for_point else ".", wide))
    if file.for_comma or file.for_point:
        comma = file.for_comma > file.for_point
        return Decision(_marks_for(own, comma, wide), weak=file.for_comma > 0 and file.for_point > 0)
    mark = "." if own.unsure_point >= own.unsure_comma else ","
    if own.unsure_point and own.unsure_comma:
        return Decision(Marks(".", ","), unsure=True)
    if own.whole_large:
        # Large whole numbers stand there without a mark, so the mark does not group.
        return Decision(Marks(mark, wide), weak=True, unsure=True)
    if own.whole_small:
        # Only small whole numbers stand without a mark: the larger ones are grouped.
        return Decision(Marks("," if mark == "." else ".", mark), weak=True, unsure=True)
    if mark == "," and delimiter == ";":
        return Decision(Marks(",", wide), unsure=True)
    if mark == "." and delimiter == ";":
        return Decision(Marks(",", "."), unsure=True)
    return Decision(Marks(".", "," if mark == "," else wide), unsure=True)


def _marks_for(own: Evidence, comma: bool, wide: str) -> Marks:
    """Marks when the file's decimal mark is known: an unsure mark that is not it groups."""
    if comma:
        return Marks(",", wide or ("." if own.unsure_point else ""))
    return Marks(".", wide or ("," if own.unsure_comma else ""))


def number(piece: Piece, marks: Marks) -> float | None:
    """The value of a taken-apart text under `marks`; percent stays in percent points."""
    found = value(piece.core, marks)
    if found is None:
        return None
    if piece.exponent:
        found = float(f"{found!r}{piece.exponent}") if "e" not in repr(found) else found * 10 ** int(piece.exponent[1:])
    return -found if piece.negative else found


def looks_like_number(cell: str) -> bool:
    """True when `cell` is a number under some marks."""
    return take_apart(cell) is not None
