"""The agent page and its pieces: the data panel, the thread, the composer."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from agents_app import binding, selectors
from agents_app.catalogue import catalogue, eligibility
from agents_app.catalogue.spec import Spec
from agents_app.models import Dataset, Session, Turn, Version
from agents_app.queue import presence
from agents_app.recipe.recipe import Bindings
from agents_app.refusals import BindingRefused, NotFound, Refusal
from agents_app.web import appearance, bring, cards, controls, people, previews, receipt, refused, roles, thread, words
from agents_app.web.examples import EXAMPLES
from anyplot_site import bounds
from renderer_app import themes


@dataclass
class Subject:
    """What the page is about: a plot in a library, perhaps a table, perhaps a session."""

    spec: Spec
    library: str
    language: str
    dataset: Dataset | None = None
    session: Session | None = None
    bindings: Bindings | None = None

    @property
    def query(self) -> dict[str, str]:
        """The address's part that names it."""
        named = {"spec": self.spec.id, "library": self.library, "language": self.language}
        if self.session:
            named["session"] = str(self.session.pk)
        if self.dataset and not (self.session and self.session.dataset_id == self.dataset.pk):
            named["dataset"] = str(self.dataset.pk)
        return named

    @property
    def url(self) -> str:
        """Where this page is."""
        return f"/agent/?{urlencode(self.query)}"

    def library_url(self, library: str) -> str:
        """The same plot with the same table and roles in another library: a session of its own."""
        pairs = [("spec", self.spec.id), ("library", library), ("language", self.language)]
        if self.dataset:
            pairs.append(("dataset", str(self.dataset.pk)))
            pairs += roles.query_of(self.bindings or {})
        return f"/agent/?{urlencode(pairs)}"


def subject_of(request: HttpRequest, form: QueryDict, owner: User | None = None) -> Subject:
    """The subject that an address or a form names; NotFound for unknown plots and a stranger's things.

    `owner` is whose session it may be, the person at the browser where that is None.
    """
    session = dataset = None
    if given := form.get("session", ""):
        session = selectors.session(owner or people.owner(request), given)
        dataset = session.dataset
    if given := form.get("dataset", ""):
        dataset = bring.dataset_of(request, given)
    spec = catalogue.get_spec(session.spec if session else form.get("spec", ""))
    library = session.library if session else form.get("library") or spec.libraries[0]
    language = session.language if session else form.get("language") or "python"
    catalogue.script(spec, library, language)  # NotFound for a library that this plot has not
    named = roles.bindings_of(spec, form)
    if not named and session and session.dataset_id == (dataset.pk if dataset else None):
        named = session.bindings
    bindings = named or (binding.propose(spec, dataset.columns) if dataset else {})
    return Subject(spec, library, language, dataset, session, bindings)


def panel(subject: Subject, *, refusal: Refusal | None = None, place: str = "", text: str = "") -> dict[str, Any]:
    """Context of the data panel; a refusal stands at its `place`: bring, reread or create."""
    dataset = subject.dataset
    bound_wrong = refusal if isinstance(refusal, BindingRefused) else None
    columns = dataset.columns if dataset else []
    return {
        "subject": subject,
        "spec": subject.spec,
        "dataset": dataset,
        "session": subject.session,
        "receipt": receipt.context(dataset) if dataset else None,
        "roles": roles.fields(subject.spec, columns, subject.bindings or {}, bound_wrong),
        "role_errors": roles.general_errors(subject.spec, bound_wrong),
        "examples": EXAMPLES,
        "paste_bytes": bounds.PASTE_BYTES,
        "file_bytes": bounds.FILE_BYTES,
        "text": text,
        "bring_fields": {"spec": subject.spec.id, "library": subject.library, "language": subject.language},
        "place": place,
        "refusal": refused.notice(refusal) if refusal and not (bound_wrong and place == "create") else None,
        "ineligible": eligibility.reasons(subject.spec, subject.library, subject.language),
    }


def _latest(session: Session | None) -> Version | None:
    return session.versions.order_by("-number").first() if session else None


def dock(subject: Subject, *, refusal: Refusal | None = None) -> dict[str, Any]:
    """Context of the composer and its quick controls."""
    return {
        "subject": subject,
        "session": subject.session,
        "controls": controls.controls(subject.spec, _latest(subject.session)) if subject.session else {},
        "dock_refusal": refused.notice(refusal) if refusal else None,
        "text_characters": bounds.TEXT_CHARACTERS,
        "label_characters": bounds.LABEL_CHARACTERS,
    }


def _shown(request: HttpRequest) -> dict[int, str]:
    """Which card shows which theme, as a plain form's toggle left it: `shown=2-dark`."""
    chosen = {}
    for entry in request.GET.getlist("shown"):
        number, _, theme = entry.partition("-")
        if number.isdecimal() and len(number) < 4 and theme in themes.THEMES:
            chosen[int(number)] = theme
    return chosen


def _again_url(request: HttpRequest, active: Turn) -> str:
    """Where a page without scripts looks again. The count makes it another page: a browser does not load the same
    address anew when it ends in an anchor."""
    given = request.GET.get("look", "")
    looks = int(given) + 1 if given.isdecimal() and len(given) < 7 else 1
    return f"/agent/?{urlencode({'session': str(active.session_id), 'look': looks})}#turn-{active.pk}"


def thread_of(session: Session) -> list[Turn]:
    """A session's turns, oldest first, with what their cards need."""
    turns = list(session.turns.select_related("version__session", "version__parent").order_by("arrival"))
    prefetch_related_objects([turn.version for turn in turns if turn.version], "artifacts")
    return turns


def page(
    request: HttpRequest,
    subject: Subject,
    *,
    refusal: Refusal | None = None,
    place: str = "",
    extra: dict[str, Any] | None = None,
    template: str = "web/agent.html",
) -> HttpResponse:
    """The whole page; a refusal has its own place in it and its own status."""
    turns = thread_of(subject.session) if subject.session else []
    active = next((turn for turn in turns if turn.state in Turn.ACTIVE), None)
    user = people.reader(request)
    foreign = subject.session is not None and (user is None or subject.session.owner_id != user.pk)
    # Only its owner waits for a turn: an operator who looks at it must not become somebody who left.
    if active and active.state == Turn.State.QUEUED and not foreign:
        presence.polled(active.pk, page=True)
    elsewhere = selectors.active_turn(user) if user and not active and not foreign else None
    preview = previews.picture(subject.spec, subject.library)
    context = {
        "page": "agent",
        **panel(subject, refusal=refusal if place != "dock" else None, place=place, text=request.POST.get("text", "")),
        **dock(subject, refusal=refusal if place == "dock" else None),
        "foreign": foreign,
        "turns": thread.turns(turns, _shown(request), foreign=foreign),
        "active": thread.turn(active) if active and not foreign else None,
        "again_url": _again_url(request, active) if active and not foreign else "",
        "elsewhere": elsewhere,
        "preview": preview,
        "libraries": [
            {
                "name": name,
                "url": subject.library_url(name),
                "eligible": not eligibility.reasons(subject.spec, name, subject.language),
            }
            for name in subject.spec.libraries
        ],
        "library": subject.library,
        "site_dark": appearance.theme_of(request) == "dark",
        "words": words.for_scripts(),
        "plot_url": f"/plots/{subject.spec.id}/{subject.language}/{subject.library}",
        **(extra or {}),
    }
    answer = render(request, template, context, status=refusal.status if refusal else 200)
    if refusal and refusal.retry_after_s:
        answer["Retry-After"] = str(max(1, round(refusal.retry_after_s)))
    return answer


@require_GET
@never_cache
@ensure_csrf_cookie
@refused.answered
@refused.needs_agent
def agent(request: HttpRequest) -> HttpResponse:
    """The page of a plot with a person's table; without a plot it leads to the gallery."""
    if not request.GET.get("spec") and not request.GET.get("session"):
        kept = {"dataset": request.GET["dataset"]} if request.GET.get("dataset") else {}
        return HttpResponseRedirect(f"/?{urlencode(kept)}" if kept else "/")
    return page(request, subject_of(request, request.GET))


@require_GET
@never_cache
@refused.answered
@refused.needs_agent
def panel_fragment(request: HttpRequest) -> HttpResponse:
    """The data panel alone, for the page's script."""
    return render(request, "web/_panel.html", panel(subject_of(request, request.GET)))


@require_GET
@never_cache
@refused.answered
@refused.needs_agent
def turn_fragment(request: HttpRequest, turn: UUID) -> HttpResponse:
    """One turn of the thread, with its card once there is one."""
    user = people.owner(request)
    found = selectors.turn(user, turn)
    first = not Turn.objects.filter(session=found.session_id, arrival__lt=found.arrival).exists()
    return render(request, "web/_turn.html", {"turn": thread.turn(found, first=first)})


@require_GET
@never_cache
@refused.answered
@refused.needs_agent
def card_fragment(request: HttpRequest, session: UUID, version: int) -> HttpResponse:
    """One version's card, showing `?theme=`."""
    found = selectors.version(people.owner(request), session, version)
    return render(request, "web/_card.html", {"card": cards.card(found, request.GET.get("theme"))})


@require_GET
@never_cache
@refused.answered
@refused.needs_agent
def dock_fragment(request: HttpRequest, session: UUID) -> HttpResponse:
    """The composer with the controls of the latest version."""
    owned = selectors.session(people.owner(request), session)
    try:
        spec = catalogue.get_spec(owned.spec)
    except NotFound:
        raise NotFound("This plot left the catalogue; what was made with it stays.") from None
    return render(request, "web/_dock.html", dock(Subject(spec, owned.library, owned.language, session=owned)))
