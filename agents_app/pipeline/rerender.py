"""A finished version's stored script, drawn in the other theme (TO2, TO3) or as a vector file (CA2a).

Nothing is adapted, validated or repaired; the host's gates alone decide, and what the probe measured becomes
notes of that theme.
"""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents_app import gates
from agents_app.catalogue import catalogue
from agents_app.gates.evidence import Evidence
from agents_app.gates.verdict import Verdict
from agents_app.pipeline.adapt import prepare
from agents_app.pipeline.judge import usable_picture
from agents_app.pipeline.outcome import Failure, Picture, Status
from agents_app.pipeline.render import Render
from agents_app.pipeline.render import render as draw_theme
from agents_app.recipe import labels
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Refusal
from renderer_app.contract import INFRASTRUCTURE, RendererBusy, RenderResult


@dataclass(frozen=True)
class Rerendered:
    """What a toggle came to.

    `code` is `canvas_padded` with `needs_attention`, `render` or `error` with `failed`, else empty. `error` is
    the renderer's fault, not the script's: it is not to be recorded (TO5).
    """

    status: Status
    code: Literal["", "canvas_padded", "render", "error"] = ""
    detail: str = ""
    picture: Picture | None = None
    verdicts: list[Verdict] = field(default_factory=list)


def rerender(
    recipe: Recipe,
    plot_py: str,
    data_csv: bytes,
    columns: list[dict[str, Any]],
    theme: str,
    render: Render,
    *,
    job_id: str = "",
) -> Rerendered:
    """Draw the stored script in `theme`. Raises RendererBusy when no slot came free (TO4).

    Without a `job_id` the render is named by its content, so that two of the same join (RE9).
    """
    name = job_id or "theme-" + hashlib.sha256(plot_py.encode() + b"\0" + data_csv).hexdigest()[:32]
    result = _draw(render, name, theme, plot_py, data_csv)
    if isinstance(result, Failure):
        return Rerendered("failed", "error", result.text)
    verdicts, evidence = _verdicts(recipe, result, data_csv, columns)
    if result.reason in INFRASTRUCTURE:
        return Rerendered("failed", "error", verdicts[0].text, verdicts=verdicts)
    status = gates.status(verdicts)
    if status == "failed":
        reason = next(verdict.text for verdict in verdicts if not verdict.passed)
        return Rerendered("failed", "render", reason, verdicts=verdicts)
    picture = usable_picture(evidence, verdicts)
    if picture.padded:
        text = next(verdict.text for verdict in verdicts if verdict.id == "R3")
        return Rerendered("needs_attention", "canvas_padded", text, picture, verdicts)
    return Rerendered("ok", picture=picture, verdicts=verdicts)


@dataclass(frozen=True)
class Vector:
    """A script as SVG or PDF: `content` is the file; `code` is `render` or `error` with `failed`, as for a toggle."""

    status: Status
    code: Literal["", "render", "error"] = ""
    detail: str = ""
    content: bytes | None = None


def vector(plot_py: str, data_csv: bytes, theme: str, file_format: str, render: Render, *, job_id: str) -> Vector:
    """Draw the stored script as `svg` or `pdf`; no gate looks at those. Raises RendererBusy."""
    result = _draw(render, job_id, theme, plot_py, data_csv, file_format)
    if isinstance(result, Failure):
        return Vector("failed", "error", result.text)
    if result.ok:
        return Vector("ok", content=result.picture)
    return Vector("failed", "error" if result.reason in INFRASTRUCTURE else "render", result.detail)


def _draw(
    render: Render, name: str, theme: str, plot_py: str, data_csv: bytes, file_format: str = "png"
) -> RenderResult | Failure:
    """One render; what kept it from being one is a Failure, but a busy renderer is raised."""
    try:
        return draw_theme(render, name, theme, plot_py, data_csv, file_format)
    except Failure as failure:
        if isinstance(failure.__cause__, RendererBusy):
            raise failure.__cause__ from None
        return failure


def _verdicts(
    recipe: Recipe, result: RenderResult, data_csv: bytes, columns: list[dict[str, Any]]
) -> tuple[list[Verdict], Evidence]:
    """The host's verdicts as they are, the probe's as notes that block nothing."""
    try:
        spec = catalogue.get_spec(recipe.spec)
        expected = labels.axis_texts(recipe, spec, columns)
        evidence = Evidence(result, recipe, spec, columns, expected, prepare(recipe, data_csv, columns))
        verdicts = gates.judge_evidence(evidence)
    except (Refusal, Failure):  # the plot has left the catalogue, or changed its roles: the picture still counts
        evidence = Evidence(result, recipe, None, columns)
        verdicts = gates.judge_host(evidence)
    return [v if v.id in gates.HOST_GATES else replace(v, blocking=False) for v in verdicts], evidence
