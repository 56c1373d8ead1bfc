"""Waiting for something that another process does."""

import threading
import time
from collections.abc import Callable


def eventually(condition: Callable[[], object], within_s: float = 30.0, every_s: float = 0.02) -> bool:
    """True as soon as `condition()` is; False when it is not within the time."""
    end = time.monotonic() + within_s
    pause = threading.Event()
    while not condition():
        if time.monotonic() > end:
            return False
        pause.wait(every_s)
    return True
