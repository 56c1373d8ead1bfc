"""Pages that show and never write."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class Shown:
    """An admin that nobody can add to, change or delete from; what an operator may do are named actions."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: whoever may view sees the fields as text."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Every field that is shown."""
        return tuple(self.fields or (field.name for field in self.model._meta.fields))  # type: ignore[attr-defined]


class ShownAdmin(Shown, admin.ModelAdmin):
    """A model that is shown."""

    show_full_result_count = False


class ShownInline(Shown, admin.TabularInline):
    """Rows that are shown on their owner's page."""

    extra = 0
    can_delete = False
