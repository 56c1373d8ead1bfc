"""What RQ's queue `render` carries: the id of a row. The row says what to do."""

from renderer_app import worker


def render_next(request_id: str) -> None:
    """Look for waiting renders; `request_id` only says whose nudge this is, the order is the rows'."""
    del request_id
    worker.look_after_rows()
