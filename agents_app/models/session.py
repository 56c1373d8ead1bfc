"""A conversation about one plot."""

import uuid

from django.conf import settings
from django.db import models


class Session(models.Model):
    """One pair (spec, library) on one data set, and everything that was said about it.

    `bindings` is `{role: column name}`, for a family role `{role: [names]}`. Versions keep their own data,
    so a deleted data set ends only new turns.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="plot_sessions")
    name = models.CharField(max_length=120, blank=True)
    spec = models.CharField(max_length=80)
    library = models.CharField(max_length=40)
    language = models.CharField(max_length=20, default="python")
    dataset = models.ForeignKey(
        "agents_app.Dataset", null=True, blank=True, on_delete=models.SET_NULL, related_name="sessions"
    )
    bindings = models.JSONField(default=dict)
    theme = models.CharField(max_length=5, default="light")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["owner", "-created_at"], name="session_newest")]

    def __str__(self) -> str:
        return self.name or f"{self.spec} ({self.library})"
