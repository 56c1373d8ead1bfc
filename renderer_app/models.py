"""The render queue's rows. Only `renderer_app` writes them."""

import uuid

from django.db import models
from django.db.models import Q


class RenderRequest(models.Model):
    """One theme of one script that waits for, has or had the render slot.

    States: `waiting` -> `rendering` -> `done`; `waiting` or `rendering` -> `canceled`; a `rendering` row
    whose lease ran out goes back to `waiting` once, then to `lost`. `done` holds for failed scripts too:
    `result` says what came of it. Every write that ends a row is conditional on `token`.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RENDERING = "rendering"
        DONE = "done"
        CANCELED = "canceled"
        LOST = "lost"
        EXPIRED = "expired"

    ACTIVE = (State.WAITING, State.RENDERING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job_id = models.CharField(max_length=80, db_index=True)
    theme = models.CharField(max_length=5)
    format = models.CharField(max_length=3, default="png")
    purpose = models.CharField(max_length=8, default="pipeline")
    rank = models.PositiveSmallIntegerField(default=0, help_text="Order of service of the purpose, 0 first.")
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    limits = models.JSONField(default=dict)
    result = models.JSONField(default=dict, help_text="Reason, measured, limit, usage, probe: no picture.")
    # Empty for a row that its own process renders (backend `local`): it only holds a place in the line.
    script = models.FileField(upload_to="renders/%Y/%m/%d", max_length=200, blank=True)
    data = models.FileField(upload_to="renders/%Y/%m/%d", max_length=200, blank=True)
    picture = models.FileField(upload_to="renders/%Y/%m/%d", max_length=200, blank=True)
    token = models.PositiveBigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    waiter = models.CharField(max_length=120, blank=True, help_text="The process that waits for the picture.")
    worker = models.CharField(max_length=120, blank=True)
    cancel_requested = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    wait_until = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["rank", "created_at"], name="render_next", condition=Q(state__in=["waiting", "rendering"])
            )
        ]

    def __str__(self) -> str:
        return f"{self.job_id} {self.theme} ({self.state})"


class RenderGate(models.Model):
    """The one row that every decision about the render slot takes first."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    next_token = models.PositiveBigIntegerField(default=1)

    def __str__(self) -> str:
        return f"render gate, next token {self.next_token}"


class WorkerBeat(models.Model):
    """The last sign of life of a process of the family: `web`, `run` or `render` (shown by /v1/status)."""

    name = models.CharField(max_length=120, primary_key=True)
    kind = models.CharField(max_length=8)
    host = models.CharField(max_length=120)
    detail = models.JSONField(default=dict)
    beat_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
