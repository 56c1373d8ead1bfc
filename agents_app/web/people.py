"""Who is at the browser: a reader who may be nobody, a writer who is somebody (EX5)."""

from django.contrib.auth.models import User
from django.http import HttpRequest

from agents_app.refusals import NotFound
from agents_app.services import guests


def reader(request: HttpRequest) -> User | None:
    """The signed-in person or guest, or None; a page visit makes nobody a guest."""
    return request.user if request.user.is_authenticated else None  # type: ignore[return-value]


def owner(request: HttpRequest) -> User:
    """The person whose things are asked for; nobody has none (NotFound)."""
    user = reader(request)
    if user is None:
        raise NotFound("There is nothing of yours at this address.")
    return user


def writer(request: HttpRequest) -> User:
    """The person who writes; a browser becomes a guest at its first write.

    Raises Unauthenticated where guests are not allowed, TooOften from the guests' limit.
    """
    return reader(request) or guests.sign_in_guest(request)
