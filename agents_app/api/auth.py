"""Who calls: a program by its token, a browser by its session cookie (CSRF enforced)."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from agents_app.refusals import Forbidden, NotFound, Unauthenticated
from agents_app.services.guests import sign_in_guest
from agents_app.services.tokens import user_of

SAFE = ("GET", "HEAD", "OPTIONS")


class Bearer(HttpBearer):
    """A program with `Authorization: Bearer <token>`."""

    def authenticate(self, request: HttpRequest, token: str) -> User:
        """The token's owner; Unauthenticated for an unknown, ended or revoked one, whatever cookies come along."""
        user = user_of(token)
        if user is None:
            raise Unauthenticated("This token is unknown, has ended, or was revoked. Ask for a new one.")
        return user


class Browser(APIKeyCookie):
    """A browser with a session cookie; one without any becomes a guest at its first write (EX5).

    What tells a browser from a program without credentials is the CSRF cookie that every page sets. Writing
    with it and without its token is refused; a program is asked for credentials.
    """

    param_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> Any:
        """The signed-in user or a new guest; None (401) for a program and for a reader who owns nothing yet."""
        writes = request.method not in SAFE
        signed_in = request.user.is_authenticated
        if not signed_in and not (writes and settings.CSRF_COOKIE_NAME in request.COOKIES):
            return None
        if writes and check_csrf(request):
            raise Forbidden("The security token of this page is missing or old. Reload the page and try again.")
        return request.user if signed_in else sign_in_guest(request)

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        """Unused: `__call__` decides."""
        return self(request)


def agent_enabled(request: HttpRequest) -> None:
    """Answers 404 where the agent is switched off (CH6); says nothing about who calls."""
    if not settings.AGENT_ENABLED:
        raise NotFound("Plots can't be made on this site at present.")


def person(request: HttpRequest) -> Any:
    """The user whom `Bearer` or `Browser` found."""
    return request.auth  # type: ignore[attr-defined]


CREDENTIALS = (Bearer(), Browser())
AGENT_CREDENTIALS = (agent_enabled, *CREDENTIALS)
