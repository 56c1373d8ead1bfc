"""The queue's limits as the settings have them."""

from dataclasses import dataclass
from typing import Self

from django.conf import settings


@dataclass(frozen=True)
class Policy:
    """What an operator has set; durations in seconds."""

    concurrency: int
    runs_per_minute: int
    max_wait_s: int
    unlimited_capacity: int
    batch_max: int
    deadline_s: int
    heartbeat_s: int
    timeout_s: int
    turn_max_s: int

    @classmethod
    def current(cls) -> Self:
        """The policy of the settings, read anew: tests change them."""
        return cls(
            concurrency=settings.AGENT_RUN_CONCURRENCY,
            runs_per_minute=settings.AGENT_RUNS_PER_MINUTE,
            max_wait_s=settings.AGENT_QUEUE_MAX_WAIT_S,
            unlimited_capacity=settings.AGENT_QUEUE_CAPACITY,
            batch_max=settings.AGENT_BATCH_MAX,
            deadline_s=settings.AGENT_REQUEST_DEADLINE_S,
            heartbeat_s=settings.AGENT_HEARTBEAT_S,
            timeout_s=settings.AGENT_REQUEST_TIMEOUT_S,
            turn_max_s=settings.AGENT_TURN_MAX_S,
        )

    @property
    def capacity(self) -> int:
        """How many people's turns may wait (QU5): rate x longest wait; with no rate a number of its own.

        It assumes runs of at most a minute. At least 1, so that a tiny wait still lets a turn through an
        idle queue.
        """
        if self.runs_per_minute == 0:
            return self.unlimited_capacity
        return max(1, self.runs_per_minute * self.max_wait_s // 60)

    @property
    def slack_s(self) -> int:
        """How much longer than the longest wait a turn may wait and still finish inside its whole time (PR4)."""
        return max(0, self.turn_max_s - self.deadline_s - self.max_wait_s)
