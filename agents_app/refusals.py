"""The refusals that a person or a program can meet, with their stable codes.

Raised by rooms and services, turned into JSON by `api/` and into words on a page by `web/`. `detail` is
a sentence for a person: what is wrong, where, and the way out.
"""

from typing import Any


class Refusal(Exception):
    """A request that is not carried out: HTTP `status`, stable `code`, sentence `detail`, more fields `extra`.

    `retry_after_s` becomes a `Retry-After` header.
    """

    status = 422
    code = "invalid"

    def __init__(self, detail: str, *, retry_after_s: float | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after_s = retry_after_s
        self.extra = extra


class Invalid(Refusal):
    """A field is missing, unknown or out of range."""


class Unauthenticated(Refusal):
    status, code = 401, "unauthenticated"


class Forbidden(Refusal):
    status, code = 403, "forbidden"


class NotFound(Refusal):
    """Absent, or somebody else's (EX3)."""

    status, code = 404, "not_found"


class NotRendered(Refusal):
    """A format of a version that was not exported yet."""

    status, code = 404, "not_rendered"


class RunActive(Refusal):
    """The person's earlier turn or toggle is still going (EX1, EX2)."""

    status, code = 409, "run_active"


class TooLarge(Refusal):
    status, code = 413, "too_large"


class Unreadable(Refusal):
    """No table could be read; `extra["lines"]` = [{row, column, value, text}]."""

    code = "unreadable"


class BindingRefused(Refusal):
    """Bindings do not fit; `extra` has `lines` [{role, column, text}], `roles`, `proposed`."""

    code = "binding_refused"


class Ineligible(Refusal):
    """The pair (spec, library) cannot be adapted; `extra["reasons"]` = [{code, line, text}]."""

    code = "ineligible"


class OverBudget(Refusal):
    status, code = 429, "budget"


class TooOften(Refusal):
    status, code = 429, "rate"


class NotSupported(Refusal):
    status, code = 501, "not_supported"


class OverCapacity(Refusal):
    """The queue is full (QU6), or no render slot came free (TO4)."""

    status, code = 503, "capacity"
