"""Step 4: the gates judge the picture, and one that is a few pixels off is padded."""

from dataclasses import dataclass
from typing import Any

from agents_app import gates
from agents_app.gates.evidence import Evidence
from agents_app.gates.measurements import Figure
from agents_app.gates.verdict import Verdict
from agents_app.pipeline.adapt import Adapted
from agents_app.pipeline.outcome import Picture, Status
from renderer_app.contract import RenderResult

STATUS_RANK = {"ok": 0, "needs_attention": 1, "failed": 2}


@dataclass(frozen=True)
class Judgement:
    """A rendered attempt and what the gates say about it. `picture` is None when none is usable."""

    adapted: Adapted
    result: RenderResult
    verdicts: list[Verdict]
    status: Status
    picture: Picture | None
    figure: Figure | None

    @property
    def badness(self) -> tuple[int, int, float]:
        """What makes one attempt worse than another: status, blocking verdicts, how much they measured."""
        blocking = [verdict for verdict in self.verdicts if verdict.blocks]
        return STATUS_RANK[self.status], len(blocking), sum(_amount(verdict.measured) for verdict in blocking)


def judge(adapted: Adapted, result: RenderResult, columns: list[dict[str, Any]]) -> Judgement:
    """All gates on one render of the recipe's own theme."""
    evidence = Evidence(result, adapted.recipe, adapted.spec, columns, adapted.expected, adapted.prepared)
    verdicts = gates.judge_evidence(evidence)
    status = gates.status(verdicts)
    picture = usable_picture(evidence, verdicts) if status != "failed" else None
    return Judgement(adapted, result, verdicts, status, picture, evidence.figure)


def usable_picture(evidence: Evidence, verdicts: list[Verdict]) -> Picture:
    """The picture on its exact canvas, padded where the host gates say so."""
    png = evidence.result.picture or b""
    if gates.is_padded(verdicts):
        width, height = evidence.canvas
        return Picture(gates.pad(png, evidence.canvas, evidence.theme), width, height, padded=True)
    return Picture(png, evidence.decoded.width, evidence.decoded.height)


def better(first: Judgement, second: Judgement) -> Judgement:
    """The better of two attempts; the first when the second is no better (GA4)."""
    return second if second.badness < first.badness else first


def _amount(measured: Any) -> float:
    return float(measured) if isinstance(measured, int | float) else 0.0
