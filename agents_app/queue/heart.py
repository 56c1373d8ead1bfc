"""The thread that beats beside a piece of leased work.

It keeps the lease, learns of a stop within half a second, and knows two ends of its own: the deadline, and the
fence: without a confirmed beat for 20 s the lease may be given to another, so the work must end before that.
"""

import logging
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from django.db import connections

from agents_app.queue.lease import Beat
from anyplot_site import bounds

log = logging.getLogger(__name__)


class Heart:
    """Beats while the block lasts; `must_stop()` says when the work is to end, `reason` why.

    `beat` keeps the lease, `look` asks between two beats whether it is still held; both may fail, which is
    silence and not a stop. `left_s` are seconds to the deadline (None: there is none). `on_end(reason)` is called
    from the thread when the work must not go on at any price: "fenced", or "overrun" when it is still busy well
    after its deadline.
    """

    def __init__(
        self,
        beat: Callable[[], Beat],
        look: Callable[[], bool],
        *,
        left_s: float | None = None,
        on_end: Callable[[str], None] = lambda reason: None,
        look_s: float = bounds.RUN_LOOK_S,
        beat_s: float = bounds.LEASE_BEAT_S,
        fence_s: float = bounds.LEASE_FENCE_S,
        overrun_s: float = bounds.RUN_OVERRUN_S,
    ) -> None:
        self._beat, self._look, self._on_end = beat, look, on_end
        self._look_s, self._beat_s, self._fence_s, self._overrun_s = look_s, beat_s, fence_s, overrun_s
        self._confirmed_at = self._beaten_at = time.monotonic()
        self._deadline = None if left_s is None else self._confirmed_at + left_s
        self._over = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)
        self.reason = ""

    def must_stop(self) -> bool:
        """True when the work is to end: stopped, fenced, or out of time."""
        if not self._stop.is_set() and self._deadline is not None and time.monotonic() >= self._deadline:
            self.stop("deadline")
        return self._stop.is_set()

    def stop(self, reason: str) -> None:
        """Tell the work to end; the first reason stays."""
        if not self._stop.is_set():
            self.reason = reason
            self._stop.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._over.wait(self._look_s):
                if end := self._end():
                    self.stop(end)
                    self._on_end(end)
                    return
                self._ask()
        finally:
            connections.close_all()

    def _end(self) -> str:
        """Why the work must not go on at any price, or empty."""
        now = time.monotonic()
        if self._deadline is not None and now >= self._deadline + self._overrun_s:
            return "overrun"
        return "fenced" if now - self._confirmed_at >= self._fence_s else ""

    def _ask(self) -> None:
        """One look, or a beat when it is time for one."""
        now = time.monotonic()
        try:
            if now - self._beaten_at >= self._beat_s:
                answer = self._beat()
                self._beaten_at = now
                if answer.confirmed:
                    self._confirmed_at = now
                if answer.cancel:
                    self.stop("stopped")
            elif not self._look():
                self.stop("stopped")
        except Exception as error:
            # Nothing is known; the fence decides how long that may last.
            log.warning("a beat was not answered: %s", type(error).__name__)
            connections.close_all()
