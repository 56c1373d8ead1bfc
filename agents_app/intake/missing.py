"""Marks that stand for a missing value."""

# What `pd.read_csv` takes for missing by itself: these are missing in every column, so that `data.csv` reads back
# to what was reported.
EVERYWHERE = frozenset(
    {
        "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
        "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
    }
)  # fmt: skip

# Missing only among numbers, dates or booleans; in a column of words they may well be words.
AMONG_VALUES = frozenset(
    {
        "-", "--", "---", "–", "—", "−", ".", "..", "...", "…", "?", "*", ":", "/", "x", "X", "n.a.", "N.A.", "n.a",
        "na", "Na", "n/d", "N/D", "nd", "ND", "n.d.", "k.A.", "k. A.", "k.a.", "keine Angabe", "s.o.", "missing",
        "Missing", "MISSING", "none", "NONE", "Null", "NAN", "unknown", "Unknown", "unbekannt", "#DIV/0!", "#VALUE!",
        "#REF!", "#NUM!", "#NAME?", "#NULL!", "(null)", "(blank)", "\\N", "NIL", "nil", "not available", "tbd",
        "TBD",
    }
)  # fmt: skip
