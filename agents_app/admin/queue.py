"""The queue: its turns, each with the timeline of its events, and what an operator may do to them."""

from datetime import timedelta
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet, Window
from django.db.models.functions import Lag
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from agents_app.admin import formats, pictures
from agents_app.admin.plots import gates_table
from agents_app.admin.readonly import ShownAdmin, ShownInline
from agents_app.models import Event, Toggle, Turn
from agents_app.queue import clock
from agents_app.queue.cancel import cancel_turn
from agents_app.queue.positions import Forecast, forecast
from anyplot_site import bounds


def counters() -> list[tuple[str, str]]:
    """The header: waiting, running, done and failed in the last hour, the oldest wait."""
    now = clock.now()
    lately = Turn.objects.filter(finished_at__gte=now - timedelta(hours=1))
    failed = Q(outcome="failed") | Q(state__in=[Turn.State.LOST, Turn.State.EXPIRED])
    oldest = (
        Turn.objects.filter(state=Turn.State.QUEUED).order_by("created_at").values_list("created_at", flat=True).first()
    )
    return [
        ("waiting", str(Turn.objects.filter(state=Turn.State.QUEUED).count())),
        ("running", str(Turn.objects.filter(state=Turn.State.RUNNING).count())),
        ("done in the last hour", str(lately.filter(state=Turn.State.FINISHED).exclude(failed).count())),
        ("failed in the last hour", str(lately.filter(failed).count())),
        ("oldest wait", formats.duration(now - oldest if oldest else None)),
    ]


class EventInline(ShownInline):
    """The stored events with the time that each took since the one before: what its stream said."""

    model = Event
    fields = ("number", "type", "step", "moment", "after", "said")
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Each with the moment of the one before it."""
        before = Window(Lag("at"), partition_by="turn", order_by="number")
        return super().get_queryset(request).annotate(before=before)

    @admin.display
    def step(self, event: Event) -> str:
        """Which step a status names."""
        return event.data.get("step", "")

    @admin.display(description="after")
    def after(self, event: Event) -> str:
        """The time since the event before."""
        return formats.between(event.before, event.at)  # type: ignore[attr-defined]

    @admin.display(description="at")
    def moment(self, event: Event) -> str:
        """The time of day, to the millisecond (UTC)."""
        return event.at.strftime("%H:%M:%S.%f")[:-3]

    @admin.display(description="data")
    def said(self, event: Event) -> Any:
        """The event's fields, long ones cut; a plot's pictures and gates stand above."""
        return formats.fields({key: value for key, value in event.data.items() if key not in ("step", "artifacts")})


@admin.register(Turn)
class TurnAdmin(ShownAdmin):
    """The queue. Newest first; filter by state to see who waits."""

    list_display = (
        "arrival", "state", "outcome", "position", "waited", "ran", "lane", "owner", "session", "created_at",
    )  # fmt: skip
    list_filter = ("state", "lane", "outcome", "error_code", "created_at")
    list_select_related = ("owner", "session")
    list_per_page = 50
    search_fields = ("=id", "=session__id", "owner__username")
    date_hierarchy = "created_at"
    actions = ("cancel",)
    inlines = (EventInline,)
    fields = (
        "id", "session", "owner", "state", "lane", "arrival", "position", "waited", "ran", "outcome", "error_code",
        "version", "shown", "verdicts", "asked", "base", "theme", "attempts", "worker", "cancel_requested",
        "created_at", "wait_until", "present_until", "started_at", "sent_at", "claimed_at", "lease_until",
        "deadline_at", "finished_at",
    )  # fmt: skip
    change_list_template = "admin/agents_app/turn/change_list.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list below its counters."""
        return super().changelist_view(request, {**(extra_context or {}), "counters": counters()})

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """The page's turns, with one forecast for all of them."""
        page = super().get_changelist_instance(request)
        ahead = forecast()
        for turn in page.result_list:
            turn.ahead = ahead
        return page

    def has_stop_permission(self, request: HttpRequest) -> bool:
        """Whoever may change turns may stop them."""
        return request.user.has_perm("agents_app.change_turn")  # type: ignore[union-attr]

    @admin.action(description="Stop the selected turns", permissions=["stop"])
    def cancel(self, request: HttpRequest, chosen: QuerySet[Turn]) -> HttpResponse | None:
        """Ask first; then stop what still waits or runs, and leave an audit entry."""
        active = (
            chosen.filter(state__in=Turn.ACTIVE).select_related("owner", "session").order_by("lane_rank", "arrival")
        )
        if request.POST.get("confirmed") != "yes":
            context = {
                **self.admin_site.each_context(request),
                "title": "Stop these turns?",
                "opts": self.opts,
                "turns": active[: bounds.ADMIN_CANCEL_MAX],
                "ended": chosen.count() - active.count(),
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/agents_app/turn/stop.html", context)
        stopped = 0
        for turn in active[: bounds.ADMIN_CANCEL_MAX]:
            if cancel_turn(turn, "Stopped by an operator. Nothing is lost."):
                self.log_change(request, turn, "Stopped.")
                stopped += 1
        self.message_user(request, f"{stopped} stopped.", messages.SUCCESS if stopped else messages.WARNING)
        return None

    @admin.display
    def position(self, turn: Turn) -> str:
        """The place of a waiting turn in the order of service, from 1, and when it will probably start."""
        if turn.state != Turn.State.QUEUED:
            return formats.EMPTY
        ahead: Forecast = getattr(turn, "ahead", None) or forecast()
        place = ahead.places.get(str(turn.id))
        if place is None:
            return formats.EMPTY
        start = ahead.starts_s[place - 1]
        return f"{place} (paused)" if start is None else f"{place} (in {formats.duration(timedelta(seconds=start))})"

    @admin.display
    def waited(self, turn: Turn) -> str:
        """How long it waited for its start, or waits by now."""
        end = turn.started_at or turn.finished_at or clock.now()
        return formats.between(turn.created_at, end)

    @admin.display
    def ran(self, turn: Turn) -> str:
        """How long its run took, or takes by now."""
        return formats.between(turn.started_at, turn.finished_at or clock.now())

    @admin.display(description="pictures")
    def shown(self, turn: Turn) -> Any:
        """Thumbnails of its version in both themes."""
        return pictures.thumbnails(turn.version)

    @admin.display(description="gates")
    def verdicts(self, turn: Turn) -> Any:
        """The verdicts of its version."""
        return gates_table(turn.version) if turn.version else formats.EMPTY

    @admin.display(description="operations")
    def asked(self, turn: Turn) -> Any:
        """What it asked for."""
        return formats.pretty(turn.operations)


@admin.register(Toggle)
class ToggleAdmin(ShownAdmin):
    """Theme toggles and exports in flight, and those that were."""

    list_display = ("version", "owner", "theme", "format", "active", "created_at", "lease_until")
    list_filter = ("active", "theme", "created_at")
    list_select_related = ("owner", "version")
