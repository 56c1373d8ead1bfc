"""What a person used on a day."""

from django.conf import settings
from django.db import models


class Usage(models.Model):
    """Counts per person and UTC day (BU1, BU2)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="usage")
    day = models.DateField()
    runs = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    tokens = models.JSONField(default=dict)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="one_usage_per_day")]

    def __str__(self) -> str:
        return f"{self.user} {self.day}"
