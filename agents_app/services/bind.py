"""Other columns for a session's roles."""

from agents_app.binding import check
from agents_app.catalogue.catalogue import get_spec
from agents_app.models import Session
from agents_app.recipe.recipe import Bindings
from agents_app.refusals import Invalid
from agents_app.services.wish import GONE


def bind(session: Session, bindings: Bindings | None) -> Session:
    """Give a session exactly these bindings (None: all proposed); its next run uses them.

    Raises Invalid when the data set was deleted, NotFound when the plot left the catalogue, BindingRefused.
    """
    if session.dataset is None:
        raise Invalid(GONE)
    session.bindings = check(get_spec(session.spec), session.dataset.columns, bindings).bindings
    session.save(update_fields=["bindings", "updated_at"])
    return session
