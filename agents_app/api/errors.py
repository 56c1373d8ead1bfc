"""Every refusal and every accident in one shape: `{"code", "detail", "ref", ...}`."""

import logging
import math
from typing import Any

import pydantic
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError

from agents_app.refusals import Invalid, NotFound, Refusal, TooLarge, Unauthenticated
from anyplot_site import bounds

logger = logging.getLogger(__name__)

SIGN_IN = (
    "Say who you are: send `Authorization: Bearer <token>`, or make a guest with POST /v1/auth/guest where guests "
    "are allowed."
)


def error_response(request: HttpRequest, refusal: Refusal, status: int | None = None) -> JsonResponse:
    """A refusal as JSON, with `Retry-After` in whole seconds where it says when to come back."""
    data: dict[str, Any] = {
        "code": refusal.code,
        "detail": refusal.detail,
        "ref": getattr(request, "ref", None),
        **refusal.extra,
    }
    if refusal.retry_after_s is not None:
        data["retry_after_s"] = refusal.retry_after_s
    response = JsonResponse(data, status=status or refusal.status)
    if refusal.retry_after_s is not None:
        response["Retry-After"] = str(max(1, math.ceil(refusal.retry_after_s)))
    if response.status_code == 401:
        response["WWW-Authenticate"] = 'Bearer realm="anyplot"'
    return response


class Internal(Refusal):
    """Something broke on our side; what, is in the log under the reference, not in the answer."""

    status, code = 500, "internal"

    def __init__(self) -> None:
        super().__init__("Something went wrong on our side; nothing you stored is lost. Try again in a moment.")


def too_large() -> TooLarge:
    """A body beyond what any operation takes."""
    return TooLarge(
        f"The request is larger than {bounds.BODY_BYTES:,} bytes. A file may have "
        f"{bounds.FILE_BYTES:,} bytes, pasted text {bounds.PASTE_BYTES:,}.",
        limit=bounds.BODY_BYTES,
    )


def register(api: NinjaAPI) -> None:
    """Teach the API to answer all of these."""

    def refused(request: HttpRequest, error: Any) -> HttpResponse:
        return error_response(request, error)

    def broken(request: HttpRequest, error: Any) -> HttpResponse:
        ref = getattr(request, "ref", None)
        logger.error("unhandled error %s in %s %s", ref, request.method, request.path, exc_info=error)
        return error_response(request, Internal())

    def anonymous(request: HttpRequest, error: Any) -> HttpResponse:
        return error_response(request, Unauthenticated(SIGN_IN))

    def absent(request: HttpRequest, error: Any) -> HttpResponse:
        return error_response(request, NotFound("There is nothing at this address."))

    def http(request: HttpRequest, error: Any) -> HttpResponse:
        if isinstance(error.__cause__, Refusal):  # ninja wraps what our parser raises
            return error_response(request, error.__cause__)
        return error_response(request, Invalid("The body could not be read as JSON."))

    def bad(request: HttpRequest, error: Any) -> HttpResponse:
        return error_response(request, Invalid("The body could not be read. Is it whole, and of its content type?"))

    def large(request: HttpRequest, error: Any) -> HttpResponse:
        return error_response(request, too_large())

    def unfit(request: HttpRequest, error: Any) -> HttpResponse:
        return error_response(request, invalid_fields([(item, None) for item in error.errors(include_url=False)]))

    api.add_exception_handler(Refusal, refused)
    api.add_exception_handler(Exception, broken)
    api.add_exception_handler(AuthenticationError, anonymous)
    api.add_exception_handler(Http404, absent)
    api.add_exception_handler(HttpError, http)
    api.add_exception_handler(MultiPartParserError, bad)
    api.add_exception_handler(SuspiciousOperation, bad)
    api.add_exception_handler(BadRequest, bad)
    api.add_exception_handler(RequestDataTooBig, large)
    api.add_exception_handler(pydantic.ValidationError, unfit)


# --- what is wrong with a field ---------------------------------------------------------------


def invalid_fields(errors: list[tuple[Any, type[pydantic.BaseModel] | None]]) -> Invalid:
    """Pydantic's errors as one refusal: a sentence, and `errors` [{place, text}].

    Each error comes with the model of the body, if that is known, to say which fields there are.
    """
    lines = [{"place": place(error["loc"]), "text": sentence(error, model)} for error, model in errors]
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    return Invalid(lines[0]["text"] + more, errors=lines)


def place(location: tuple[int | str, ...]) -> str:
    """`operations[0].axis` for ("operations", 0, "axis")."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def sentence(error: Any, model: type[pydantic.BaseModel] | None = None) -> str:
    """One of pydantic's errors in words: which field, what is wrong, what would be right."""
    where = place(error["loc"]) or "The body"
    words = WORDS.get(error["type"])
    if words is None:
        return f"{where}: {error['msg']}."
    if error["type"] == "extra_forbidden" and model and model.model_fields:
        words += f" Known: {', '.join(model.model_fields)}."
    return words.format(where=where, **error.get("ctx", {}))


_WHOLE = "{where} must be a whole number."
_OBJECT = "{where} must be a JSON object."
WORDS = {
    "missing": "{where} is missing.",
    "extra_forbidden": "{where} is not known here.",
    "literal_error": "{where} must be {expected}.",
    "string_too_long": "{where} has more than {max_length:,} characters.",
    "string_too_short": "{where} is empty.",
    "too_long": "{where} has {actual_length:,} entries; at most {max_length:,} are allowed.",
    "greater_than_equal": "{where} must be {ge} or more.",
    "less_than_equal": "{where} must be {le} or less.",
    "string_type": "{where} must be text.",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "list_type": "{where} must be a list.",
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "value_error": "{where}: {error}",
}
