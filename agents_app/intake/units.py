"""What a column's name says about its values: unit, year, id, percent, currency."""

import re

from agents_app.intake.numbers import CURRENCIES, UNITS

_BRACKETED = re.compile(r"[\[(]([^\[\]()]{1,40})[\])]\s*$")
_AFTER = re.compile(r"(?:,| in)\s+(\S{1,20}(?: \S{1,20})?)\s*$")
_TOKENS = re.compile(r"[^\W_]+|%|[€$£¥₹]", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_YEAR_WORDS = _words(
    "year years yr yyyy jahr jahre année annee années año ano años anos anno anni rok roku år ar vuosi jaar έτος ετος "
    "год года 年 年份 年度 fiscalyear fy season vintage geburtsjahr baujahr"
)
_ID_WORDS = _words(
    "id ids uuid guid key pk index idx fips zip zipcode plz postcode postal iso code codes nr no kennung schlüssel "
    "schluessel matricule isbn ean gtin sku iban ssn siren siret insee"
)
_NUMBER_WORDS = _words("number num nummer numéro numero número numer")
_PERCENT_WORDS = _words("% percent percentage pct prozent pourcentage porcentaje percentuale perc")
_MONEY_NAMES = _words("dollars euros euro") | {
    name.casefold() for name in CURRENCIES if name.isalpha() and len(name) == 3
}
_SCALES = _words(
    "thousand thousands million millions billion billions mio mrd mn bn tsd k tausend millionen milliarden"
)
_NO_SUFFIXES = _words("in days hours years min d")  # words of their own at the end of a name
_POWER = re.compile(r"10[⁰¹²³⁴⁵⁶⁷⁸⁹^\d]+")


def tokens(name: str) -> list[str]:
    """The words of a column's name in lower case: `bill_length_mm` and `billLength` split."""
    return [word.casefold() for word in _TOKENS.findall(_CAMEL.sub(" ", name))]


def kind_of_name(name: str) -> str | None:
    """`year`, `id`, `percent`, `currency` or None, by the words of a name."""
    words = tokens(name)
    if not words:
        return None
    if words[-1] in _YEAR_WORDS or words[0] in _YEAR_WORDS:
        return "year"
    if words[-1] in _ID_WORDS or (len(words) > 1 and words[-1] in _NUMBER_WORDS) or words[0] in ("id", "uuid"):
        return "id"
    if any(word in _PERCENT_WORDS for word in words):
        return "percent"
    if any(word in "€$£¥₹" for word in words) or words[-1] in _MONEY_NAMES:
        return "currency"
    return None


def unit_of_name(name: str) -> str | None:
    """The unit that a name ends with: `Rain (mm)`, `Rain [mm]`, `Rain in mm`, `rain_mm`, `Cost $`."""
    text = name.strip()
    if match := _BRACKETED.search(text):
        inside = match[1].strip()
        return inside if _is_unit(inside) else None
    if (match := _AFTER.search(text)) and _is_unit(match[1]):
        return match[1]
    if text[-1:] in ("%", "€", "£", "¥", "₹", "$") and len(text) > 1:
        return text[-1]
    parts = re.split(r"[_\s]", text)
    last = parts[-1]
    # A single letter at the end of words is seldom a unit; after an underscore it is.
    if len(parts) > 1 and last in UNITS and (len(last) > 1 or "_" in text) and last not in _NO_SUFFIXES:
        return last
    return None


def _is_unit(text: str) -> bool:
    """True for a known unit, one built of them (kg/m²), a power of ten, or a scale of a currency (million USD)."""
    if text in UNITS or text in CURRENCIES or text == "%":
        return True
    words = text.split()
    if len(words) > 1:
        return all(_is_unit(word) or _POWER.fullmatch(word) or word.casefold().rstrip(".") in _SCALES for word in words)
    if text.casefold().rstrip(".") in _SCALES or _POWER.fullmatch(text):
        return True
    parts = re.split(r"[/·*⋅]", text)
    return len(parts) > 1 and all(_part(part) for part in parts)


def _part(text: str) -> bool:
    plain = text.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹^-−0123456789")
    return (
        text in UNITS
        or plain in UNITS
        or text in CURRENCIES
        or plain in ("", "%")
        or text.casefold() in ("person", "capita", "day", "year")
    )
