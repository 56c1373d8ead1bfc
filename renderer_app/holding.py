"""Keep a render's lease while it runs, and hear of a cancellation, beside the thread that renders.

Beside it, since the watchdog must not wait for a database that is slow.
"""

import threading
import time

import structlog
from django.db import DatabaseError, connection

from anyplot_site import bounds
from renderer_app import slots
from renderer_app.models import RenderRequest

log = structlog.get_logger(__name__)


class Holding:
    """A context in which the lease of `row` is beaten every `LEASE_BEAT_S` and looked at every `RENDER_POLL_S`."""

    def __init__(self, row: RenderRequest) -> None:
        self.row = row
        self.cancel = False  # somebody asked to cancel
        self.lost = False  # the lease is somebody else's, or nobody confirmed it for LEASE_FENCE_S
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, name=f"lease-{row.pk}", daemon=True)

    def __enter__(self) -> "Holding":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(bounds.LEASE_S)

    def ended(self) -> bool:
        """True when the render must stop."""
        return self.cancel or self.lost

    def _keep(self) -> None:
        confirmed_at = beaten_at = time.monotonic()
        try:
            while not self._stop.wait(bounds.RENDER_POLL_S) and not self.ended():
                now = time.monotonic()
                try:
                    if now - beaten_at >= bounds.LEASE_BEAT_S:
                        answer = slots.beat(self.row.pk, self.row.token)
                        beaten_at = now
                    else:
                        answer = slots.look(self.row.pk, self.row.token)
                except DatabaseError as problem:
                    log.warning("render.beat_failed", error=type(problem).__name__)
                    connection.close()
                else:
                    confirmed_at = now
                    self.cancel, self.lost = answer.cancel, not answer.confirmed
                if time.monotonic() - confirmed_at > bounds.LEASE_FENCE_S:
                    self.lost = True
        finally:
            connection.close()
