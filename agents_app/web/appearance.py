"""The remembered light/dark switch, and what every page of the site knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from renderer_app import themes

COOKIE = "appearance"
COOKIE_AGE_S = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """The theme that the person chose, `light` or `dark`, or empty: the system decides."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in themes.THEMES else ""


def site(request: HttpRequest) -> dict[str, Any]:
    """Context of every template."""
    return {"site_theme": theme_of(request), "agent_enabled": settings.AGENT_ENABLED}


def back_to(request: HttpRequest, fallback: str = "/") -> str:
    """The page of this site that the form names in `next`, else `fallback`; never another host."""
    target = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}, require_https=False)
    return target if allowed and target.startswith("/") else fallback


@require_POST
def appearance(request: HttpRequest) -> HttpResponse:
    """Remember the switch and go back; `auto` forgets it."""
    answer = HttpResponseRedirect(back_to(request))
    chosen = request.POST.get("theme", "")
    if chosen in themes.THEMES:
        # Readable by script on purpose: the switch changes it without a round trip, and it holds no secret.
        answer.set_cookie(COOKIE, chosen, max_age=COOKIE_AGE_S, samesite="Lax", secure=request.is_secure())
    else:
        answer.delete_cookie(COOKIE, samesite="Lax")
    return answer
