"""Tables and jobs for runs of the pipeline, and renders that answer from a script of answers."""

from collections.abc import Callable
from typing import Any

from agents_app import intake
from agents_app.catalogue.catalogue import get_spec
from agents_app.pipeline.outcome import PipelineJob
from agents_app.recipe.build import initial
from renderer_app.contract import RenderJob, RenderResult
from tests.gates.figures import bars, png, probe, text

REGIONS = "Region;Umsatz (€)\nNord;12,5\nSüd;30\nWest;7\nOst;\n"
SECRET = "Nord"  # a value of the table: must not appear in anything that is reported


def job(
    data: str | bytes, spec: str, bindings: dict[str, Any], library: str = "matplotlib", **recipe: Any
) -> PipelineJob:
    """A job for a table as a person would bring it."""
    table = intake.read(data.encode() if isinstance(data, str) else data, file_name="table.csv")
    columns = [column.as_json() for column in table.columns]
    first = initial(get_spec(spec), library, bindings, columns, "light")
    return PipelineJob("job", first.with_(**recipe), table.data_csv, columns)


def regions(**recipe: Any) -> PipelineJob:
    """Bars of three regions; the fourth has no value."""
    return job(REGIONS, "bar-basic", {"category": "Region", "value": "Umsatz (€)"}, **recipe)


PICTURE = png(boxes=[(800, 400, 2600, 1200)])
TEXTS = {"title": "Umsatz by Region", "xlabel": "Region", "ylabel": "Umsatz (€)"}
HEIGHTS = [30.0, 12.5, 7.0]


def measured(overlapping: int = 0, **more: Any) -> dict[str, Any]:
    """Measurements of the regions' bars, of which so many labels overlap."""
    ticks = [{"at": float(at), "text": name} for at, name in enumerate(("Süd", "Nord", "West"))]
    labels = [text(tick["text"], "xtick", 500 + 800 * n, 200, 100) for n, tick in enumerate(ticks)]
    for number in range(overlapping):
        labels.append(text("extra name", "xtick", 500 + 800 * number + 40, 200, 100))
    axes = TEXTS | {"xticks": ticks} | more.pop("axes", {})
    return probe(marks=[bars(HEIGHTS)], texts=labels, axes=axes, **more)


def drawn(measurements: dict[str, Any] | None = None, picture: bytes = PICTURE, **more: Any) -> RenderResult:
    """A render that came to a picture."""
    given = measured() if measurements is None else measurements
    return RenderResult("light", picture, 3200, 1800, given, usage={"wall_ms": 5.0}, **more)


class Script:
    """A render function that gives its answers in order, and keeps the jobs that it was asked for."""

    def __init__(self, *answers: RenderResult | Exception) -> None:
        self.answers = list(answers)
        self.jobs: list[RenderJob] = []

    def __call__(self, asked: RenderJob) -> RenderResult:
        self.jobs.append(asked)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Reports:
    """What a run reported."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, step: str, **fields: Any) -> None:
        self.lines.append((step, fields))

    @property
    def steps(self) -> list[str]:
        """The names of the steps, in order."""
        return [step for step, _ in self.lines]


Render = Callable[[RenderJob], RenderResult]
