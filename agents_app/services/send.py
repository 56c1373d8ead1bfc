"""A person sends a message: it is read, checked, and given a place in the queue."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from agents_app.models import Session, Turn
from agents_app.queue import admission
from agents_app.refusals import Invalid
from agents_app.services import budget
from agents_app.services.texts import check_texts
from agents_app.services.wish import make_definite
from anyplot_site import bounds
from renderer_app.themes import THEMES

WORDS = "I can't change a plot by plain words yet. Its title, labels, scale, order and theme can be set below the plot."


def send(
    session: Session,
    owner: User,
    *,
    text: str = "",
    operations: Sequence[dict[str, Any]] = (),
    theme: str = "",
    base: str = "previous",
    idempotency_key: str = "",
) -> Turn:
    """Ask for a run; the answer is its turn, waiting or started. What can be refused is refused here.

    Text that is not empty needs no run: its turn is answered at once and takes no place (QU1). A repeated
    `idempotency_key` joins the turn that it made (QU17). Raises Invalid, NotFound, BindingRefused, OverBudget,
    RunActive, OverCapacity.
    """
    if (joined := admission.known(session, idempotency_key)) is not None:
        return joined
    if theme and theme not in THEMES:
        raise Invalid(f"theme is {theme!r}; use {' or '.join(THEMES)}.")
    if len(text) > bounds.TEXT_CHARACTERS:
        raise Invalid(f"text has {len(text):,} characters; at most {bounds.TEXT_CHARACTERS:,} are allowed.")
    if len(operations) > bounds.OPERATIONS:
        raise Invalid(f"operations has {len(operations)} entries; at most {bounds.OPERATIONS} are allowed.")
    check_texts([text, list(operations)])
    if text.strip():
        if operations:
            raise Invalid("Send text or operations, not both: what words mean is decided by reading them.")
        message = {"text": WORDS, "understood": [], "not_understood": [text.strip()], "suggestions": []}
        return admission.answer(
            session=session,
            owner=owner,
            text=text,
            message=message,
            outcome="not_understood",
            idempotency_key=idempotency_key,
        )
    make_definite(session, operations=operations, theme=theme, base=base)
    budget.check_runs(owner)
    return admission.admit(
        session=session,
        owner=owner,
        operations=operations,
        theme=theme,
        base=base,
        idempotency_key=idempotency_key,
    )
