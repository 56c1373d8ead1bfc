"""A session starts: a plot of the catalogue, a library, a data set, and which column plays which role."""

from django.contrib.auth.models import User
from django.utils import timezone

from agents_app.binding import check
from agents_app.catalogue.catalogue import get_spec, script
from agents_app.catalogue.eligibility import reasons
from agents_app.catalogue.spec import Spec
from agents_app.models import Dataset, Session
from agents_app.recipe.recipe import Bindings
from agents_app.refusals import Ineligible
from agents_app.services.names import clean_name


def start(
    owner: User,
    *,
    spec: str,
    library: str,
    language: str = "python",
    dataset: Dataset,
    bindings: Bindings | None = None,
    theme: str = "light",
    name: str = "",
) -> Session:
    """Make a session of `owner`'s on `dataset`; bindings left out are proposed.

    Raises NotFound (no such plot, library or language), Ineligible, BindingRefused.
    """
    found = eligible_spec(spec, library, language)
    checked = check(found, dataset.columns, bindings)
    Dataset.objects.filter(id=dataset.id).update(used_at=timezone.now())
    return Session.objects.create(
        owner=owner,
        name=clean_name(name, otherwise=clean_name(f"{found.title}: {dataset.name}", otherwise=found.id)),
        spec=found.id,
        library=library,
        language=language,
        dataset=dataset,
        bindings=checked.bindings,
        theme=theme,
    )


def eligible_spec(spec: str, library: str, language: str = "python") -> Spec:
    """The catalogue's entry for a pair that can be adapted. Raises NotFound, Ineligible (with `reasons`)."""
    found = get_spec(spec)
    script(found, library, language)  # NotFound for a library or language that this plot has no script in
    refused = reasons(found, library, language)
    if refused:
        raise Ineligible(
            f"{found.title} in {library} can't be adapted to your data: {refused[0].text}",
            reasons=[reason.as_json() for reason in refused],
        )
    return found
