"""A theme toggle in flight."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Toggle(models.Model):
    """One person's render of a version in its other theme, or its export (EX2). Only `queue/` writes it.

    `active` until it ended or its lease ran out (its process died).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="toggles")
    version = models.ForeignKey("agents_app.Version", on_delete=models.CASCADE, related_name="toggles")
    theme = models.CharField(max_length=5)
    format = models.CharField(max_length=3, default="png")
    active = models.BooleanField(default=True)
    lease_until = models.DateTimeField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner"], condition=Q(active=True), name="one_active_toggle_per_owner")
        ]

    def __str__(self) -> str:
        return f"{self.theme} {self.format}"
