"""Guests, and what people used."""

from django.contrib import admin

from agents_app.admin.readonly import ShownAdmin
from agents_app.models import Guest, Usage


@admin.register(Guest)
class GuestAdmin(ShownAdmin):
    """Users who never signed up."""

    list_display = ("user", "created_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    date_hierarchy = "created_at"
    fields = ("user", "created_at")


@admin.register(Usage)
class UsageAdmin(ShownAdmin):
    """Runs, model calls and their cost, by person and day."""

    list_display = ("user", "day", "runs", "calls", "cost_usd")
    list_filter = ("day",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    date_hierarchy = "day"
