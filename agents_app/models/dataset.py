"""A table that a person brought."""

import uuid

from django.conf import settings
from django.db import models


class Dataset(models.Model):
    """The bytes as they came, the reading of them, and the canonical table.

    `reading`, `columns`, `notes` and `preview` have the API's shapes (`docs/intake.md`); `overrides` is
    what the person changed: {"reading": {...}, "columns": [...]}. `how` is `paste` or `upload`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="datasets")
    name = models.CharField(max_length=120)
    how = models.CharField(max_length=6, default="paste")
    file_name = models.CharField(max_length=255, blank=True)
    original = models.FileField(upload_to="datasets/%Y/%m/%d", max_length=200)
    canonical = models.FileField(upload_to="datasets/%Y/%m/%d", max_length=200)
    bytes = models.PositiveBigIntegerField()
    rows = models.PositiveIntegerField()
    reading = models.JSONField(default=dict)
    columns = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    preview = models.JSONField(default=dict)
    overrides = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["owner", "-created_at"], name="dataset_newest")]

    def __str__(self) -> str:
        return self.name
