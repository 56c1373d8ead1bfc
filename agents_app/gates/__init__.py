"""Verdicts on a rendered plot, from measurements. See `docs/gates.md`."""

from agents_app.gates.picture import pad
from agents_app.gates.registry import HOST_GATES, PROBE_GATES, is_padded, judge, judge_evidence, judge_host, status
from agents_app.gates.verdict import Verdict

__all__ = [
    "HOST_GATES",
    "PROBE_GATES",
    "Verdict",
    "is_padded",
    "judge",
    "judge_evidence",
    "judge_host",
    "pad",
    "status",
]
