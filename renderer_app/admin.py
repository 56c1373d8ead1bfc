"""What the renderer did, for operators. Nothing is written here."""

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from renderer_app.models import RenderRequest, WorkerBeat


class ShownAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A model that nobody can add to, change or delete from."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: whoever may view sees the fields as text."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


@admin.register(RenderRequest)
class RenderRequestAdmin(ShownAdmin):
    """Every render: who waited, what came of it, what it used."""

    list_display = (
        "job_id",
        "theme",
        "format",
        "purpose",
        "state",
        "reason",
        "waited_s",
        "took_s",
        "attempts",
        "created_at",
    )
    list_filter = ("state", "purpose", "theme", "format", "created_at")
    search_fields = ("=id", "job_id")
    date_hierarchy = "created_at"
    fields = (
        "id", "job_id", "theme", "format", "purpose", "state", "reason", "came", "limits", "token", "attempts",
        "worker", "cancel_requested", "created_at", "wait_until", "started_at", "lease_until", "finished_at",
        "waited_s", "took_s",
    )  # fmt: skip
    readonly_fields = ("reason", "came", "waited_s", "took_s")

    @admin.display
    def reason(self, render: RenderRequest) -> str:
        """Why there is no picture, if there is none."""
        return str(render.result.get("reason") or "")

    @admin.display(description="result")
    def came(self, render: RenderRequest) -> str:
        """The result without the probe's measurements, which are long."""
        short = {key: value for key, value in render.result.items() if key != "probe"}
        return format_html("<pre>{}</pre>", json.dumps(short, indent=1, ensure_ascii=False))

    @admin.display(description="waited (s)")
    def waited_s(self, render: RenderRequest) -> str:
        """Seconds until its start."""
        return _seconds(render.created_at, render.started_at)

    @admin.display(description="took (s)")
    def took_s(self, render: RenderRequest) -> str:
        """Seconds from its start to its end."""
        return _seconds(render.started_at, render.finished_at)


@admin.register(WorkerBeat)
class WorkerBeatAdmin(ShownAdmin):
    """Which processes gave a sign of life, and when."""

    list_display = ("name", "kind", "host", "age", "beat_at")
    list_filter = ("kind", "host")
    ordering = ("kind", "name")

    @admin.display
    def age(self, beat: WorkerBeat) -> str:
        """Seconds since the last sign of life."""
        return _seconds(beat.beat_at, timezone.now()) + " s"


def _seconds(start: Any, end: Any) -> str:
    return f"{(end - start).total_seconds():.2f}" if start and end else "–"
