"""Small specs made by hand, so that a rule is tested without the catalogue."""

from pathlib import Path

from agents_app.catalogue.spec import Role, Spec


def spec(*roles: Role, grain: tuple[str, ...] = (), tags: dict | None = None) -> Spec:
    """A plot of these roles."""
    return Spec("made-up", "Made Up", "test", Path("/nowhere"), roles=roles, grain=grain, tags=tags or {})


def column(name: str, type_: str = "number", distinct: int = 50, **more) -> dict:
    """A column as intake describes it."""
    return {
        "name": name,
        "source_name": name,
        "type": type_,
        "kind": None,
        "unit": None,
        "format": None,
        "missing": 0,
        "distinct": distinct,
        "min": 1 if type_ == "number" else None,
        "max": 99 if type_ == "number" else None,
        "sum": None,
        "sample": [],
        **more,
    }


X, Y = Role("x", ("numeric",)), Role("y", ("numeric",))
CATEGORY = Role("category", ("categorical",))
COLOR = Role("category", ("categorical",), required=False, color=True)
VALUE = Role("value", ("numeric",))
DATE = Role("date", ("datetime",))
COUNTED = Role("value", ("numeric",), required=False, aggregate="sum")
SERIES = Role("series", ("numeric",), family=True)
SCATTER = spec(X, Y, COLOR, Role("size", ("numeric",), required=False))
BAR = spec(CATEGORY, COUNTED, grain=("category",))
PIE = spec(Role("category", ("categorical",), color=True), Role("value", ("numeric",), aggregate="sum", minimum=0))
LINE = spec(DATE, VALUE, COLOR, grain=("date", "category"))
