"""The tables of the "try an example" buttons."""

from dataclasses import dataclass
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from agents_app.refusals import Invalid, NotFound
from agents_app.web.refused import answered

FOLDER = Path(__file__).parent / "examples"


@dataclass(frozen=True)
class Example:
    """One example: its `key` in forms, its button's `title`, its file."""

    key: str
    title: str
    file: str

    def read(self) -> bytes:
        """The file as a person would upload it."""
        return (FOLDER / self.file).read_bytes()


EXAMPLES = (
    Example("penguins", "Penguins", "penguins.csv"),
    Example("weather", "Seattle weather", "weather.csv"),
    Example("power", "German CSV", "power.csv"),
    Example("shares", "Percentages", "shares.csv"),
)


def example(key: str) -> Example:
    """The example of that key; raises Invalid."""
    for one in EXAMPLES:
        if one.key == key:
            return one
    raise Invalid(f"There is no example called {key!r}; try {', '.join(one.key for one in EXAMPLES)}.")


@require_GET
@answered
def download(request: HttpRequest, key: str) -> HttpResponse:
    """The example as a file: what the page's script uploads."""
    try:
        chosen = example(key)
    except Invalid as absent:
        raise NotFound(absent.detail) from None
    return HttpResponse(chosen.read(), content_type="text/csv; charset=utf-8")
