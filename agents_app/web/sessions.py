"""A person's own plots."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents_app import selectors
from agents_app.catalogue import catalogue
from agents_app.models import Session
from agents_app.refusals import NotFound, Refusal
from agents_app.services import delete as deletion
from agents_app.services import rename as renaming
from agents_app.web import people, refused, words
from anyplot_site import bounds


def _entry(session: Session) -> dict[str, object]:
    """Context of one plot of the list: its latest picture, its name, what it was made of."""
    versions = sorted(session.versions.all(), key=lambda version: version.number)
    latest = versions[-1] if versions else None
    thumbnail = None
    if latest:
        made = [a for a in latest.artifacts.all() if a.format == "png" and a.file]
        chosen = next((a for a in made if a.theme == latest.theme), made[0] if made else None)
        if chosen:
            thumbnail = {
                "src": f"/sessions/{session.pk}/versions/{latest.number}/thumbnail-{chosen.theme}.webp",
                "width": chosen.width,
                "height": chosen.height,
            }
    try:
        title = catalogue.get_spec(session.spec).title
    except NotFound:
        title = session.spec
    return {
        "session": session,
        "name": str(session),
        "title": title,
        "url": f"/agent/?session={session.pk}" + (f"#version-{latest.number}" if latest else ""),
        "thumbnail": thumbnail,
        "versions": words.counted(len(versions), "version"),
        "status": latest.status if latest else "",
        "status_words": words.STATUSES.get(latest.status, "") if latest else "No picture yet",
    }


@require_GET
@never_cache
@ensure_csrf_cookie
@refused.answered
@refused.needs_agent
def sessions(request: HttpRequest, *, refusal: Refusal | None = None) -> HttpResponse:
    """The list, newest first; nobody has an empty one."""
    user = people.reader(request)
    found = selectors.sessions(user) if user else Session.objects.none()
    pages = Paginator(found, bounds.PAGE_ITEMS_DEFAULT).get_page(request.GET.get("page"))
    context = {
        "page": "sessions",
        "entries": [_entry(session) for session in pages],
        "pages": pages,
        "refusal": refused.notice(refusal) if refusal else None,
        "name_characters": bounds.NAME_CHARACTERS,
    }
    return render(request, "web/sessions.html", context, status=refusal.status if refusal else 200)


@require_POST
@refused.answered
@refused.needs_agent
def rename(request: HttpRequest, session: UUID) -> HttpResponse:
    """Another name."""
    renaming.rename(selectors.session(people.owner(request), session), request.POST.get("name", ""))
    return HttpResponseRedirect("/sessions/", status=303)


@require_http_methods(["GET", "POST"])
@never_cache
@refused.answered
@refused.needs_agent
def delete(request: HttpRequest, session: UUID) -> HttpResponse:
    """Ask, then delete with everything that was made in it."""
    found = selectors.session(people.owner(request), session)
    if request.method == "POST":
        deletion.delete_session(found)
        return HttpResponseRedirect("/sessions/", status=303)
    return render(request, "web/delete.html", {"page": "sessions", "entry": _entry(found)})
