"""Plain form posts: the whole job without JavaScript, over the same services as the API."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.views.decorators.http import require_POST

from agents_app import selectors
from agents_app.models import Session
from agents_app.refusals import Invalid, Refusal
from agents_app.services import bind, cancel, send, start, toggle, upload
from agents_app.web import agent, appearance, bring, controls, people, receipt, roles
from agents_app.web.refused import answered, needs_agent


def _go(url: str, anchor: str = "") -> HttpResponseRedirect:
    # 303: the answer to a form is another page, fetched with GET.
    return HttpResponseRedirect(f"{url}#{anchor}" if anchor else url, status=303)


def _session(request: HttpRequest) -> Session:
    return selectors.session(people.owner(request), request.POST.get("session", ""))


def _again(request: HttpRequest, session: Session, trouble: Refusal) -> HttpResponse:
    """The session's page with a refusal at its composer."""
    form = QueryDict(f"session={session.pk}")
    return agent.page(request, agent.subject_of(request, form), refusal=trouble, place="dock")


def _session_url(session: Session, **more: str) -> str:
    return f"/agent/?{urlencode({'session': str(session.pk), **more})}"


@require_POST
@answered
@needs_agent
def data(request: HttpRequest) -> HttpResponse:
    """A table for the plot of this page."""
    try:
        dataset = bring.bring(request)
    except Refusal as trouble:
        if trouble.status == 401:
            raise
        form = request.POST.copy()
        form.pop("dataset", None)
        form.pop("session", None)
        return agent.page(request, agent.subject_of(request, form), refusal=trouble, place="bring")
    named = {key: request.POST.get(key, "") for key in ("spec", "library", "language")}
    return _go(f"/agent/?{urlencode({**named, 'dataset': str(dataset.pk)})}")


@require_POST
@answered
@needs_agent
def reread(request: HttpRequest) -> HttpResponse:
    """The same table, read with other choices."""
    subject = agent.subject_of(request, request.POST)
    if subject.dataset is None:
        raise Invalid("There is no table to read again; bring one first.")
    try:
        reading, columns = receipt.changes(subject.dataset, request.POST)
        if reading or columns:
            upload.reread(subject.dataset, reading=reading, columns=columns)
    except Refusal as trouble:
        return agent.page(request, agent.subject_of(request, request.POST), refusal=trouble, place="reread")
    return _go(subject.url)


@require_POST
@answered
@needs_agent
def create(request: HttpRequest) -> HttpResponse:
    """Create the plot: a session on this table (or the one there is, with these roles), and its run."""
    subject = agent.subject_of(request, request.POST)
    if subject.dataset is None:
        return agent.page(request, subject, refusal=Invalid("Bring a table first."), place="bring")
    bindings = roles.bindings_of(subject.spec, request.POST)
    theme = "dark" if appearance.theme_of(request) == "dark" else ""
    user = people.writer(request)
    session = subject.session
    try:
        if session and session.dataset_id == subject.dataset.pk:
            bind.bind(session, bindings)
        else:
            session = start.start(
                user,
                spec=subject.spec.id,
                library=subject.library,
                language=subject.language,
                dataset=subject.dataset,
                bindings=bindings,
                theme=theme or "light",
            )
            subject.session = session
        turn = send.send(session, user, theme=theme)
    except Refusal as trouble:
        subject.bindings = bindings
        return agent.page(request, subject, refusal=trouble, place="create")
    return _go(_session_url(session), f"turn-{turn.pk}")


@require_POST
@answered
@needs_agent
def message(request: HttpRequest) -> HttpResponse:
    """A refinement: plain words, or one quick control."""
    session = _session(request)
    user = people.owner(request)
    text = request.POST.get("text", "") if not request.POST.get("op") else ""
    try:
        if request.POST.get("op"):
            turn = send.send(session, user, operations=[controls.operation(request.POST)])
        elif not text.strip():
            raise Invalid("Say what should change, or use one of the buttons.")
        else:
            turn = send.send(session, user, text=text)
    except Refusal as trouble:
        return _again(request, session, trouble)
    return _go(_session_url(session), f"turn-{turn.pk}")


@require_POST
@answered
@needs_agent
def stop(request: HttpRequest) -> HttpResponse:
    """Stop the session's waiting or running turn."""
    session = _session(request)
    cancel.cancel(session, people.owner(request))
    return _go(_session_url(session), "thread-end")


@require_POST
@answered
@needs_agent
def turn_theme(request: HttpRequest) -> HttpResponse:
    """A version in its other theme (TO1)."""
    session = _session(request)
    try:
        number = int(request.POST.get("version", "0"))
    except ValueError:
        raise Invalid("version is not a number.") from None
    theme = request.POST.get("theme", "")
    try:
        toggled = toggle.toggle(session, number, theme, people.owner(request))
    except Refusal as trouble:
        return _again(request, session, trouble)
    return _go(_session_url(session, shown=f"{toggled.version.number}-{theme}"), f"version-{toggled.version.number}")
