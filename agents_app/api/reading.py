"""JSON in and out, strictly: no NaN, no lone surrogates, no NUL where a database could not keep it."""

import json
import math
from typing import Any, NoReturn

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest
from ninja.parser import Parser
from ninja.renderers import BaseRenderer

from agents_app.refusals import Invalid
from agents_app.services.texts import check_texts


def parse_json(raw: bytes, *, nul: bool = False) -> Any:
    """The JSON value in `raw`; Invalid says what is wrong. `nul` allows NUL characters in texts."""
    try:
        value = json.loads(raw, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        raise Invalid("The body is not valid JSON (UTF-8). Check commas, quotes and brackets.") from None
    check_texts(value, nul=nul)
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


class StrictParser(Parser):
    """Reads the bodies of all operations."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The body's JSON value."""
        return parse_json(request.body)


class StrictRenderer(BaseRenderer):
    """Writes JSON that every reader takes: a number that JSON has no word for becomes null."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        """The answer's text."""
        try:
            return json.dumps(data, cls=DjangoJSONEncoder, allow_nan=False)
        except ValueError:
            return json.dumps(_without_nan(data), cls=DjangoJSONEncoder, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(item) for item in value]
    return value
