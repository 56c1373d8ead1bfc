"""API tokens: made here by `services.tokens`, which shows the text once."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from agents_app.models import ApiToken
from agents_app.services import tokens
from anyplot_site import bounds


class TokenForm(forms.ModelForm):
    """For whom, what for, how long."""

    days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=bounds.TOKEN_DAYS_MAX,
        help_text="Good for so many days; empty: until it is revoked.",
    )

    class Meta:
        model = ApiToken
        fields = ("user", "name")


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Who may call the API, and since when; the text itself is stored nowhere."""

    form = TokenForm
    list_display = ("name", "user", "state", "created_at", "expires_at", "used_at")
    list_filter = ("created_at", "expires_at", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    autocomplete_fields = ("user",)
    actions = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a token is made and revoked."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a revoked token stays as a record."""
        return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The form's when adding; what is known of a token otherwise."""
        return (
            ("user", "name", "days")
            if obj is None
            else ("user", "name", "created_at", "expires_at", "used_at", "revoked_at")
        )

    @admin.display(description="state")
    def state(self, token: ApiToken) -> str:
        """Good, ended or revoked."""
        if token.revoked_at:
            return "revoked"
        return "ended" if token.expires_at and token.expires_at < timezone.now() else "good"

    def save_model(self, request: HttpRequest, obj: ApiToken, form: Any, change: bool) -> None:
        """Have the token made; `obj` becomes what was stored."""
        token, text = tokens.issue(obj.user, obj.name, form.cleaned_data["days"])
        obj.__dict__.update(token.__dict__)
        request.issued_token = text  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiToken, post_url_continue: str | None = None) -> HttpResponse:
        """The page that shows the token, once; it is kept in no message and no session."""
        context = {
            **self.admin_site.each_context(request),
            "title": "Token made",
            "opts": self.opts,
            "token": obj,
            "text": request.issued_token,  # type: ignore[attr-defined]
        }
        return TemplateResponse(request, "admin/agents_app/apitoken/issued.html", context)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Whoever may change tokens may end them."""
        return request.user.has_perm("agents_app.change_apitoken")  # type: ignore[union-attr]

    @admin.action(description="Revoke the selected tokens", permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiToken]) -> None:
        """End them at once, and leave an audit entry."""
        ended = [token for token in chosen if tokens.revoke(token)]
        for token in ended:
            self.log_change(request, token, "Revoked.")
        self.message_user(request, f"{len(ended)} of {len(chosen)} tokens revoked; the others had been before.")
