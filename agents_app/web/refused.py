"""Refusals of services as pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from agents_app.refusals import NotFound, Refusal, Unauthenticated
from agents_app.web import words

View = Callable[..., HttpResponse]


def notice(refused: Refusal) -> dict[str, Any]:
    """Context of the notice that a page shows at the place of the trouble."""
    lines = refused.extra.get("lines") or refused.extra.get("reasons") or []
    return words.refusal(refused.code, refused.detail, lines)


def page(request: HttpRequest, refused: Refusal) -> HttpResponse:
    """A whole page for a refusal that has no better place."""
    answer = render(request, "web/refused.html", {"refusal": notice(refused)}, status=refused.status)
    if refused.retry_after_s is not None:
        answer["Retry-After"] = str(max(1, round(refused.retry_after_s)))
    return answer


def answered(view: View) -> View:
    """Turn what a view lets through into a page: 404 for NotFound, the sign-in for nobody, else its words."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as absent:
            raise Http404(absent.detail) from absent
        except Unauthenticated as refused:
            if request.method == "POST":
                return redirect(settings.LOGIN_URL)
            return page(request, refused)
        except Refusal as refused:
            return page(request, refused)

    return wrapped


def needs_agent(view: View) -> View:
    """404 where the agent is switched off (CH6)."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.AGENT_ENABLED:
            raise Http404("The agent is switched off on this site.")
        return view(request, *args, **kwargs)

    return wrapped
