"""What the script's process says of itself: read with care, cleaned, and never believed for more than it is."""

import json
import math
from dataclasses import dataclass
from typing import Any

from anyplot_site import bounds


class Unreadable(Exception):
    """The claims are not what a harness writes; the message is a sentence for a person."""


@dataclass(frozen=True)
class Claims:
    """The measurements of the figure, the name of the exception that ended the script, why nothing was measured."""

    probe: dict[str, Any] | None = None
    failed: str = ""
    probe_error: str = ""


def read(body: bytes) -> Claims:
    """Claims from their JSON; raises Unreadable.

    NaN, infinities and numbers without end become null, lone surrogates become question marks, and nesting is
    bounded, so that what is stored can be stored and what is compared can be compared.
    """
    try:
        raw = json.loads(body, parse_constant=lambda _: None, parse_int=_integer)
    except (ValueError, RecursionError) as problem:
        raise Unreadable("The measurements of the figure can't be read.") from problem
    if not isinstance(raw, dict):
        raise Unreadable("The measurements of the figure are not an object.")
    clean = _clean(raw, bounds.RENDER_PROBE_DEPTH)
    probe = clean.get("probe")
    if probe is not None and not isinstance(probe, dict):
        raise Unreadable("The measurements of the figure are not an object.")
    return Claims(probe, str(clean.get("failed") or "")[:100], str(clean.get("probe_error") or "")[:500])


def _integer(text: str) -> int | None:
    return int(text) if len(text) <= 18 else None


def _clean(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", "")  # PostgreSQL stores no NUL
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict | list) and depth == 0:
        raise Unreadable("The measurements of the figure are nested too deep.")
    if isinstance(value, dict):
        return {_clean(key, depth): _clean(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item, depth - 1) for item in value]
    return value
