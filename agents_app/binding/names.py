"""What the words of a column's name say about the role it is meant for.

Words are compared in lower case without accents. A word's weight says how strongly it speaks for a role.
"""

import re
import unicodedata
from functools import lru_cache

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[%€$£¥₹]")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `bill_length_mm`, `billLength` and `Bill length (mm)` split alike."""
    split = unicodedata.normalize("NFKD", _CAMEL.sub(" ", name)).casefold()
    plain = "".join(character for character in split if not unicodedata.combining(character))
    return tuple(_TOKEN.findall(plain))


def _weighted(**groups: str) -> dict[str, float]:
    """`{word: weight}` from `w60="words"`: the name's digits are hundredths."""
    return {word: int(key[1:]) / 100 for key, words in groups.items() for word in words.split()}


_DATE = _weighted(
    w90="date datum fecha data dato datetime timestamp zeit time day tag jour dia giorno dag pvm",
    w80="month monat mois mes mese maand quarter quartal trimestre week woche semaine semana periode period",
    w60="year jahr annee ano anno rok jaar vuosi ετος year created start begin",
    w10="updated modified end birth born geburt",
)
_CATEGORY = _weighted(
    w90="category categories kategorie categorie categoria kategoria group gruppe groupe grupo gruppo class "
    "klasse classe clase type typ tipo kind art species spezies espece especie series segment",
    w70="region continent kontinent country land pays pais paese state staat bundesland etat estado stato "
    "province department departement abteilung industry branche sector sektor brand marke product "
    "produkt produit producto prodotto item artikel model origin source herkunft name label bezeichnung "
    "phase weather wetter meteo method team city stadt ville ciudad citta energietrager energy channel "
    "store site station party partei status genre",
    w50="island cohort gender sex geschlecht sexe sexo sesso treatment arm level stage day size color colour "
    "farbe month monat time",
    w20="id code comment comments note notes bemerkung description beschreibung studyname",
)
_VALUE = _weighted(
    w90="value values wert werte valeur valor valore y amount betrag montant importe importo total menge "
    "quantity umsatz revenue sales verkauf ventes ventas vendite erzeugung production output generation "
    "share anteil part",
    w70="count anzahl number temp temperature temperatur mass masse weight gewicht price preis prix precio "
    "prezzo cost kosten cout score rate income profit gewinn consumption verbrauch population co2 "
    "emissions visitors units speed volume",
    w60="rain rainfall regen niederschlag precipitation",
    w50="length lange depth tiefe height hohe width breite distance",
)
_X = _weighted(
    w90="x time year jahr annee ano anno ετος",
    w70="length lange longueur largo lunghezza age alter income einkommen gdp gnp bip pib dose distance input before",
    w40="width breite size area flache weight gewicht horsepower displacement temperature temp poverty",
)
_Y = _weighted(
    w90="y",
    w70="depth tiefe height hohe health life output response result score mpg rate after murder sales",
    w40="mass masse price preis value wert unemployed yield speed mortality",
)
_SIZE = _weighted(w90="size population bevolkerung einwohner poblacion popolazione bubble", w60="magnitude")
_LOW = _weighted(w90="low lower min minimum tief lo", w50="from von start lwr ci_low")
_HIGH = _weighted(w90="high upper max maximum hoch hi", w50="to bis end upr")
_SYNONYMS: dict[str, dict[str, float]] = {
    "date": _DATE, "time": _DATE, "datetime": _DATE, "category": _CATEGORY, "group": _CATEGORY, "color": _CATEGORY,
    "hue": _CATEGORY, "label": _CATEGORY, "series": _CATEGORY, "name": _CATEGORY, "value": _VALUE, "values": _VALUE,
    "x": _X, "y": _Y, "size": _SIZE, "low": _LOW, "lower": _LOW, "high": _HIGH, "upper": _HIGH,
    "open": _weighted(w90="open opening eroffnung ouverture first"),
    "close": _weighted(w90="close closing schluss cloture last adj"),
    "start": _weighted(w90="start begin from von debut before"), "end": _weighted(w90="end finish to bis fin after"),
    "error": _weighted(w90="error err fehler se sem std sd stdev ci uncertainty"),
}  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that make a name one of a second order: the plain one is meant.
_DERIVED = _words(
    "adjusted adj bereinigt normalized normalised log scaled diff change delta error err se sem std sd stdev var "
    "variance ci lower upper previous lag rank rolling smoothed min minimum low mean avg average mittel"
)
# Quantities whose sum means nothing: one adds up amounts, not lengths of birds.
_NOT_SUMMED = _words(
    "length lange depth tiefe height hohe width breite mass masse temp temperature temperatur rate ratio quote index "
    "score age alter percent percentage prozent pct mean avg average mittel mittelwert median durchschnitt speed "
    "pressure humidity density price preis prix precio health expectancy wind angle latitude longitude lat lon lng "
    "rating level ph gpa grade mpg bmi per"
)
_SUMMED = _words("rain rainfall precipitation precipitations niederschlag regen pluie snow total sum summe")
_NOT_SUMMED_UNITS = _words(
    "mm cm dm °C °F ° K ℃ % ‰ o/oo m/s km/h kmh mph kn kt knots hPa kPa Pa bar mbar psi ppm ppb dB bpm rpm V mV g mg "
    "µg g/l mg/l mg/dl mg/dL µg/m³ l/100km g/km mpg Hz kHz MHz GHz"
)


def speaks_for(name: str, role: str) -> float:
    """0 to 1: how strongly a column's name speaks for a role of that name."""
    words = words_of(name)
    if not words:
        return 0.0
    role_words = words_of(role)
    if words == role_words:
        return 1.0
    known = _SYNONYMS.get(role, _SYNONYMS.get(role_words[0], {}) if role_words else {})
    best = max((known.get(word, 0.0) for word in words), default=0.0)
    if set(role_words) & set(words) and len(role) > 1:
        best = max(best, 0.9)
    if best < 0.9:
        # Languages that glue words together: "Jahresumsatz", "Bundesland".
        glued = [weight for word in words for known_word, weight in known.items() if _glued(word, known_word)]
        best = max(best, 0.8 * max(glued, default=0.0))
    # One of several words says less than the whole name.
    return best * (1.0 if len(words) == 1 else 0.95) - 0.15 * bool(_DERIVED & set(words)) * (best > 0)


def _glued(word: str, known: str) -> bool:
    return len(known) > 3 and len(word) > len(known) and word.endswith(known)


def is_derived(name: str) -> bool:
    """True for `adjusted CO2`, `log_price`, `temp_min`: the plain column is the likelier one."""
    return bool(_DERIVED & set(words_of(name)))


def adds_up(name: str, unit: str | None, kind: str | None) -> bool:
    """False for quantities whose sum means nothing (lengths, temperatures, rates, percentages)."""
    words = set(words_of(name))
    if kind in ("percent", "year", "id"):
        return False
    return bool(_SUMMED & words) or (unit not in _NOT_SUMMED_UNITS and not _NOT_SUMMED & words)


def kinship(one: str, other: str) -> float:
    """0 to 1: how much two names have in common at their start (`bill_length_mm`, `bill_depth_mm`)."""
    first, second = words_of(one), words_of(other)
    if not first or not second:
        return 0.0
    if first[0] == second[0]:
        return 1.0
    return 0.3 if set(first) & set(second) else 0.0
