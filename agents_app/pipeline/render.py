"""Step 3: `plot.py` is drawn in the sandbox."""

from collections.abc import Callable

from django.conf import settings

from agents_app.pipeline.outcome import Failure
from renderer_app.contract import Limits, Reason, RendererBusy, RendererUnavailable, RenderJob, RenderResult

Render = Callable[[RenderJob], RenderResult]
OUTPUT_LINES = 12  # of what a failed script printed, the last ones
LINE_CHARS = 200
ENDED = {Reason.CANCELED: ("canceled", "The run was stopped."), Reason.DEADLINE: ("deadline", "The run took too long.")}


def render(
    draw: Render, job_id: str, theme: str, plot_py: str, data_csv: bytes, file_format: str = "png"
) -> RenderResult:
    """Draw one theme. Raises Failure when the renderer can't be had, was stopped, or ran out of time.

    A script that fails is no Failure: its result says why, and the gates judge it.
    """
    limits = Limits(wall_s=settings.AGENT_RENDER_WALL_S)
    try:
        result = draw(RenderJob(job_id, theme, plot_py, data_csv, file_format, limits))
    except RendererBusy as error:
        raise Failure("render", str(error) or "The renderer is busy. Try again in a moment.") from error
    except RendererUnavailable as error:
        raise Failure("render", str(error) or "The renderer can't be reached. Try again in a moment.") from error
    except ValueError as error:  # the job itself was refused at the renderer's border
        raise Failure("validation", str(error)) from error
    if result.reason in ENDED:
        code, text = ENDED[result.reason]
        raise Failure(code, result.detail or text)
    return result


def last_lines(result: RenderResult) -> list[str]:
    """The end of what the script printed, long lines cut."""
    return [line[:LINE_CHARS] for line in result.output.strip().splitlines() if line.strip()][-OUTPUT_LINES:]
