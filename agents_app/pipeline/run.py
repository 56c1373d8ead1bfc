"""A run of the pipeline, told from end to end.

recipe → adapt → validate → render → gates → (repair, once) → outcome. Every step is one function of plain data
in a file of its own; nothing in here knows rows, users or queues. `report` is the only way to speak meanwhile,
and says step names, gate ids and counts, never what is in the data.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from agents_app.pipeline.adapt import Adapted, adapt, prepare
from agents_app.pipeline.alt_text import alt_text
from agents_app.pipeline.judge import Judgement, better, judge
from agents_app.pipeline.outcome import Failure, Outcome, PipelineJob
from agents_app.pipeline.render import Render, last_lines, render
from agents_app.pipeline.repair import repair
from agents_app.pipeline.validate import validate
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import Prepared

Report = Callable[..., Any]
PRINTED = "The script's last lines:"
NO_COST = {"calls": 0, "tokens": {}, "cost_usd": 0.0}  # the built-in adapter costs nothing (BU2)


def run(job: PipelineJob, *, render: Render, report: Report) -> Outcome:
    """Make the plot of a recipe.

    `render` draws one theme and may take long; `report(step, **fields)` is called as each step begins. Every
    foreseen end is an Outcome: a script that fails, a renderer that is busy or gone, a stop, a deadline.
    """
    return _Run(job, render, report).tell()


class _Run:
    """The state of one run: how long each step took, and what has been tried."""

    def __init__(self, job: PipelineJob, draw: Render, report: Report) -> None:
        self.job = job
        self.draw = draw
        self.report = report
        self.timings = {"adapt_ms": 0.0, "render_ms": 0.0, "gates_ms": 0.0}
        self.attempts = 0
        self.prepared: Prepared | None = None
        self.plot_py = ""

    def tell(self) -> Outcome:
        """The story."""
        try:
            with self._timed("adapt_ms"):
                self.prepared = prepare(self.job.recipe, self.job.data_csv, self.job.columns)
            first = self._attempt(self.prepared.recipe)
        except Failure as failure:
            return self._failed(failure)
        mended = repair(self.job.recipe, first.adapted.spec, first.figure, first.verdicts)
        if mended is None:
            return self._outcome(first, [])
        self.report("repair", gates=_blocking(first), rungs=mended.rungs)
        try:
            second = self._attempt(mended.recipe)
        except Failure as failure:
            if failure.code == "canceled":
                return self._failed(failure)
            # What there is already is better than nothing.
            return self._outcome(first, [], (f"The repair could not be drawn: {failure.text}",))
        kept = better(first, second)
        return self._outcome(kept, mended.changes if kept is second else [])

    def _attempt(self, recipe: Recipe) -> Judgement:
        """Adapt, check, draw and judge one recipe. Raises Failure."""
        number = self.attempts + 1
        self.report("adapt", attempt=number)
        with self._timed("adapt_ms"):
            adapted: Adapted = adapt(recipe, self.job.columns, self.prepared)
            self.plot_py = adapted.plot_py
        self.report("validate", attempt=number)
        with self._timed("adapt_ms"):
            validate(adapted)
        self.report("render", attempt=number, theme=recipe.theme)
        # A second picture is another job to the renderer: a name stands for one script.
        name = self.job.job_id if number == 1 else f"{self.job.job_id}-{number}"
        with self._timed("render_ms"):
            result = render(self.draw, name, recipe.theme, adapted.plot_py, self.job.data_csv)
        self.attempts = number
        with self._timed("gates_ms"):
            judgement = judge(adapted, result, self.job.columns)
        self.report("gates", attempt=number, status=judgement.status, failed=_blocking(judgement))
        return judgement

    def _outcome(self, kept: Judgement, repairs: list[str], notes: tuple[str, ...] = ()) -> Outcome:
        """What the kept attempt comes to."""
        failed = kept.status == "failed"
        reason = next((verdict.text for verdict in kept.verdicts if verdict.blocks), "") if failed else ""
        said = [verdict.text for verdict in kept.verdicts if not verdict.passed]
        printed = last_lines(kept.result) if failed else []
        assert self.prepared is not None
        return Outcome(
            status=kept.status,
            recipe=kept.adapted.recipe,
            plot_py=kept.adapted.plot_py,
            picture=kept.picture,
            verdicts=kept.verdicts,
            changes=list(dict.fromkeys([*self.job.changes, *kept.adapted.changes, *repairs])),
            # With no picture to look at, what the gates measured explains less than what the script said.
            notes=[*([] if failed else said), *notes, *([PRINTED, *printed] if printed else [])],
            alt_text=alt_text(kept.adapted.recipe, kept.adapted.spec, self.job.columns, self.prepared),
            rows=self.prepared.rows,
            attempts=self.attempts,
            timings=self._rounded(),
            usage=dict(NO_COST),
            error_code="render" if failed else "",
            error_text=reason,
        )

    def _failed(self, failure: Failure) -> Outcome:
        """A run that could not be brought to a picture."""
        return Outcome(
            status="failed",
            recipe=self.job.recipe,
            plot_py=self.plot_py,
            changes=list(self.job.changes),
            notes=list(failure.notes),
            rows=self.prepared.rows if self.prepared else {},
            attempts=max(self.attempts, 1),
            timings=self._rounded(),
            usage=dict(NO_COST),
            error_code=failure.code,
            error_text=failure.text,
        )

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] += (time.perf_counter() - start) * 1000

    def _rounded(self) -> dict[str, float]:
        return {name: round(value, 1) for name, value in self.timings.items()}


def _blocking(judgement: Judgement) -> list[str]:
    return [verdict.id for verdict in judgement.verdicts if verdict.blocks]
