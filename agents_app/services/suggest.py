"""Which plots a table can become."""

from typing import Any

from agents_app.binding.suggest import fits
from agents_app.catalogue.catalogue import specs
from agents_app.catalogue.eligibility import reasons


def suggest(columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The plots that fit these columns, best first: [{spec, title, library, libraries, bindings, reason, score}].

    `library` is the first of the `libraries` that the plot can be adapted in; plots that can't be adapted in any
    are left out. Equal scores keep the catalogue's order.
    """
    found = []
    for spec in specs():
        fit = fits(spec, columns)
        libraries = [library for library in spec.libraries if not reasons(spec, library)] if fit.ok else []
        if libraries:
            found.append(
                {
                    "spec": spec.id,
                    "title": spec.title,
                    "library": libraries[0],
                    "libraries": libraries,
                    "bindings": fit.bindings,
                    "reason": fit.reason,
                    "score": fit.score,
                }
            )
    return sorted(found, key=lambda entry: -entry["score"])
