"""Becoming a guest."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Status

from agents_app.api.bodies import NO_BODY, Nothing
from agents_app.services import guests, tokens
from anyplot_site import bounds

router = Router(tags=["access"])


@router.post("/guest", auth=None, response={201: Any}, summary="Become a guest")
def guest(request: HttpRequest, payload: Nothing = NO_BODY) -> Status:
    """A token for a program that has none, where guests are allowed. It is shown once."""
    user = guests.become_guest(request.META.get("REMOTE_ADDR", ""))
    _, text = tokens.issue(user, "guest", days=bounds.GUEST_TOKEN_DAYS)
    return Status(201, {"token": text, "user": user_json(user), "limits": limits_json()})


def user_json(user: Any) -> dict[str, Any]:
    """Who somebody is, as far as they need to know."""
    return {"id": str(user.pk), "name": user.get_username(), "guest": guests.is_guest(user)}


def limits_json() -> dict[str, Any]:
    """What a person may bring and ask for; None is no limit."""
    return {
        "paste_bytes": bounds.PASTE_BYTES,
        "file_bytes": bounds.FILE_BYTES,
        "rows": bounds.TABLE_ROWS,
        "columns": bounds.TABLE_COLUMNS,
        "runs_per_minute": settings.AGENT_RUNS_PER_MINUTE or None,
        "runs_per_day": settings.AGENT_DAILY_RUNS or None,
        "max_wait_s": settings.AGENT_QUEUE_MAX_WAIT_S,
        "token_days": bounds.GUEST_TOKEN_DAYS,
    }
