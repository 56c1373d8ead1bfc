"""What would a message do? Looked at, never run."""

from typing import Any

from agents_app.models import Session
from agents_app.services.wish import make_definite


def interpret(
    session: Session, *, text: str = "", operations: list[dict[str, Any]] | None = None, base: str = "previous"
) -> dict[str, Any]:
    """{"operations", "changes", "not_understood", "suggestions"}: what of a message would be done, and what not.

    Operations are checked against the base version as a message's are, and said in words (`changes`). Plain
    words are not understood yet: they come back word for word. Raises what `send` raises before a place is taken.
    """
    wish = make_definite(session, operations=operations or [], base=base) if operations else None
    return {
        "operations": wish.operations if wish else [],
        "changes": wish.changes if wish else [],
        "not_understood": [text.strip()] if text.strip() else [],
        "suggestions": [],
    }
