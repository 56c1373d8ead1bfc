"""The run queue: rows decide, RQ carries, Channels nudges (`docs/queue.md`)."""
