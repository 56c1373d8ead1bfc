"""The periodic look at the queue in a web process."""

import logging
import os
import threading

from django.db import close_old_connections

from agents_app.queue.dispatch import dispatch
from anyplot_site import bounds

log = logging.getLogger(__name__)
_ticking_in: int | None = None


def start_ticking() -> bool:
    """Call `dispatch` every `TICK_S` from a thread of this process; False when it ticks already.

    Called once by the web server's start, never by a command or a test; a forked child does not inherit it.
    """
    global _ticking_in  # noqa: PLW0603 - one tick per process is the point
    if _ticking_in == os.getpid():
        return False
    _ticking_in = os.getpid()
    threading.Thread(target=_tick, name="queue-tick", daemon=True).start()
    return True


def _tick() -> None:
    pause = threading.Event()
    while not pause.wait(bounds.TICK_S):
        try:
            close_old_connections()
            dispatch()
        except Exception as error:
            # A database that is being restarted: the next tick looks again.
            log.warning("the queue could not be looked at: %s", type(error).__name__)
        finally:
            close_old_connections()
