"""The plots there are."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from agents_app.api.paging import Limit, Offset, page
from agents_app.catalogue import catalogue
from agents_app.shapes import eligibility_json, script_json, spec_json

router = Router(tags=["catalogue"])


@router.get("/catalogue", auth=None, summary="Search the catalogue")
def search(
    request: HttpRequest, limit: Limit, offset: Offset, *, q: str = "", family: str = "", library: str = ""
) -> dict[str, Any]:
    """Plots whose words, family and library fit, in catalogue order."""
    return page(catalogue.search(q=q, family=family, library=library), spec_json, limit, offset)


@router.get("/catalogue/{spec}", auth=None, summary="One plot")
def one(request: HttpRequest, spec: str) -> dict[str, Any]:
    """A plot with what it is for and its notes."""
    return spec_json(catalogue.get_spec(spec), whole=True)


@router.get("/catalogue/{spec}/{language}/{library}", auth=None, summary="One plot's script")
def script(request: HttpRequest, spec: str, language: str, library: str) -> dict[str, Any]:
    """The script in one library, its options, and whether it can be adapted."""
    return script_json(catalogue.get_spec(spec), library, language)


@router.get("/eligibility", auth=None, summary="Can this pair be adapted?")
def eligibility(request: HttpRequest, spec: str, library: str, language: str = "python") -> dict[str, Any]:
    """Yes, or the reasons why not (EL1)."""
    return eligibility_json(catalogue.get_spec(spec), library, language)
