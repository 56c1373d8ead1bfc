"""Whether a plot fits a table, how well, and why, in a few words."""

from dataclasses import dataclass, field

from agents_app.binding.accepts import Column, accepts
from agents_app.binding.names import adds_up
from agents_app.binding.propose import Scene, propose, score
from agents_app.catalogue.spec import Role, Spec
from agents_app.recipe.recipe import Bindings
from anyplot_site import bounds

_TYPES = {"datetime": "date", "numeric": "number", "categorical": "category", "boolean": "category", "any": "any"}
_FEW_DATES = 5  # fewer moments than this make no line
_PLURAL = {"number": "numbers", "category": "categories", "date": "dates", "yes/no": "yes/no columns", "any": "columns"}


@dataclass(frozen=True)
class Fit:
    """`reason` says in words why (`2 numbers, 1 category: scatter`) or what is missing; `score` is 0 to 1."""

    ok: bool
    reason: str
    bindings: Bindings = field(default_factory=dict)
    score: float = 0.0


def fits(spec: Spec, columns: list[Column]) -> Fit:
    """The plot's fit to a table, with the bindings it would start from."""
    bindings = propose(spec, columns)
    missing = [role for role in spec.roles if role.required and role.name not in bindings]
    if missing:
        return Fit(False, _missing(missing, columns), bindings)
    return Fit(True, f"{_used(bindings, columns)}: {_word(spec)}", bindings, _score(spec, columns, bindings))


def _word(spec: Spec) -> str:
    """What the plot is called at the end of a reason: its plot type, else its family."""
    types = spec.tags.get("plot_type") if isinstance(spec.tags, dict) else None
    return str(types[0]) if isinstance(types, list) and types else spec.family or spec.title


def _missing(roles: list[Role], columns: list[Column]) -> str:
    texts = []
    for kind in dict.fromkeys(_TYPES.get(role.types[0], "any") for role in roles):
        those = [role for role in roles if _TYPES.get(role.types[0], "any") == kind]
        fitting = [column for column in columns if any(accepts(role, column) for role in those)]
        if fitting and kind == "category" and any(role.color for role in those):
            texts.append(f"a category with at most {bounds.COLOR_ROLE_VALUES} values")
        elif len(those) == 1 and not those[0].family:
            another = "another" if kind == "number" and _quantities(columns) else "a"
            texts.append(
                {"number": f"{another} number column", "category": "a category", "date": "a date column"}.get(
                    kind, "a column"
                )
            )
        else:
            texts.append(f"{len(those)} {_PLURAL[kind]}" if not those[0].family else f"columns of {_PLURAL[kind]}")
    return "needs " + " and ".join(texts)


def _quantities(columns: list[Column]) -> int:
    return sum(1 for column in columns if column["type"] == "number" and column.get("kind") not in ("id", "empty"))


def _bound(bindings: Bindings, columns: list[Column]) -> list[Column]:
    names = [name for value in bindings.values() for name in (value if isinstance(value, list) else [value])]
    return [column for column in columns if column["name"] in names]


def _used(bindings: Bindings, columns: list[Column]) -> str:
    """`2 numbers, 1 category` of the columns that would be shown."""
    kinds = {"number": "number", "date": "date", "boolean": "yes/no"}
    counts: dict[str, int] = {}
    for column in _bound(bindings, columns):
        kind = "year" if column.get("kind") == "year" else kinds.get(column["type"], "category")
        counts[kind] = counts.get(kind, 0) + 1
    order = ("date", "year", "number", "category", "yes/no")
    parts = [(kind, counts[kind]) for kind in order if kind in counts]
    plural = {**_PLURAL, "year": "years", "yes/no": "yes/no columns"}
    words = {"yes/no": "yes/no column"}
    return ", ".join(f"{count} {plural[kind] if count > 1 else words.get(kind, kind)}" for kind, count in parts)


def _score(spec: Spec, columns: list[Column], bindings: Bindings) -> float:
    """Suitability of the required columns, and how much of what the table has the plot shows."""
    scene = Scene(tuple(columns), max((column.get("distinct", 0) for column in columns), default=0))
    by_name = {column["name"]: column for column in columns}
    single = [(role, bindings[role.name]) for role in spec.roles if isinstance(bindings.get(role.name), str)]
    worth = [min(max(score(role, by_name[name], scene), 0.0), 1.8) / 1.8 for role, name in single]
    suits = sum(worth) / len(worth) if worth else 0.5
    present = {_class(column) for column in columns} - {""}
    shown = {_class(column) for column in _bound(bindings, columns)} - {""}
    covers = len(shown & present) / max(len(present), 1)
    total = 0.5 * suits + 0.4 * covers + 0.1 * min(len(_bound(bindings, columns)) / 3, 1.0)
    return round(min(max(total - _doubts(spec, bindings, by_name, scene), 0.0), 1.0), 4)


def _class(column: Column) -> str:
    """What a column stands for in a table's character; codes, constants and long texts for nothing."""
    if column.get("kind") in ("id", "constant", "empty") or column["type"] == "text":
        return ""
    if column["type"] == "date" or column.get("kind") == "year":
        return "time"
    return "number" if column["type"] == "number" else "category"


def _doubts(spec: Spec, bindings: Bindings, by_name: dict[str, Column], scene: Scene) -> float:
    """What speaks against the plot: sums without sense, years as dates where dates are, many marks side by side."""
    doubts = 0.0
    for role in spec.roles:
        name = bindings.get(role.name)
        if not isinstance(name, str):
            continue
        column = by_name[name]
        rooms = [by_name[n].get("distinct", 1) for r, n in bindings.items() if isinstance(n, str) and r != role.name]
        repeats = bool(rooms) and max(rooms) < scene.most
        if role.aggregate == "sum" and repeats and not adds_up(name, column.get("unit"), column.get("kind")):
            doubts += 0.25
        if role.minimum is not None and (column.get("min") or 0) < role.minimum:
            doubts += 0.3
        if "categorical" in role.types and column["type"] in ("date", "number"):
            doubts += 0.15
        if role.types == ("datetime",) and column.get("distinct", 0) < _FEW_DATES:
            doubts += 0.25
        if not spec.grain and role.required and "categorical" in role.types and column.get("distinct") == scene.most:
            doubts += 0.5  # every row would be a group of its own
    return doubts
