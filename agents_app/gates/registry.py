"""The gates in the order in which they judge. A plain table: plug-ins add to it later."""

from collections.abc import Callable
from typing import Any, Final, Literal

from agents_app.catalogue.spec import Spec
from agents_app.gates import drawn, faithful, host, labels, texts
from agents_app.gates.evidence import Evidence
from agents_app.gates.verdict import Verdict
from agents_app.recipe.labels import axis_texts
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import Prepared
from renderer_app.contract import RenderResult

Gate = Callable[[Evidence], Verdict | None]  # None: not judged
Status = Literal["ok", "needs_attention", "failed"]

# What the host sees by itself. Each needs the one before it.
HOST_GATES: Final[dict[str, Gate]] = {
    "R1": host.ran,
    "R2": host.one_valid_picture,
    "R3": host.exact_canvas,
}
# What is judged from measurements of the drawn figure.
PROBE_GATES: Final[dict[str, Gate]] = {
    "G1": drawn.something_is_drawn,
    "G2": faithful.shows_the_data,
    "G3": texts.inside_canvas,
    "G4": texts.no_overlap,
    "G8": labels.names_the_columns,
}


def judge(
    result: RenderResult,
    recipe: Recipe,
    spec: Spec,
    columns: list[dict[str, Any]],
    *,
    expected: dict[str, Any] | None = None,
    prepared: Prepared | None = None,
) -> list[Verdict]:
    """The verdicts on a render, in the order of the table.

    `expected` are the texts that the figure must show (absent: those of the recipe and the columns); without
    `prepared` faithfulness and legend entries are not judged. Pure: nothing is read or written.
    """
    if expected is None:
        expected = axis_texts(recipe, spec, columns)
    return judge_evidence(Evidence(result, recipe, spec, columns, expected, prepared))


def judge_host(evidence: Evidence) -> list[Verdict]:
    """The host's own verdicts (GA3); after a failed R1 or R2 there is nothing more to look at."""
    verdicts: list[Verdict] = []
    for gate in HOST_GATES.values():
        verdict = gate(evidence)
        if verdict is not None:
            verdicts.append(verdict)
            if not verdict.passed and verdict.id in ("R1", "R2"):
                break
    return verdicts


def judge_evidence(evidence: Evidence) -> list[Verdict]:
    """The verdicts on gathered evidence; without a usable picture only the host's."""
    verdicts = judge_host(evidence)
    if len(verdicts) == len(HOST_GATES):
        verdicts += [verdict for gate in PROBE_GATES.values() if (verdict := gate(evidence)) is not None]
    return verdicts


def is_padded(verdicts: list[Verdict]) -> bool:
    """True when R3's fallback applies: the picture is to be padded to its canvas."""
    return any(verdict.id == "R3" and bool((verdict.details or {}).get("padded")) for verdict in verdicts)


def status(verdicts: list[Verdict]) -> Status:
    """GA1: `failed` without a usable picture, `needs_attention` when something blocking is wrong, else `ok`."""
    for verdict in verdicts:
        if verdict.id in HOST_GATES and not verdict.passed and not (verdict.details or {}).get("padded"):
            return "failed"
    if not any(verdict.id == "R3" for verdict in verdicts):
        return "failed"
    return "needs_attention" if any(verdict.blocks for verdict in verdicts) else "ok"
