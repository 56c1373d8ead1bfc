"""What a person sees of a page, and the forms they can send: read from its HTML, without a browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SILENT = {"script", "style", "head", "template"}


@dataclass
class Form:
    """A form: where it goes, its fields as a browser would send them, and its submit buttons {name: [values]}."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


class Seen(HTMLParser):
    """A page's text (spaces folded), forms, links, pictures and elements by id."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.status = response.status_code
        self.response = response
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.pictures: list[dict[str, str]] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self._open: list[str] = []
        self._words: list[str] = []
        self._form: Form | None = None
        self._select: tuple[str, Form | None] | None = None
        self._first_option: str | None = None
        self._textarea: str | None = None
        self._by_id: dict[str, Form] = {}
        self.feed(response.content.decode())
        self.text = " ".join(" ".join(self._words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        self.tags.append((tag, got))
        if tag not in VOID:
            self._open.append(tag)
        if "id" in got:
            self.ids.append(got["id"])
        if tag == "form":
            self._form = Form(got.get("action", ""), got.get("method", "get").lower())
            self.forms.append(self._form)
            if "id" in got:
                self._by_id[got["id"]] = self._form
        elif tag == "a" and "href" in got:
            self.links.append(got["href"])
        elif tag == "img":
            self.pictures.append(got)
        self._control(tag, got)

    def _control(self, tag: str, got: dict[str, str]) -> None:
        form = self._by_id.get(got.get("form", "")) or self._form
        name = got.get("name", "")
        if tag == "input" and name and form and got.get("type") not in ("file", "checkbox", "radio"):
            form.fields.setdefault(name, []).append(got.get("value", ""))
        elif tag == "button" and form and name:
            form.buttons.setdefault(name, []).append(got.get("value", ""))
        elif tag == "textarea" and form and name:
            self._textarea = name
            form.fields.setdefault(name, []).append("")
        elif tag == "select" and form and name:
            self._select, self._first_option = (name, form), None
            form.fields.setdefault(name, []).append("")
        elif tag == "option" and self._select and self._select[1]:
            name, chosen = self._select[0], self._select[1]
            value = got.get("value", "")
            chosen.choices.setdefault(name, []).append(value)
            if self._first_option is None or "selected" in got:
                self._first_option = value
                chosen.fields[name][-1] = value

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._textarea = None

    def handle_data(self, data: str) -> None:
        if self._textarea and self._form:
            self._form.fields[self._textarea][-1] += data
        if not SILENT.intersection(self._open):
            self._words.append(data)

    def form(self, action: str) -> Form:
        """The first form that goes to `action`."""
        return next(form for form in self.forms if form.action == action)

    def has(self, tag: str, **attributes: str) -> bool:
        """True when an element has these attributes (`_` stands for `-`)."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return any(name == tag and wanted.items() <= got.items() for name, got in self.tags)


class Reader:
    """A browser without scripts: follows redirects, sends forms as they stand, enforces CSRF as the site does."""

    def __init__(self, user: Any = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        if user is not None:
            self.client.force_login(user)

    def get(self, url: str) -> Seen:
        """A page, redirects followed."""
        return Seen(self.client.get(url, follow=True))

    def send(self, form: Form, *, press: tuple[str, str] | None = None, **changes: Any) -> Seen:
        """Send a form with some fields changed, by one of its named buttons or its plain one."""
        data: dict[str, Any] = {**form.fields, **({press[0]: press[1]} if press else {}), **changes}
        response = self.client.post(form.action, data)
        if 300 <= response.status_code < 400:
            self.went_to = response["Location"]
            return self.get(response["Location"].partition("#")[0])
        return Seen(response)
