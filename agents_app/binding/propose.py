"""Which columns a table most likely means for a plot's roles.

Every pair of role and column gets a score from type, name, number of values and place; the best assignment of
different columns to the required roles wins, then optional roles take what plainly fits them. Roles for which
nothing sensible is there stay unbound.
"""

from dataclasses import dataclass
from itertools import islice
from typing import Any

from agents_app.binding.accepts import Column, accepts
from agents_app.binding.names import adds_up, is_derived, kinship, speaks_for
from agents_app.catalogue.spec import Role, Spec
from agents_app.recipe.recipe import Bindings
from anyplot_site import bounds

_CANDIDATES = 8  # columns looked at per required role
_ASSIGNMENTS = 60_000
_IMPOSSIBLE = -10.0
_MANY_CATEGORIES = 60  # more marks than this side by side are no comparison
_FEW_NUMBERS = 8  # fewer different numbers than this are hardly a quantity, in a table of many rows
_OPTIONAL_NAME = 0.85  # an optional role without a sense of its own needs a name like this


@dataclass(frozen=True)
class Scene:
    """A table as far as columns tell: `most` is the largest number of different values, so at least as many rows."""

    columns: tuple[Column, ...]
    most: int

    def place(self, column: Column) -> float:
        """0 for the first column, towards 1 for the last."""
        return self.columns.index(column) / max(len(self.columns), 1)


def propose(spec: Spec, columns: list[Column]) -> Bindings:
    """Bindings for all required roles that can be filled, and for optional ones that plainly fit."""
    scene = Scene(tuple(columns), max((column.get("distinct", 0) for column in columns), default=0))
    bound = _required(spec, scene)
    bindings: Bindings = {role: column["name"] for role, column in bound.items()}
    for role in spec.roles:
        if role.family:
            members = _family(role, scene, bound)
            if members and (role.required or len(members) > 1):
                bindings[role.name] = [column["name"] for column in members]
        elif not role.required and role.name not in bound:
            column = _optional(spec, role, scene, bound)
            if column is not None:
                bound[role.name] = column
                bindings[role.name] = column["name"]
    return {role.name: bindings[role.name] for role in spec.roles if role.name in bindings}


def _required(spec: Spec, scene: Scene) -> dict[str, Column]:
    """The assignment of different columns to required roles with the best sum of scores."""
    roles = [role for role in spec.roles if role.required and not role.family]
    options: list[list[tuple[float, Column]]] = []
    kept: list[Role] = []
    for role in roles:
        scored = [(score(role, column, scene), column) for column in scene.columns]
        fitting = sorted((pair for pair in scored if pair[0] > _IMPOSSIBLE), key=lambda pair: -pair[0])[:_CANDIDATES]
        if fitting:
            kept.append(role)
            options.append(fitting)
    best: tuple[float, dict[str, Column]] = (_IMPOSSIBLE, {})
    for chosen in islice(_assignments(options), _ASSIGNMENTS):
        names = [column["name"] for pair in chosen if pair for column in (pair[1],)]
        total = sum(pair[0] if pair else -3.0 for pair in chosen)
        found = {role.name: pair[1] for role, pair in zip(kept, chosen, strict=True) if pair}
        total += _together(found)
        if len(names) == len(set(names)) and total > best[0] + 1e-9:
            best = (total, found)
    return best[1]


def _assignments(options: list[list[tuple[float, Column]]]) -> Any:
    """All choices of different columns, one per role; None where all of a role's columns are taken."""

    def choose(index: int, taken: frozenset[str], chosen: tuple[Any, ...]) -> Any:
        if index == len(options):
            yield chosen
            return
        free = [pair for pair in options[index] if pair[1]["name"] not in taken]
        for pair in free:
            yield from choose(index + 1, taken | {pair[1]["name"]}, (*chosen, pair))
        if not free:
            yield from choose(index + 1, taken, (*chosen, None))

    return choose(0, frozenset(), ())


def _together(found: dict[str, Column]) -> float:
    """Two quantities against each other should be kin: of one thing, in one unit."""
    x, y = found.get("x"), found.get("y")
    if x is None or y is None or x["type"] != "number" or y["type"] != "number":
        return 0.0
    if y.get("kind") == "year":
        return -0.5  # time runs from left to right
    same_unit = bool(x.get("unit")) and x.get("unit") == y.get("unit")
    return 0.25 * kinship(x["name"], y["name"]) + 0.1 * same_unit


def score(role: Role, column: Column, scene: Scene) -> float:
    """How well a column suits a role; -10 when it is not to be proposed at all."""
    if not accepts(role, column):
        return _IMPOSSIBLE
    types = set(role.types)
    best = _IMPOSSIBLE
    if "datetime" in types:
        best = max(best, _as_date(column))
    if "categorical" in types or "boolean" in types:
        best = max(best, _as_category(role, column, scene) - 0.3 * bool(types & {"datetime", "numeric"}))
    if "numeric" in types:
        best = max(best, _as_number(role, column, scene) - 0.2 * ("datetime" in types))
    if "any" in types:
        best = max(best, 0.3)
    if best <= _IMPOSSIBLE:
        return _IMPOSSIBLE
    if column.get("distinct", 0) <= 1:
        best -= 2.0
    named = max(speaks_for(column[key], role.name) for key in ("name", "source_name"))
    # Place only decides between equals.
    return best + 0.8 * named - 0.05 * scene.place(column)


def _as_date(column: Column) -> float:
    if column["type"] == "date":
        return 1.0
    return 0.6 if column.get("kind") == "year" else _IMPOSSIBLE


def _as_number(role: Role, column: Column, scene: Scene) -> float:
    if column["type"] != "number" or column.get("kind") == "id":
        return _IMPOSSIBLE  # a code is no quantity
    value = 1.0
    if column.get("kind") == "year":
        value = 0.2
    if column.get("distinct", 0) <= 2:
        value -= 0.3  # 0 and 1: a flag
    elif column.get("distinct", 0) < min(_FEW_NUMBERS, scene.most / 10):
        value -= 0.2  # nearly all equal, or steps of a scale
    if is_derived(column["name"]):
        value -= 0.15
    if role.minimum is not None and (column.get("min") or 0) < role.minimum:
        value -= 0.8
    if role.minimum is not None and column.get("kind") == "percent":
        value += 0.2
    if role.aggregate == "sum" and not adds_up(column["name"], column.get("unit"), column.get("kind")):
        value -= 0.05
    return value


def _as_category(role: Role, column: Column, scene: Scene) -> float:
    distinct = column.get("distinct", 0)
    if role.color and distinct > bounds.COLOR_ROLE_VALUES:
        return _IMPOSSIBLE
    kinds = {"category": 1.0, "text": 0.6, "boolean": 0.6, "date": 0.4, "number": 0.15}
    value = kinds.get(column["type"], _IMPOSSIBLE)
    if column.get("kind") == "year":
        value += 0.15
    if column.get("kind") == "id":
        value -= 0.4
    # A column with a name for every row is what the rows are about, when they are few enough to stand side by side.
    key = distinct == scene.most and 1 < distinct <= _MANY_CATEGORIES
    if key and role.color and not role.required and len(scene.columns) > 1:
        return _IMPOSSIBLE  # a color of its own for every row tells nothing apart
    if key and column["type"] != "number":
        value += 0.35
    elif distinct > bounds.CATEGORY_NUMBER_VALUES:
        value -= 0.3 if distinct <= _MANY_CATEGORIES else 0.7
    return value


def _family(role: Role, scene: Scene, bound: dict[str, Column]) -> list[Column]:
    """The columns of a family: alike in type, and in unit when most have one, at most as many as colors."""
    taken = {column["name"] for column in bound.values()}
    fitting = [
        column
        for column in scene.columns
        if column["name"] not in taken
        and score(role, column, scene) > 0
        and column.get("kind") not in ("year", "constant")
    ]
    units = [column.get("unit") for column in fitting]
    usual = max(set(units), key=lambda unit: (units.count(unit), -units.index(unit)), default=None)
    return [column for column in fitting if column.get("unit") == usual][: bounds.COLOR_ROLE_VALUES]


def _optional(spec: Spec, role: Role, scene: Scene, bound: dict[str, Column]) -> Column | None:
    """The column for an optional role, or None when nothing plainly fits."""
    taken = {column["name"] for column in bound.values()}
    scored = [(score(role, column, scene), column) for column in scene.columns if column["name"] not in taken]
    fitting = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    if role.color and "categorical" in role.types:
        plain = [c for _, c in fitting if c["type"] in ("category", "boolean") and c.get("distinct", 0) >= 2]
        return plain[0] if plain and _splits_marks(spec, role, scene, bound) else None
    if role.aggregate is not None and "numeric" in role.types:
        return _counted_or_summed(role, [column for _, column in fitting], scene, bound)
    named = [c for _, c in fitting if speaks_for(c["name"], role.name) >= _OPTIONAL_NAME]
    if role.name == "size":
        # Sizes suit points that are things with a name of their own, not moments of one thing.
        things = any(c["type"] in ("category", "text") and c.get("distinct") == scene.most for c in scene.columns)
        named = [c for c in named if things and (c.get("min") or 0) >= 0]
    return named[0] if named else None


def _splits_marks(spec: Spec, role: Role, scene: Scene, bound: dict[str, Column]) -> bool:
    """A group tells marks apart: always where rows are marks, else only where the other roles alone repeat."""
    if role.name not in spec.grain:
        return True
    others = [bound[name] for name in spec.grain if name in bound]
    room = 1
    for column in others:
        room *= max(column.get("distinct", 1), 1)
    return room < scene.most


def _counted_or_summed(role: Role, fitting: list[Column], scene: Scene, bound: dict[str, Column]) -> Column | None:
    """The quantity of a bar; None (count rows) where several rows of a bar would be added up without sense."""
    room = max((column.get("distinct", 1) for column in bound.values()), default=1)
    if role.aggregate != "sum" or room >= scene.most:
        return fitting[0] if fitting else None
    additive = [c for c in fitting if adds_up(c["name"], c.get("unit"), c.get("kind"))]
    return additive[0] if additive else None
