"""Errors that arise outside an operation (no such address, wrong method, bad host) in the API's own shape."""

from collections.abc import Awaitable, Callable
from typing import cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from agents_app.api.errors import Internal, error_response, too_large
from agents_app.refusals import Forbidden, Invalid, NotFound, Refusal

PREFIX = "/v1/"


class WrongMethod(Refusal):
    status, code = 405, "method_not_allowed"


class JsonErrors:
    """Below /v1/, turns what Django answers as HTML or text from 400 on into JSON; works sync and async.

    JSON is never stored by a cache: it may hold a token, or somebody's table.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Pass the request on and look at what comes back."""
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        if iscoroutinefunction(self.get_response):
            return self._await(request)
        return as_json(request, cast(HttpResponseBase, self.get_response(request)))

    async def _await(self, request: HttpRequest) -> HttpResponseBase:
        return as_json(request, await cast(Awaitable[HttpResponseBase], self.get_response(request)))


def as_json(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """`response`, or the same status as JSON when it is an error of Django's own."""
    status = response.status_code
    is_json = response.get("Content-Type", "").startswith("application/json")
    if is_json:
        response.headers.setdefault("Cache-Control", "no-store")
    if status < 400 or is_json:
        return response
    refusal: Refusal
    if status == 404:
        refusal = NotFound("There is nothing at this address. The operations are listed at /v1/docs.")
    elif status == 405:
        allowed = response.get("Allow", "")
        refusal = WrongMethod(f"This address does not answer {request.method}; it answers {allowed}.")
    elif status == 413:
        refusal = too_large()
    elif status == 403:
        refusal = Forbidden("This is not allowed from here.")
    elif status < 500:
        refusal = Invalid("The request could not be read: its address, host or body is malformed.")
    else:
        refusal = Internal()
    answer = error_response(request, refusal, status=status)
    answer["Cache-Control"] = "no-store"
    if status == 405:
        answer["Allow"] = response.get("Allow", "")
    response.close()
    return answer
