"""What every request passes: the health answer, and a reference that finds it in the log."""

import uuid
from collections.abc import Awaitable, Callable

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse


class RequestId:
    """Gives each request a short `request.ref` and binds it to the log lines; works sync and async."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        """Bind the reference and pass the request on."""
        request.ref = uuid.uuid4().hex[:12]  # type: ignore[attr-defined]
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(ref=request.ref)  # type: ignore[attr-defined]
        return self.get_response(request)


class Healthz:
    """Answers `GET /healthz` before anything else: no host check, no redirect, no session, no I/O."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer, or pass the request on."""
        if request.path != "/healthz":
            return self.get_response(request)
        answer = HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})
        return self._later(answer) if self.is_async else answer

    async def _later(self, answer: HttpResponse) -> HttpResponse:
        return answer


class Utf8Bodies:
    """Refuses a body whose Content-Type names another charset than UTF-8 (400).

    A browser never sends one. Python knows "charsets" that decode text to bytes, that yield halves of characters, or
    that take hours; each would fail in its own way wherever the body is read.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        """Pass the request on, or refuse it. Raises BadRequest."""
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            request.encoding = "utf-8"  # the page that says so may look at the body
            raise BadRequest("The body's charset is not UTF-8.")
        return self.get_response(request)
