"""A plot's own page: what it is for, what it needs, and its code."""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from agents_app.catalogue import catalogue, eligibility
from agents_app.catalogue.spec import Role, Spec
from agents_app.web import bring, highlight, previews, words
from agents_app.web.refused import answered


def _needs(role: Role) -> str:
    """A role's demand in words: `numbers, several columns, optional`."""
    parts = [" or ".join(words.ROLE_TYPES.get(kind, kind) for kind in role.types)]
    if role.family:
        parts.append("one or more columns")
    parts.append("required" if role.required else "optional")
    return ", ".join(parts)


def roles_in_words(spec: Spec) -> list[dict[str, str]]:
    """The roles as a page lists them: name, needs, description."""
    return [{"name": role.name, "needs": _needs(role), "description": role.description} for role in spec.roles]


@require_GET
@answered
def first(request: HttpRequest, spec: str) -> HttpResponse:
    """Lead to the plot in its first library."""
    found = catalogue.get_spec(spec)
    return HttpResponseRedirect(f"/plots/{found.id}/python/{found.libraries[0]}")


@require_GET
@ensure_csrf_cookie
@answered
def plot(request: HttpRequest, spec: str, language: str, library: str) -> HttpResponse:
    """The page of one plot in one library."""
    found = catalogue.get_spec(spec)
    code = catalogue.script(found, library, language)
    reasons = eligibility.reasons(found, library, language)
    dataset = bring.dataset_of(request, request.GET.get("dataset", "") if settings.AGENT_ENABLED else "")
    query = {"spec": found.id, "library": library, "language": language}
    kept = {"dataset": str(dataset.pk)} if dataset else {}
    context = {
        "page": "plot",
        "spec": found,
        "library": library,
        "language": language,
        "code": highlight.python(code),
        "lines": code.count("\n"),
        "roles": roles_in_words(found),
        "picture": previews.picture(found, library),
        "reasons": reasons,
        "adapt_url": f"/agent/?{urlencode({**query, **kept})}",
        "libraries": [
            {"name": name, "url": f"/plots/{found.id}/{language}/{name}" + (f"?{urlencode(kept)}" if kept else "")}
            for name in found.libraries
        ],
        "dataset": dataset,
    }
    return render(request, "web/plot.html", context)


@require_GET
@answered
def download(request: HttpRequest, spec: str, language: str, library: str) -> HttpResponse:
    """The catalogue's script as a file."""
    code = catalogue.script(catalogue.get_spec(spec), library, language)
    answer = HttpResponse(code, content_type="text/x-python; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{spec}-{library}.py"'
    return answer
