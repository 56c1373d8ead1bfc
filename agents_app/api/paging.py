"""One page of a list."""

from collections.abc import Callable
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Query

from agents_app.shapes import page_json
from anyplot_site import bounds

OFFSET_MAX = 1_000_000_000  # beyond any list; a database has no larger number for it
Limit = Annotated[int, Query(bounds.PAGE_ITEMS_DEFAULT, ge=1, le=bounds.PAGE_ITEMS_MAX)]
Number = Annotated[int, Query(0, ge=0, le=OFFSET_MAX)]
Offset = Annotated[int, Query(0, ge=0, le=OFFSET_MAX)]


def page(found: QuerySet[Any] | list[Any], shape: Callable[[Any], Any], limit: int, offset: int) -> dict[str, Any]:
    """`found` from `offset` on, at most `limit` of it, each as `shape` makes it."""
    total = len(found) if isinstance(found, list) else found.count()
    return page_json([shape(item) for item in found[offset : offset + limit]], total, limit, offset)
