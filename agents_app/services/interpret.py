"""What would a message do? Looked at, never run."""

from typing import Any

from agents_app.models import Session
from agents_app.recipe.operations import validate


def interpret(
    session: Session, *, text: str = "", operations: list[dict[str, Any]] | None = None, base: str = "previous"
) -> dict[str, Any]:
    """{"operations", "not_understood", "suggestions"}: what of a message would be done, and what was not understood.

    Operations are checked as a message's are (Invalid names the place). Plain words are not understood yet: they
    come back word for word.
    """
    return {
        "operations": validate(operations or []),
        "not_understood": [text] if text.strip() else [],
        "suggestions": [],
    }
