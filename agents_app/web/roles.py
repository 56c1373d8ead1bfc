"""The roles of a plot as dropdowns over a table's columns."""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from agents_app import binding
from agents_app.catalogue.spec import Role, Spec
from agents_app.recipe.recipe import Bindings
from agents_app.refusals import BindingRefused
from agents_app.web import words


@dataclass(frozen=True)
class Field:
    """One role: its dropdowns (one; for a family one for every member and an empty one), what fits, what doesn't."""

    role: Role
    needs: str
    members: list[str]
    fitting: list[dict[str, Any]]
    others: list[dict[str, Any]]
    errors: list[str]


def bindings_of(spec: Spec, form: QueryDict) -> Bindings:
    """The bindings that a form or an address names as `role-<name>`; a role left empty stays unbound."""
    bindings: Bindings = {}
    for role in spec.roles:
        names = [name for name in form.getlist(f"role-{role.name}") if name]
        if names:
            bindings[role.name] = names if role.family else names[0]
    return bindings


def query_of(bindings: Bindings) -> list[tuple[str, str]]:
    """The same bindings as parts of an address."""
    pairs: list[tuple[str, str]] = []
    for role, value in bindings.items():
        pairs += [(f"role-{role}", name) for name in (value if isinstance(value, list) else [value]) if name]
    return pairs


def fields(
    spec: Spec, columns: list[dict[str, Any]], bindings: Bindings, refused: BindingRefused | None = None
) -> list[Field]:
    """The dropdowns with the bound columns chosen and, after a refusal, its lines beside their roles."""
    lines = refused.extra.get("lines", []) if refused else []
    made = []
    for role in spec.roles:
        bound = bindings.get(role.name)
        chosen = list(bound) if isinstance(bound, list) else [bound or ""]
        if role.family:
            chosen = [*(name for name in chosen if name), ""]
        fitting = [column for column in columns if binding.accepts(role, column)]
        made.append(
            Field(
                role,
                " or ".join(words.ROLE_TYPES.get(kind, kind) for kind in role.types),
                chosen,
                fitting,
                [column for column in columns if column not in fitting],
                [line["text"] for line in lines if line.get("role") == role.name],
            )
        )
    return made


def general_errors(spec: Spec, refused: BindingRefused | None) -> list[str]:
    """Lines of a refusal that belong to no role of the plot."""
    names = {role.name for role in spec.roles}
    return [
        line["text"] for line in (refused.extra.get("lines", []) if refused else []) if line.get("role") not in names
    ]
