"""The staff view of the agent page: the same page for anybody's session, with the run inspector (CH1)."""

import json
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from agents_app import shapes
from agents_app.models import Session, Turn
from agents_app.refusals import Invalid, Refusal
from agents_app.services import toggle
from agents_app.web import agent as agent_page
from agents_app.web.refused import answered, needs_agent

VIEWS = ("agents_app.view_dataset", "agents_app.view_version", "agents_app.view_artifact")


def inspected(turn: Turn) -> dict[str, Any]:
    """Context of the inspector for one turn: its events with their times, its verdicts, its timings."""
    rows = list(turn.events.order_by("number"))
    start = rows[0].at if rows else turn.created_at
    version = turn.version
    return {
        "turn": turn,
        "events": [
            {
                "number": row.number,
                "type": row.type,
                "data": json.dumps(row.data, ensure_ascii=False)[:400],
                "after_ms": round((row.at - start).total_seconds() * 1000),
            }
            for row in rows
        ],
        "gates": version.gates if version else [],
        "timings": sorted((version.timings or {}).items()) if version else [],
        "usage": version.usage if version else {},
    }


@require_GET
@never_cache
@ensure_csrf_cookie
@staff_member_required
@answered
@needs_agent
def agent(request: HttpRequest) -> HttpResponse:
    """The page of a session, whoever owns it, or of a plot."""
    if not request.GET.get("spec") and not request.GET.get("session"):
        return HttpResponseRedirect("/")
    session = _session(request, request.GET["session"]) if request.GET.get("session") else None
    subject = agent_page.subject_of(request, request.GET, owner=session.owner if session else None)
    turns = agent_page.thread_of(session) if session else []
    extra = {"inspected": [inspected(turn) for turn in turns], "owner": session.owner if session else None}
    return agent_page.page(request, subject, extra=extra, template="web/debug.html")


def _session(request: HttpRequest, given: object) -> Session:
    """Anybody's session; another person's only for who may view their tables, plots and pictures (else 403)."""
    try:
        session = Session.objects.select_related("owner").get(pk=UUID(str(given)))
    except (ValueError, Session.DoesNotExist):
        raise Http404("There is no such session.") from None
    if session.owner_id != request.user.pk and not request.user.has_perms(VIEWS):  # type: ignore[union-attr]
        raise PermissionDenied
    return session


@require_POST
@staff_member_required
@needs_agent
def render_theme(request: HttpRequest, session: UUID, version: int) -> HttpResponse:
    """A version's other theme for staff (TO1); the body and the answer are those of the API.

    The page's own form is answered by the page.
    """
    found = _session(request, session)
    if request.content_type != "application/json":
        return _by_form(request, found, version)
    try:
        theme = _theme(request.body)
        toggled = toggle.toggle(found, version, theme, found.owner)
    except Refusal as trouble:
        body = {"code": trouble.code, "detail": trouble.detail, "ref": getattr(request, "ref", ""), **trouble.extra}
        return JsonResponse(body, status=trouble.status)
    answer = {"status": toggled.status, "theme": toggled.theme, "version": shapes.version_json(toggled.version)}
    return JsonResponse(answer | ({"code": toggled.code} if toggled.code else {}))


@answered
def _by_form(request: HttpRequest, session: Session, version: int) -> HttpResponse:
    """The switch of a card on the staff's page."""
    toggled = toggle.toggle(session, version, request.POST.get("theme", ""), session.owner)
    number = toggled.version.number
    query = urlencode({"session": str(session.pk), "shown": f"{number}-{toggled.theme}"})
    return HttpResponseRedirect(f"/debug/agent?{query}#version-{number}", status=303)


def _theme(raw: bytes) -> str:
    """The theme that the body names; Invalid for anything else in it."""
    try:
        body = json.loads(raw or b"{}")
    except ValueError:
        raise Invalid("The body is not valid JSON.") from None
    if not isinstance(body, dict) or body.keys() - {"theme"}:
        raise Invalid("The body holds one field, theme.")
    if body.get("theme") not in ("light", "dark"):
        raise Invalid("theme is light or dark.")
    return str(body["theme"])
