"""Texts to dates by explicit patterns; ISO is never day-first, and day or month first is decided per column."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_MONTHS = {
    1: "january jan januar jän jänner janvier janv enero ene gennaio gen janeiro januari styczeń января janvāris",
    2: "february feb februar février fevrier févr fevr fév febrero febbraio fevereiro fev februari luty февраля",
    3: "march mar märz mrz maerz mars marzo março mart maart mrt marzec марта",
    4: "april apr avril avr abril abr aprile kwiecień апреля",
    5: "may mai mayo maggio mag maio mei maj мая",
    6: "june jun juni juin junio giugno giu junho czerwiec июня",
    7: "july jul juli juillet juil julio luglio lug julho lipiec июля",
    8: "august aug août aout agosto ago augustus augusti sierpień августа",
    9: "september sep sept septembre septiembre settembre set setembro wrzesień сентября",
    10: "october oct oktober okt octobre octubre ottobre ott outubro out październik октября",
    11: "november nov novembre noviembre novembro listopad ноября",
    12: "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro grudzień декабря",
}


def _plain(word: str) -> str:
    """Lower case without accents and full stops."""
    split = unicodedata.normalize("NFKD", word.casefold().replace(".", ""))
    return "".join(character for character in split if not unicodedata.combining(character))


MONTH_NUMBERS = {_plain(word): number for number, words in _MONTHS.items() for word in words.split()}
_SHORT_ENGLISH = frozenset(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"])
_WEEKDAY = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+|(?:mo|di|mi|do|fr|sa|so)\.?,\s+",
    re.IGNORECASE,
)
_TIME = (
    r"(?:(?:[T ]|,\s)\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})"
    r"(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"\s*(?P<half>[aApP]\.?[mM]\.?)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?"
)
_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_SHAPES: dict[str, re.Pattern[str]] = {
    "ymd": re.compile(rf"(?P<a>\d{{4}})(?P<mark>[-/.])(?P<b>\d{{1,2}})(?P=mark)(?P<c>\d{{1,2}})\.?{_TIME}"),
    "dmy": re.compile(rf"(?P<a>\d{{1,2}})(?P<mark>[-/.]) ?(?P<b>\d{{1,2}})(?P=mark) ?(?P<c>\d{{4}}|\d{{2}}){_TIME}"),
    "dny": re.compile(
        rf"(?P<a>\d{{1,2}})(?:\.|st|nd|rd|th)?[ \-/]*(?:de )?{_NAME}(?P<mark>[ \-/,.]*)(?:de )?"
        rf"(?P<c>\d{{4}}|'?\d{{2}}){_TIME}"
    ),
    "ndy": re.compile(rf"{_NAME} *(?P<a>\d{{1,2}})(?:st|nd|rd|th)?(?P<mark>,? +)(?P<c>\d{{4}}){_TIME}"),
    "ny": re.compile(rf"{_NAME}(?P<mark>[ \-/,]*)(?:de )?(?P<c>\d{{4}}|'\d{{2}}|(?<=[-/])\d{{2}})"),
    "yn": re.compile(rf"(?P<c>\d{{4}})(?P<mark>[ \-/]+){_NAME}"),
    "ym": re.compile(r"(?P<a>\d{4})(?P<mark>[-/])(?P<b>\d{1,2})|(?P<a2>\d{4})M(?P<b2>\d{2})"),
    "my": re.compile(r"(?P<b>\d{1,2})(?P<mark>[-/.])(?P<c>\d{4})"),
    "quarter": re.compile(r"(?P<c>\d{4})[ \-/]?[Qq](?P<b>[1-4])|[Qq](?P<b2>[1-4])[ \-/.]*(?P<c2>\d{4})"),
    "week": re.compile(r"(?P<c>\d{4})-?[Ww](?P<b>\d{2})(?:-?(?P<a>[1-7]))?"),
    "compact": re.compile(r"(?P<a>(?:19|20)\d{2})(?P<b>\d{2})(?P<c>\d{2})"),
}
KINDS = {"ny": "month", "yn": "month", "ym": "month", "my": "month", "quarter": "quarter", "week": "week"}
_CENTURY_TURN = 69  # as strptime reads %y: 69 is 1969, 68 is 2068
TIME_OF_DAY = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s*[aApP][mM])?")


@dataclass(frozen=True)
class Shaped:
    """A text that has the shape of a date: the shape's name and its parts; day and month still open for `dmy`."""

    shape: str
    match: re.Match[str]

    @property
    def first(self) -> int:
        """The first of the two numbers before the year (`dmy`)."""
        return int(self.match["a"])

    @property
    def second(self) -> int:
        """The second of the two numbers before the year (`dmy`)."""
        return int(self.match["b"])


def shaped(cell: str, only: str | None = None) -> Shaped | None:
    """The shape of a date's text; `only` tries one shape. A first shape that fits wins."""
    if only is not None:
        match = _SHAPES[only].fullmatch(_without_weekday(cell))
        return _known(only, match)
    if not any(character.isdecimal() for character in cell) or len(cell) > 45:
        return None
    text = _without_weekday(cell)
    for name, pattern in _SHAPES.items():
        if name != "compact" and (found := _known(name, pattern.fullmatch(text))):
            return found
    return None


def _known(name: str, match: re.Match[str] | None) -> Shaped | None:
    """A match whose month's name, if it has one, is a month."""
    if match is None or ("name" in match.re.groupindex and _plain(match["name"]) not in MONTH_NUMBERS):
        return None
    return Shaped(name, match)


def _without_weekday(cell: str) -> str:
    match = _WEEKDAY.match(cell) if cell[:1].isalpha() else None
    return cell[match.end() :] if match else cell


@dataclass(frozen=True)
class Moment:
    """A date or time; `offset` is its distance from UTC where the text named one."""

    at: datetime
    timed: bool = False
    offset: timedelta | None = None


def moment(found: Shaped, day_first: bool) -> Moment | None:  # noqa: PLR0911  one return per shape reads best
    """The date of a shaped text, or None when there is no such day (31 February)."""
    match, shape = found.match, found.shape
    try:
        if shape in ("ymd", "compact"):
            day = date(int(match["a"]), int(match["b"]), int(match["c"]))
        elif shape == "dmy":
            days, months = (found.first, found.second) if day_first else (found.second, found.first)
            day = date(_year(match["c"]), months, days)
        elif shape in ("dny", "ndy"):
            day = date(_year(match["c"]), MONTH_NUMBERS[_plain(match["name"])], int(match["a"]))
        elif shape in ("ny", "yn"):
            return Moment(datetime(_year(match["c"]), MONTH_NUMBERS[_plain(match["name"])], 1))
        elif shape == "ym":
            return Moment(datetime(int(match["a"] or match["a2"]), int(match["b"] or match["b2"]), 1))
        elif shape == "my":
            return Moment(datetime(int(match["c"]), int(match["b"]), 1))
        elif shape == "quarter":
            return Moment(datetime(int(match["c"] or match["c2"]), 3 * int(match["b"] or match["b2"]) - 2, 1))
        else:
            day = date.fromisocalendar(int(match["c"]), int(match["b"]), int(match["a"] or 1))
            return Moment(datetime(day.year, day.month, day.day))
        return _with_time(day, match)
    except ValueError:
        return None


def _with_time(day: date, match: re.Match[str]) -> Moment:
    """The day with the time of the match; 24:00 is the next midnight."""
    parts = match.groupdict()
    if parts.get("hour") is None:
        return Moment(datetime(day.year, day.month, day.day))
    hour, minute, second = int(parts["hour"]), int(parts["minute"]), int(parts["second"] or 0)
    if half := (parts["half"] or "").lower().replace(".", ""):
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + (12 if half == "pm" else 0)
    micro = int((parts["fraction"] or "0").ljust(6, "0")[:6])
    extra = timedelta()
    if (hour, minute, second) == (24, 0, 0):
        hour, extra = 0, timedelta(days=1)
    zone = parts["zone"]
    offset = None
    if zone:
        offset = timedelta()
        if zone[0] in "+-":
            digits = zone[1:].replace(":", "").ljust(4, "0")
            offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * (-1 if zone[0] == "-" else 1)
    try:
        at = datetime(day.year, day.month, day.day, hour, minute, min(second, 59), micro) + extra
    except OverflowError as error:
        raise ValueError("beyond the calendar") from error
    return Moment(at, True, offset)


def _year(text: str) -> int:
    digits = text.lstrip("'")
    year = int(digits)
    return year if len(digits) == 4 else year + (1900 if year >= _CENTURY_TURN else 2000)


def pattern(found: Shaped, day_first: bool) -> str:
    """The strptime pattern of a shaped text, as the receipt shows it."""
    parts = found.match.groupdict()
    mark = parts.get("mark") or ""
    year = "%Y" if parts.get("c") is None or len((parts.get("c") or "").lstrip("'")) == 4 else "%y"
    name = parts.get("name") or ""
    month = "%b" if _plain(name) in _SHORT_ENGLISH or len(name) <= 4 else "%B"
    base = {
        "ymd": f"%Y{mark}%m{mark}%d",
        "compact": "%Y%m%d",
        "dmy": f"%d{mark}%m{mark}{year}" if day_first else f"%m{mark}%d{mark}{year}",
        "dny": f"%d{'.' if '.' in found.match.group()[:3] else ''}{mark or ' '}{month}{mark or ' '}{year}",
        "ndy": f"{month} %d{mark.rstrip() + ' '}%Y",
        "ny": f"{month}{mark}{year}",
        "yn": f"%Y{mark}{month}",
        "ym": f"%Y{mark or 'M'}%m",
        "my": f"%m{mark}%Y",
        "quarter": "%Y-Q%q",
        "week": "%G-W%V",
    }[found.shape]
    return base + _time_pattern(found.match)


def _time_pattern(match: re.Match[str]) -> str:
    parts = match.groupdict()
    if parts.get("hour") is None:
        return ""
    text = ("T" if "T" in match.group() else " ") + ("%I:%M" if parts["half"] else "%H:%M")
    if parts["second"]:
        text += ":%S" + (".%f" if parts["fraction"] else "")
    return text + (" %p" if parts["half"] else "") + ("%z" if parts["zone"] else "")


def looks_like_date(cell: str) -> bool:
    """True when `cell` has the shape of a date and there is such a day."""
    found = shaped(cell)
    return found is not None and (moment(found, True) is not None or moment(found, False) is not None)
