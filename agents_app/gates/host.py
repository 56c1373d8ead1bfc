"""R1 to R3: what the host itself can see of a render (GA3)."""

from agents_app.gates.evidence import Evidence
from agents_app.gates.verdict import Verdict
from anyplot_site import bounds
from renderer_app.contract import Reason

REASONS = {
    Reason.TIMEOUT: "Drawing took too long",
    Reason.CPU: "Drawing used too much computing time",
    Reason.MEMORY: "Drawing used too much memory",
    Reason.FILE_BUDGET: "The script wrote more files than allowed",
    Reason.OUTPUT: "The script printed more than allowed",
    Reason.PROBE: "The drawn figure could not be measured",
    Reason.EXIT: "The script ended with an error",
    Reason.SIGNAL: "The script was stopped by the system",
    Reason.LAUNCHER: "The sandbox could not be started",
    Reason.CANCELED: "Drawing was stopped",
    Reason.DEADLINE: "There was no time left for drawing",
}


def ran(evidence: Evidence) -> Verdict:
    """R1: the script ran to its end within the limits; else the reason, what was measured and the limit (RB3)."""
    result = evidence.result
    if result.reason is None:
        return Verdict("R1", True, True, "The script ran to its end within the limits.", result.usage.get("wall_ms"))
    text = result.detail or f"{REASONS[result.reason]}."
    return Verdict("R1", False, True, text, result.measured, result.limit, details={"reason": result.reason.value})


def one_valid_picture(evidence: Evidence) -> Verdict:
    """R2: exactly the expected picture is there, decodes whole, and is a PNG."""
    error = evidence.decoded.error
    if error:
        return Verdict("R2", False, True, error, 0, 1)
    return Verdict("R2", True, True, "The picture is valid.", 1, 1)


def exact_canvas(evidence: Evidence) -> Verdict:
    """R3: the picture has the exact size; off by at most `CANVAS_PAD_PX` it is padded, which is said.

    `details` has `padded`: True when the fallback applies.
    """
    width, height = evidence.decoded.width, evidence.decoded.height
    wanted_width, wanted_height = evidence.canvas
    off = max(abs(width - wanted_width), abs(height - wanted_height))
    if off == 0:
        return Verdict("R3", True, True, f"The picture is exactly {width} × {height} pixels.", 0, 0)
    small = off <= bounds.CANVAS_PAD_PX
    text = f"The picture is {width} × {height} pixels, not {wanted_width} × {wanted_height}"
    text += "; it was padded with the page color to fit." if small else "."
    return Verdict("R3", False, True, text, off, bounds.CANVAS_PAD_PX if small else 0, details={"padded": small})
