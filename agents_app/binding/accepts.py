"""Which columns a role takes."""

from typing import Any

from agents_app.catalogue.spec import Role
from anyplot_site import bounds

Column = dict[str, Any]  # intake's Column.as_json()


def accepts(role: Role, column: Column) -> bool:
    """True when the role can show the column: by type, a year also as a date, few numbers also as categories."""
    if column.get("kind") == "empty":
        return False
    return any(_is(wanted, column) for wanted in role.types)


def _is(wanted: str, column: Column) -> bool:
    type_ = column["type"]
    if wanted == "numeric":
        return bool(type_ == "number")
    if wanted == "datetime":
        return bool(type_ == "date" or (type_ == "number" and column.get("kind") == "year"))
    if wanted == "categorical":
        few = type_ == "number" and column.get("distinct", 0) <= bounds.CATEGORY_NUMBER_VALUES
        return bool(few or type_ in ("category", "boolean", "text", "date"))
    if wanted == "boolean":
        return bool(type_ == "boolean")
    return wanted == "any"


def needs(role: Role) -> str:
    """What a role takes, for a sentence: `numbers`, `dates or numbers`."""
    words = {
        "numeric": "numbers",
        "datetime": "dates",
        "categorical": "categories",
        "boolean": "yes and no",
        "any": "any column",
    }
    return " or ".join(words.get(wanted, wanted) for wanted in role.types)


def holds(column: Column) -> str:
    """What a column is, for a sentence: `words`, `dates`, `numbers`."""
    if column.get("kind") == "empty":
        return "no values"
    if column["type"] == "number" and column.get("kind") == "id":
        return "codes"
    words = {"number": "numbers", "date": "dates", "category": "words", "boolean": "yes and no", "text": "words"}
    return words[column["type"]]
