"""Promises about the pages' material: tokens, no inline script or style, weight, the remembered switch."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from renderer_app import themes
from tests.web.seen import Seen

ROOT = Path(__file__).parent.parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
FIRST_LOAD_BYTES = 300_000
# The admin's own templates follow Django's.
OURS = [path for path in TEMPLATES if "admin" not in path.parts]


def token(name: str) -> tuple[str, str]:
    """Both values of a color token of the site's stylesheet."""
    css = (ROOT / "static/css/tokens.css").read_text()
    found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", css)
    assert found, name
    return found[1], found[2]


@pytest.mark.parametrize("name", ["page", "elevated", "ink", "ink_soft", "ink_muted"])
def test_the_sites_tokens_are_those_of_the_plots(name):
    light, dark = token(name.replace("_", "-"))
    assert (light, dark) == (getattr(themes.LIGHT, name), getattr(themes.DARK, name))


def test_the_sites_palette_is_that_of_the_plots():
    css = (ROOT / "static/css/tokens.css").read_text()
    names = ("green", "lavender", "blue", "ochre", "red", "cyan", "rose", "lime")
    found = tuple(re.search(rf"--{name}: (#\w+);", css)[1] for name in names)
    assert found == themes.PALETTE
    assert f"--amber: {themes.AMBER};" in css


class Attributes(HTMLParser):
    """Every attribute of a template, and whether a script has text of its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found += [(tag, name) for name, _ in attrs]
        if tag == "script" and "src" not in dict(attrs):
            self.found.append((tag, "(inline)"))
        if tag == "style":
            self.found.append((tag, "(inline)"))


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_has_inline_script_or_style(path):
    found = Attributes(path.read_text()).found
    assert not [name for _, name in found if name in ("style", "(inline)") or re.fullmatch(r"on[a-z]+", name)]


@pytest.mark.parametrize("address", ["/", "/agent/?spec=scatter-basic", "/plots/scatter-basic/python/matplotlib"])
def test_the_first_load_is_light(nobody, address):
    page = nobody.get(address)
    files = [got["href"] for tag, got in page.tags if tag == "link" and got.get("rel") == "stylesheet"]
    scripts = [ROOT / got["src"].lstrip("/") for tag, got in page.tags if tag == "script" and "src" in got]
    weight = len(page.response.content) + sum((ROOT / file.lstrip("/")).stat().st_size for file in files)
    # Each module once, with everything that it imports.
    modules: set[Path] = set()
    waiting = scripts
    while waiting:
        module = waiting.pop()
        if module not in modules:
            modules.add(module)
            waiting += [
                (module.parent / name).resolve() for name in re.findall(r'from "(\./[\w.]+)"', module.read_text())
            ]
    weight += sum(module.stat().st_size for module in modules)
    assert weight < FIRST_LOAD_BYTES


def test_the_policy_forbids_inline_script_and_style(nobody):
    policy = nobody.get("/").response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy


def test_without_a_choice_the_system_decides(nobody):
    assert "data-theme" not in dict(nobody.get("/").tags)["html"]


def test_the_switch_is_remembered_and_written_into_the_page(nobody):
    page = nobody.get("/plots/scatter-basic/python/matplotlib")
    page = nobody.send(page.form("/appearance"), press=("theme", "dark"))
    assert nobody.went_to == "/plots/scatter-basic/python/matplotlib"
    assert dict(page.tags)["html"]["data-theme"] == "dark"
    page = nobody.send(page.form("/appearance"), press=("theme", "auto"))
    assert "data-theme" not in dict(page.tags)["html"]


def test_the_switch_leads_to_no_other_site(nobody):
    form = nobody.get("/").form("/appearance")
    nobody.send(form, press=("theme", "dark"), next="https://elsewhere.example/")
    assert nobody.went_to == "/"
    nobody.send(form, press=("theme", "dark"), next="//elsewhere.example/")
    assert nobody.went_to == "/"


def test_a_forged_cookie_changes_nothing(nobody):
    nobody.client.cookies["appearance"] = '"><script>'
    assert "data-theme" not in dict(nobody.get("/").tags)["html"]


def test_every_page_has_one_heading_a_language_and_a_way_past_the_masthead(as_alice, made):
    for address in ("/", "/sessions/", f"/agent/?session={made.session.pk}", "/plots/pie-basic/python/seaborn", "/no"):
        page = as_alice.get(address)
        assert len([tag for tag, _ in page.tags if tag == "h1"]) == 1, address
        assert dict(page.tags)["html"]["lang"] == "en"
        assert page.has("a", href="#main")
        assert len(page.ids) == len(set(page.ids)), address


def test_every_control_has_a_name(as_alice, made):
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    html = page.response.content.decode()
    for select in re.findall(r"<select[^>]*>", html):
        labelled = "aria-label" in select or re.search(
            r"<label[^>]*>(?:(?!</label>).)*" + re.escape(select), html, re.S
        )
        assert labelled, select
    assert isinstance(page, Seen)
