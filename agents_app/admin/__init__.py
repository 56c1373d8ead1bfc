"""The operator's pages: the queue first, then what people have. Rows are written by `queue/` and `services/` only."""

from agents_app.admin import access, people, plots, queue

__all__ = ["access", "people", "plots", "queue"]
