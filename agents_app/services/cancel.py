"""A person stops what they asked for."""

from django.contrib.auth.models import User

from agents_app.models import Session, Turn
from agents_app.queue.cancel import cancel_turn


def cancel(session: Session, owner: User) -> bool:
    """Stop the session's waiting or running turn; False when there is none, or it ended just now."""
    turn = Turn.objects.filter(session=session, owner=owner, state__in=Turn.ACTIVE).order_by("-arrival").first()
    return turn is not None and cancel_turn(turn)
