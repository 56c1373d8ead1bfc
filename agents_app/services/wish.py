"""What a message asks for, made definite: which recipe, on which columns, from which version (TH1, TH2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agents_app.binding import check
from agents_app.catalogue.catalogue import get_spec
from agents_app.models import Dataset, Session, Version
from agents_app.recipe import build
from agents_app.recipe import operations as ops
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid, NotFound

GONE = "The data set of this session was deleted. Start a new plot with another one."


@dataclass(frozen=True)
class Wish:
    """A run's recipe, the data set it reads, the sentences of its operations, and the version it starts from."""

    recipe: Recipe
    dataset: Dataset
    operations: list[dict[str, Any]] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    parent: Version | None = None


def make_definite(
    session: Session, *, operations: Sequence[dict[str, Any]] = (), theme: str = "", base: str = "previous"
) -> Wish:
    """The recipe of a message.

    Without operations the plot is drawn (again) from the session's bindings; with them, the base version's
    recipe is changed, or the first one when there is no version yet. A theme that was named wins; else the
    base version's is kept; a session without versions has its own. Raises Invalid (data set gone, a bad
    operation), NotFound (no such version or plot), BindingRefused (the columns have changed).
    """
    if session.dataset is None:
        raise Invalid(GONE)
    spec, columns = get_spec(session.spec), session.dataset.columns
    version = base_version(session, base)
    theme = theme or (version.theme if version else session.theme) or "light"
    if version is None or not operations:
        bindings = check(spec, columns, session.bindings).bindings
        recipe = build.initial(spec, session.library, bindings, columns, theme)
        parent = None
    else:
        recipe = Recipe.from_json(version.recipe).with_(theme=theme)
        check(spec, columns, recipe.bindings)
        parent = version
    applied = ops.apply(recipe, list(operations), spec, columns)
    return Wish(applied.recipe, session.dataset, list(operations), list(applied.changes), parent)


def base_version(session: Session, base: str) -> Version | None:
    """The version that a refinement starts from: `previous` is the latest with a plot, `original` the first.

    None when the session has none yet. Raises NotFound for a number that is not there.
    """
    versions = Version.objects.filter(session=session)
    if base == "previous":
        return versions.exclude(status=Version.Status.FAILED).order_by("-number").first()
    if base == "original":
        return versions.order_by("number").first()
    found = versions.filter(number=int(base)).first() if base.isdecimal() else None
    if found is None:
        raise NotFound(f"There is no version {base} to start from.")
    return found
