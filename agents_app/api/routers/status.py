"""How the site is doing."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from agents_app import __version__
from agents_app.queue import positions
from renderer_app.backends import backend

router = Router(tags=["status"])


@router.get("/status", auth=None, summary="Queue, workers and renderer")
def status(request: HttpRequest) -> dict[str, Any]:
    """The queue's numbers, its limits, who works, and how pictures are drawn (QU12)."""
    return {
        **positions.snapshot(),
        "renderer": backend().status(),
        "adapter": "builtin",
        "model": None,
        "version": __version__,
    }
