"""Versions of a plot, their themed pictures, and what people said about them."""

import uuid

from django.conf import settings
from django.db import models


class Version(models.Model):
    """One result of a run. Written once by `services.publish`; later only artifacts are added.

    `recipe` is a serialised `recipe.Recipe`; `operations` what this turn asked for; `changes`, `notes`
    sentences; `gates` the verdicts of the run's theme; `rows` {total, used, dropped, reasons}; `timings`
    and `usage` as in the API. `script` is `plot.py`, `data` the canonical `data.csv` it reads, `columns` its
    typed columns (`intake.Column.as_json()`): a version outlives its data set, and needs them for its other theme.
    """

    class Status(models.TextChoices):
        OK = "ok"
        NEEDS_ATTENTION = "needs_attention"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey("agents_app.Session", on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    turn = models.OneToOneField(
        "agents_app.Turn", null=True, blank=True, on_delete=models.SET_NULL, related_name="result"
    )
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children")
    status = models.CharField(max_length=16, choices=Status.choices)
    theme = models.CharField(max_length=5)
    spec = models.CharField(max_length=80)
    library = models.CharField(max_length=40)
    recipe = models.JSONField()
    operations = models.JSONField(default=list)
    changes = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    gates = models.JSONField(default=list)
    rows = models.JSONField(default=dict)
    timings = models.JSONField(default=dict)
    usage = models.JSONField(default=dict)
    columns = models.JSONField(default=list)
    alt_text = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=1)
    script = models.FileField(upload_to="versions/%Y/%m/%d", max_length=200)
    data = models.FileField(upload_to="versions/%Y/%m/%d", max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["session", "-number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="version_number")]

    def __str__(self) -> str:
        return f"{self.spec} ({self.library}) {self.number}"


class Artifact(models.Model):
    """A version's picture in one theme and format, or the record that it could not be made (TO3, TO5).

    `file` is empty for a failed one. `code` is `canvas_padded`, `render` or empty; `verdicts` are the host
    gates' and, as notes, the probe gates' of this theme.
    """

    class Status(models.TextChoices):
        OK = "ok"
        NEEDS_ATTENTION = "needs_attention"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="artifacts")
    theme = models.CharField(max_length=5)
    format = models.CharField(max_length=3, default="png")
    status = models.CharField(max_length=16, choices=Status.choices)
    code = models.CharField(max_length=16, blank=True)
    detail = models.TextField(blank=True)
    file = models.FileField(upload_to="artifacts/%Y/%m/%d", max_length=200, blank=True)
    bytes = models.PositiveIntegerField(default=0)
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    verdicts = models.JSONField(default=list)
    tries = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version", "theme", "format"]
        constraints = [models.UniqueConstraint(fields=["version", "theme", "format"], name="one_artifact_per_theme")]

    def __str__(self) -> str:
        return f"{self.theme} {self.format} ({self.status})"


class Feedback(models.Model):
    """A person's quick word on a version: one each, the last one counts."""

    class Reaction(models.TextChoices):
        UP = "up"
        DOWN = "down"

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="feedback")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reaction = models.CharField(max_length=4, choices=Reaction.choices)
    message = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "owner"], name="one_feedback_per_person")]

    def __str__(self) -> str:
        return self.reaction
