"""The results of a session: pictures, scripts, data. Version 0 is the latest."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from agents_app import selectors
from agents_app.api.answers import file_answer
from agents_app.api.auth import AGENT_CREDENTIALS, person
from agents_app.api.bodies import ExportIn, FeedbackIn, RenderIn
from agents_app.api.paging import Limit, Offset, page
from agents_app.refusals import NotFound
from agents_app.services.bundle import bundle, recipe_text
from agents_app.services.export import export
from agents_app.services.feedback import feedback
from agents_app.services.toggle import toggle
from agents_app.shapes import themes_json, version_json
from renderer_app.contract import FORMATS
from renderer_app.themes import THEMES

router = Router(tags=["versions"], auth=AGENT_CREDENTIALS)
ONE = "/{session}/versions/{int:number}"


@router.get("/{session}/versions", summary="A session's versions")
def index(request: HttpRequest, session: str, limit: Limit, offset: Offset) -> dict[str, Any]:
    """All versions whole, oldest first."""
    return page(selectors.versions(person(request), session), version_json, limit, offset)


@router.get(ONE, summary="One version")
def one(request: HttpRequest, session: str, number: int) -> dict[str, Any]:
    """A version whole."""
    return version_json(selectors.version(person(request), session, number))


@router.post(ONE + "/render", summary="Draw the other theme")
def render(request: HttpRequest, session: str, number: int, payload: RenderIn) -> dict[str, Any]:
    """Draw a finished version in a theme from its stored script and data (TO1 to TO5); no queue place, no model."""
    owner = person(request)
    version = selectors.version(owner, session, number)
    toggled = toggle(version.session, version.number, payload.theme, owner)
    fresh = selectors.version(owner, session, version.number)
    answer = {"status": toggled.status, "theme": toggled.theme, "version": version_json(fresh)}
    return answer | ({"code": toggled.code} if toggled.code else {})


@router.post(ONE + "/export", summary="Draw an SVG or PDF")
def export_file(request: HttpRequest, session: str, number: int, payload: ExportIn) -> dict[str, Any]:
    """Draw a finished version as SVG or PDF under the rules of `render` (CA2a); `url` is null when that failed."""
    owner = person(request)
    version = selectors.version(owner, session, number)
    exported = export(version, payload.theme, payload.format, owner)
    fresh = themes_json(selectors.version(owner, session, version.number))
    found = {"url": fresh.get(payload.theme, {}).get(payload.format), "status": exported.status}
    return found | ({"code": exported.code, "detail": exported.detail} if exported.code else {})


@router.get(ONE + "/plot-{theme}.{ending}", summary="A picture")
def picture(request: HttpRequest, session: str, number: int, theme: str, ending: str) -> HttpResponse:
    """PNG, SVG or PDF in a theme; 404 `not_rendered` before it was made. Reading never renders."""
    version = selectors.version(person(request), session, number)
    if theme not in THEMES or ending not in FORMATS:
        raise NotFound("A picture is plot-light or plot-dark, as png, svg or pdf.")
    data = selectors.file_bytes(selectors.artifact(version, theme, ending).file)
    # Saved pictures of several plots lie in one folder: each has a name of its own there.
    return file_answer(request, data, f"{version.spec}-{version.library}-{version.number}-{theme}.{ending}")


@router.get(ONE + "/plot.py", summary="The script")
def plot_py(request: HttpRequest, session: str, number: int) -> HttpResponse:
    """The script that drew the plot; it reads `data.csv` beside it."""
    version = selectors.version(person(request), session, number)
    return file_answer(request, selectors.file_bytes(version.script), "plot.py")


@router.get(ONE + "/data.csv", summary="The data")
def data_csv(request: HttpRequest, session: str, number: int) -> HttpResponse:
    """The table that the script reads."""
    version = selectors.version(person(request), session, number)
    return file_answer(request, selectors.file_bytes(version.data), "data.csv")


@router.get(ONE + "/recipe.json", summary="The recipe")
def recipe_json(request: HttpRequest, session: str, number: int) -> HttpResponse:
    """The plot as plain data."""
    version = selectors.version(person(request), session, number)
    return file_answer(request, recipe_text(version), "recipe.json")


@router.get(ONE + "/bundle.zip", summary="All of it")
def bundle_zip(request: HttpRequest, session: str, number: int) -> HttpResponse:
    """Script, data, recipe and requirements: enough to draw the same pixels elsewhere (CA3)."""
    version = selectors.version(person(request), session, number)
    return file_answer(request, bundle(version), "bundle.zip")


@router.get(ONE + "/table", summary="The plotted values")
def table(request: HttpRequest, session: str, number: int, limit: Limit, offset: Offset) -> dict[str, Any]:
    """The values as they are plotted: bound, filtered, aggregated (CA4)."""
    return selectors.plotted_rows(selectors.version(person(request), session, number), limit, offset)


@router.post(ONE + "/feedback", summary="A quick word")
def react(request: HttpRequest, session: str, number: int, payload: FeedbackIn) -> dict[str, Any]:
    """Say whether a version is good; said again, it replaces the earlier word."""
    owner = person(request)
    said = feedback(selectors.version(owner, session, number), owner, payload.reaction, payload.message)
    return {"reaction": said.reaction, "message": said.message}
