"""What a recipe does, in words that a person would use. The same words for the same thing, wherever it was asked."""

from collections.abc import Callable
from typing import Any

from agents_app.catalogue.spec import Spec
from agents_app.recipe.recipe import Recipe

FUNCTIONS = {"sum": "summed", "mean": "averaged", "count": "counted", "median": "shown by their median"}
AXES = {"x": "x axis", "y": "y axis", "legend": "legend", "size": "size legend"}


def changes(recipe: Recipe, spec: Spec) -> list[str]:
    """A sentence for each transform that a reader of the plot should know of."""
    said = [phrase(step, recipe, spec) for step in recipe.transforms if not step.get("idle")]
    return [sentence(text) for text in said if text]


def sentence(text: str) -> str:
    """A phrase as a sentence."""
    return text[:1].upper() + text[1:] + "."


def phrase(step: dict[str, Any], recipe: Recipe, spec: Spec) -> str:
    """One transform in words; empty for mere reading."""
    if step["kind"] == "sort" and step["by"] == spec.by_time:
        return ""  # a line runs in the order of time, of course
    words = PHRASES.get(step["kind"])
    return words(step, recipe) if words else ""


def _dropped(step: dict[str, Any], recipe: Recipe) -> str:
    names = dict.fromkeys(_name(role, recipe) for role in step.get("missing") or step["roles"])
    return f"rows without {listed(list(names), 'or')} left out"


def _filled(step: dict[str, Any], recipe: Recipe) -> str:
    return f"rows without {_name(step['role'], recipe)} kept as “{step['text']}”"


def _folded(step: dict[str, Any], recipe: Recipe) -> str:
    return f"only the {step['keep']} most common values of {_name(step['role'], recipe)}, the rest as “other”"


def _counted(step: dict[str, Any], recipe: Recipe) -> str:
    return f"rows of each {_each(step['by'], recipe)} counted"


def _aggregated(step: dict[str, Any], recipe: Recipe) -> str:
    how = FUNCTIONS.get(step["func"], f"shown by their {step['func']}")
    return f"rows of the same {_each(step['by'], recipe)} {how}"


def _kept_above(step: dict[str, Any], recipe: Recipe) -> str:
    return f"parts of {step['above']:g} or less left out"


def _melted(step: dict[str, Any], recipe: Recipe) -> str:
    return f"{listed(step['columns'], 'and')} drawn as a series each"


def sorted_phrase(step: dict[str, Any], recipe: Recipe) -> str:
    """`sorted by value, largest first`."""
    descending = step["order"] == "desc"
    if step["by"] != step["role"]:
        by = f"the {step['func']} of the {step['by']}" if step.get("func") else step["by"]
        return f"sorted by {by}, {'largest' if descending else 'smallest'} first"
    first = ("largest first", "smallest first") if step.get("numeric") else ("Z to A", "A to Z")
    if not step.get("numeric") and not step.get("folded"):
        first = ("latest first", "earliest first")
    return f"sorted by {_name(step['role'], recipe)}, {first[0] if descending else first[1]}"


def limit_phrase(step: dict[str, Any], recipe: Recipe) -> str:
    """`only the 5 largest by value, the rest as “other”`."""
    word = "largest" if step["side"] == "top" else "smallest"
    rest = "the rest as “other”" if step.get("others") else "the rest left out"
    by = f"the {step['func']} of the {step['by']}" if step.get("func") else step["by"]
    return f"only the {step['n']} {word} by {by}, {rest}"


def listed(names: list[str], word: str) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" {word} " + names[-1] if names else ""


def _name(role: str, recipe: Recipe) -> str:
    bound = recipe.bindings.get(role, role)
    return listed(bound, "and") if isinstance(bound, list) else str(bound)


def _each(roles: list[str], recipe: Recipe) -> str:
    return listed([_name(role, recipe) for role in roles], "and")


PHRASES: dict[str, Callable[[dict[str, Any], Recipe], str]] = {
    "drop_missing": _dropped,
    "fill_missing": _filled,
    "fold": _folded,
    "count": _counted,
    "aggregate": _aggregated,
    "keep_above": _kept_above,
    "sort": sorted_phrase,
    "limit": limit_phrase,
    "melt": _melted,
}
