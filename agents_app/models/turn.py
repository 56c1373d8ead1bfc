"""Turns, their events, and the rows that the queue decides by. Only `queue/` writes them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Turn(models.Model):
    """One message of a person and what came of it.

    ::

        (admit) -> queued -> running -> finished      the run came to an outcome and was published
                      |         |-----> canceled      stopped by the person or an operator
                      |         |-----> lost          its worker was lost twice (`worker_lost`)
                      |         '-----> queued        its worker was lost once: back to its old place
                      |-> canceled                    stopped while waiting
                      |-> expired                     its longest wait ran out (QU7)
                      '-> withdrawn                   its client was gone (QU10)
        (no run needed) -> finished                   answered at once, takes no place (QU1)

    `arrival` orders a lane. `token` is the fencing token of the present start: every write that ends a
    running turn is conditional on it. `started_at` is when the run left the queue; `deadline_at` counts from
    there (QU9). `sent_at` is when the message to the workers went out; `claimed_at` is when a worker took it
    up; none within a few seconds means that the message was lost and is sent again. `present_until` is None
    until a stream, a socket or a polling page was there: such a turn waits its whole wait (see
    `queue/presence.py`).
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        CANCELED = "canceled"
        EXPIRED = "expired"
        WITHDRAWN = "withdrawn"
        LOST = "lost"

    class Lane(models.TextChoices):
        PREMIUM = "premium"
        STANDARD = "standard"
        BATCH = "batch"

    ACTIVE = (State.QUEUED, State.RUNNING)
    TERMINAL = (State.FINISHED, State.CANCELED, State.EXPIRED, State.WITHDRAWN, State.LOST)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey("agents_app.Session", on_delete=models.CASCADE, related_name="turns")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="turns")
    lane = models.CharField(max_length=8, choices=Lane.choices, default=Lane.STANDARD)
    lane_rank = models.PositiveSmallIntegerField(default=1, help_text="Order of service of the lane, 0 first.")
    arrival = models.PositiveBigIntegerField(unique=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)

    text = models.TextField(blank=True)
    operations = models.JSONField(default=list)
    theme = models.CharField(max_length=5, blank=True, help_text="Asked for by name; empty: TH1, TH2 decide.")
    base = models.CharField(max_length=10, default="previous", help_text="previous, original or a version number.")
    idempotency_key = models.CharField(max_length=200, blank=True)

    token = models.PositiveBigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=120, blank=True)
    cancel_requested = models.BooleanField(default=False)
    lease_until = models.DateTimeField(null=True, blank=True)
    present_until = models.DateTimeField(
        null=True, blank=True, help_text="A client that was there counts as present until then (QU10)."
    )
    wait_until = models.DateTimeField()
    deadline_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    outcome = models.CharField(max_length=16, blank=True, help_text="As in the `done` event.")
    error_code = models.CharField(max_length=16, blank=True)
    version = models.ForeignKey(
        "agents_app.Version", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            # EX1 stands in the database, so that no race between processes can break it.
            models.UniqueConstraint(
                fields=["owner"],
                condition=Q(state__in=["queued", "running"]) & ~Q(lane="batch"),
                name="one_active_turn_per_owner",
            ),
            models.UniqueConstraint(
                fields=["session", "idempotency_key"], condition=~Q(idempotency_key=""), name="turn_idempotency"
            ),
        ]
        indexes = [
            # Partial, so that cost does not grow with the history.
            models.Index(fields=["lane_rank", "arrival"], name="turn_waiting", condition=Q(state="queued")),
            models.Index(fields=["wait_until"], name="turn_wait_until", condition=Q(state="queued")),
            models.Index(fields=["present_until"], name="turn_present_until", condition=Q(state="queued")),
            models.Index(fields=["lease_until"], name="turn_running", condition=Q(state="running")),
            models.Index(fields=["finished_at"], name="turn_served", condition=Q(state="finished")),
            models.Index(fields=["session", "arrival"], name="turn_session"),
        ]

    def __str__(self) -> str:
        return f"{self.arrival} ({self.state})"


class Event(models.Model):
    """A numbered line of a turn's stream (PR2). Only `queue.events` inserts them."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    type = models.CharField(max_length=8)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ["turn", "number"]
        constraints = [models.UniqueConstraint(fields=["turn", "number"], name="event_number")]

    def __str__(self) -> str:
        return f"{self.number} {self.type}"


class QueueGate(models.Model):
    """The one row that every decision of the queue takes first; holds the counters and the pause.

    `clocks` is {host: seconds between the clock and that host's monotonic clock}: by it a jump of the clock
    is told from a quiet hour.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    next_arrival = models.PositiveBigIntegerField(default=1)
    next_token = models.PositiveBigIntegerField(default=1)
    passed_over = models.PositiveIntegerField(
        default=0, help_text="Starts of people's turns since a batch run began to wait or was started (QU16)."
    )
    paused_at = models.DateTimeField(null=True, blank=True)
    clocks = models.JSONField(default=dict)

    def __str__(self) -> str:
        return "paused" if self.paused_at else "open"


class QueueStart(models.Model):
    """A start: it counts in the sliding rate window (QU3), and may hold its slot longer than its turn runs.

    `held_until` is set when a running turn was ended from outside (stopped, its session deleted): the place in
    flight stays taken until its worker says that it has stopped, or its lease is over. A turn that is
    stopped is over at once (EX4), the work is not.
    """

    turn = models.ForeignKey(Turn, null=True, on_delete=models.SET_NULL, related_name="starts")
    token = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField(db_index=True)
    held_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)

    class Meta:
        indexes = [models.Index(fields=["held_until"], name="start_held", condition=Q(held_until__isnull=False))]

    def __str__(self) -> str:
        return f"start {self.token}"
