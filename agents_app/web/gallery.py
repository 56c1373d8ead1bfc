"""The front page: bring a table, find a plot."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from agents_app.binding import suggest
from agents_app.catalogue import catalogue
from agents_app.catalogue.spec import Spec
from agents_app.models import Dataset
from agents_app.refusals import Refusal
from agents_app.web import bring, previews, refused, words
from agents_app.web.examples import EXAMPLES
from anyplot_site import bounds

LANGUAGE = "python"


@dataclass(frozen=True)
class Entry:
    """One plot of the gallery: where it leads, its preview, and, with a table, whether it fits and why."""

    spec: Spec
    library: str
    url: str
    picture: dict[str, Any] | None
    fit: suggest.Fit | None = None

    @property
    def search_text(self) -> str:
        """What the page's own search looks through, in lower case."""
        return " ".join([self.spec.id, self.spec.title, self.spec.family, self.spec.description]).lower()


def _entry(spec: Spec, library: str, dataset: Dataset | None) -> Entry:
    shown = library if library in spec.libraries else spec.libraries[0]
    fit = suggest.fits(spec, dataset.columns) if dataset else None
    address = f"/plots/{spec.id}/{LANGUAGE}/{shown}"
    if dataset:
        query = {"spec": spec.id, "library": shown, "language": LANGUAGE, "dataset": str(dataset.pk)}
        address = f"/agent/?{urlencode(query)}" if fit and fit.ok else f"{address}?dataset={dataset.pk}"
    return Entry(spec, shown, address, previews.picture(spec, shown), fit)


def _groups(entries: list[Entry], dataset: Dataset | None) -> list[dict[str, Any]]:
    """By family in catalogue order; with a table, what fits comes first, best first."""
    if dataset:
        fitting = sorted((e for e in entries if e.fit and e.fit.ok), key=lambda e: -e.fit.score)  # type: ignore[union-attr]
        others = [e for e in entries if not (e.fit and e.fit.ok)]
        groups = [
            {"name": "Fits your table", "entries": fitting, "fits": True},
            {"name": "Needs something else", "entries": others, "fits": False},
        ]
        return [group for group in groups if group["entries"]]
    families: dict[str, list[Entry]] = {}
    for entry in entries:
        families.setdefault(entry.spec.family, []).append(entry)
    return [{"name": name, "entries": found} for name, found in families.items()]


def _page(
    request: HttpRequest, dataset: Dataset | None, *, refusal: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    query = {key: request.GET.get(key, "").strip() for key in ("q", "family", "library")}
    everything = catalogue.specs()
    entries = [_entry(spec, query["library"], dataset) for spec in catalogue.search(**query)]
    context = {
        "page": "gallery",
        "dataset": dataset,
        "summary": words.counted(dataset.rows, "row") + ", " + words.counted(len(dataset.columns), "column")
        if dataset
        else "",
        "groups": _groups(entries, dataset),
        "shown": len(entries),
        "fitting": sum(1 for entry in entries if entry.fit and entry.fit.ok),
        "families": list(dict.fromkeys(spec.family for spec in everything)),
        "libraries": list(dict.fromkeys(library for spec in everything for library in spec.libraries)),
        "query": query,
        "examples": EXAMPLES,
        "paste_bytes": bounds.PASTE_BYTES,
        "file_bytes": bounds.FILE_BYTES,
        "refusal": refusal,
        "text": request.POST.get("text", ""),
        "words": words.for_scripts(),
    }
    return render(request, "web/gallery.html", context, status=status)


@require_GET
@ensure_csrf_cookie
@refused.answered
def gallery(request: HttpRequest) -> HttpResponse:
    """The gallery, filtered by `q`, `family`, `library`, and ordered by what fits `dataset`."""
    given = request.GET.get("dataset", "") if settings.AGENT_ENABLED else ""
    return _page(request, bring.dataset_of(request, given))


@require_POST
@refused.answered
@refused.needs_agent
def bring_table(request: HttpRequest) -> HttpResponse:
    """Take a table by plain form and show what fits it; a refusal stands in the box, the text is kept."""
    try:
        dataset = bring.bring(request)
    except Refusal as trouble:
        if trouble.status == 401:
            raise
        return _page(request, None, refusal=refused.notice(trouble), status=trouble.status)
    return HttpResponseRedirect(f"/?dataset={dataset.pk}")
