"""Another name for a session."""

from agents_app.models import Session
from agents_app.refusals import Invalid
from agents_app.services.names import clean_name


def rename(session: Session, name: str) -> Session:
    """Name a session; raises Invalid when nothing printable is left of the name."""
    cleaned = clean_name(name, otherwise="")
    if not cleaned:
        raise Invalid("name is empty. Write at least one letter or digit.")
    session.name = cleaned
    session.save(update_fields=["name", "updated_at"])
    return session
