"""What goes into a run of the pipeline and what comes out: plain data, no rows."""

from dataclasses import dataclass, field
from typing import Any, Literal

from agents_app.gates.verdict import Verdict
from agents_app.recipe.recipe import Recipe

Status = Literal["ok", "needs_attention", "failed"]
STEPS = ("adapt", "validate", "render", "gates", "repair", "publish")


@dataclass(frozen=True)
class PipelineJob:
    """One run: the recipe (operations already applied), the canonical table, and what its columns are.

    `columns` are `intake.Column.as_json()` objects. `job_id` names the render. `changes` are the sentences
    of the operations that led to this recipe.
    """

    job_id: str
    recipe: Recipe
    data_csv: bytes
    columns: list[dict[str, Any]]
    changes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Picture:
    """A finished PNG with its size in pixels; `padded` when R3's fallback widened it."""

    png: bytes
    width: int
    height: int
    padded: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a run came to. `picture` is None exactly when `status` is `failed`.

    `error_code` is one of the event codes (`render`, `validation`, `canceled`, `deadline`) when `status` is
    `failed`; `error_text` is its sentence, and `notes` are the lines that explain it. `rows` is {total, used,
    dropped, reasons: [sentences]}; `attempts` counts renders that were judged; `timings` has adapt_ms, render_ms,
    gates_ms.
    """

    status: Status
    recipe: Recipe
    plot_py: str = ""
    picture: Picture | None = None
    verdicts: list[Verdict] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alt_text: str = ""
    rows: dict[str, Any] = field(default_factory=dict)
    attempts: int = 1
    timings: dict[str, float] = field(default_factory=dict)
    usage: dict[str, Any] = field(default_factory=dict)
    error_code: str = ""
    error_text: str = ""


class Failure(Exception):
    """A step could not do its work: a stable code, a sentence, and lines for the notes."""

    def __init__(self, code: str, text: str, notes: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.notes = notes
