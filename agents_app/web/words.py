"""What the pages say: titles of refusals, labels of steps, outcomes, measures in words."""

import re
from collections.abc import Callable
from typing import Any

# What a refusal is called and what to do next, by its stable code. Its own `detail` stands between the two.
REFUSALS: dict[str, tuple[str, str]] = {
    "unreadable": ("This could not be read as a table", "Change the lines named here, or try another file."),
    "too_large": ("This is too large", "Leave out rows or columns that the plot doesn't need, then try again."),
    "invalid": ("Something here is not right", ""),
    "binding_refused": ("These columns don't fit the plot yet", "Choose others below; your table is kept."),
    "ineligible": ("This plot can't be adapted in this library", "Try the other library, or another plot."),
    "run_active": ("One thing at a time", "Send this again when it is done."),
    "job_conflict": ("Another picture of yours is being drawn", "Try again when it is there."),
    "capacity": ("No place is free right now", "Nothing of yours was lost. Try again a little later."),
    "budget": ("Today's runs are used up", "Everything you made stays here."),
    "rate": ("That was too often", "Wait a little, then try again."),
    "unauthenticated": ("Please sign in first", ""),
    "forbidden": ("This is not allowed", ""),
    "not_found": ("This is not here any more", "It may have been deleted."),
    "not_supported": ("This is not possible here", ""),
    "busy": ("The renderer is busy", "Try again in a moment."),
    "low_memory": ("The machine is short of memory", "Try again in a moment."),
    "internal": ("Something went wrong on our side", "Nothing of yours was lost. Try again."),
    "offline": ("No connection", "Nothing of yours was lost. Try again when you are connected."),
}

# The run's steps in order: key, while it goes on, once it is done.
STEPS: tuple[tuple[str, str, str], ...] = (
    ("queued", "In line", "In line"),
    ("adapt", "Writing the code", "Code written"),
    ("validate", "Checking the code", "Code checked"),
    ("render", "Drawing", "Drawn"),
    ("gates", "Measuring the picture", "Picture measured"),
    ("repair", "Repairing once", "Repaired once"),
    ("publish", "Saving", "Saved"),
)

# How a turn ended: a short title and what it means.
OUTCOMES: dict[str, tuple[str, str]] = {
    "ok": ("Ready", "Every check passed."),
    "needs_attention": ("Needs a look", "The picture is there; something in it could be better."),
    "failed": ("No picture came of it", "Your table and your earlier plots are kept."),
    "canceled": ("Stopped", "You stopped this one. Nothing was lost; start again whenever you like."),
    "expired": ("Waited too long", "Nothing was spent."),
    "refused": ("Not started", "Nothing was spent."),
    "answered": ("Answered", ""),
    "not_understood": ("Not understood", "No run was started and nothing changed."),
    "interrupted": ("The line fell silent", "We look again by ourselves."),
    "withdrawn": (
        "Given up while waiting",
        "The page was closed while this one waited, so its place went to the next. Nothing was spent.",
    ),
}

ERRORS: dict[str, str] = {
    "capacity": "Waited too long",
    "canceled": "Stopped",
    "deadline": "It took too long",
    "upstream": "The line fell silent",
    "render": "The picture could not be drawn",
    "validation": "The plot could not be prepared",
    "budget": "Today's runs are used up",
    "worker_lost": "Its worker stopped twice",
    "internal": "Something went wrong on our side",
}

STATUSES: dict[str, str] = {"ok": "All checks passed", "needs_attention": "Needs a look", "failed": "Failed"}

TYPES: dict[str, str] = {
    "number": "number",
    "date": "date",
    "category": "category",
    "boolean": "yes / no",
    "text": "text",
}

ROLE_TYPES: dict[str, str] = {
    "numeric": "numbers",
    "categorical": "categories",
    "datetime": "dates",
    "boolean": "yes / no",
    "any": "any column",
}


def duration(seconds: float) -> str:
    """Seconds as a person says them: `now`, `8 s`, `about 2 min`."""
    if seconds < 1:
        return "now"
    if seconds < 90:
        return f"{round(seconds)} s"
    return f"about {round(seconds / 60)} min"


def milliseconds(value: float | None) -> str:
    """A measured time: `340 ms`, `2.1 s`; empty for None."""
    if value is None:
        return ""
    return f"{round(value)} ms" if value < 1000 else f"{value / 1000:.1f} s"


def kilobytes(size: int) -> str:
    """A size of 1,000-byte kilobytes: `15 KB`, `1.2 MB`."""
    if size < 1_000_000:
        return f"{max(1, round(size / 1000))} KB"
    return f"{size / 1_000_000:.1f} MB"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 row`, `1,461 rows`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


AXES = {"x": "the x axis", "y": "the y axis", "legend": "the legend", "size": "the size"}
SCALES = {"linear": "Linear", "log": "Log", "symlog": "Symmetric log"}


def operation(op: dict[str, Any]) -> str:
    """An operation in words; one that is unknown here by its name."""
    kind = str(op.get("op") or "change")
    say = _SAYINGS.get(kind)
    return say(op) if say else kind.replace("_", " ")


def _axis(op: dict[str, Any]) -> str:
    return AXES.get(str(op.get("axis")), str(op.get("axis")))


_SAYINGS: dict[str, Callable[[dict[str, Any]], str]] = {
    "set_title": lambda op: f"Title: “{op['text']}”" if op.get("text") else "No title",
    "set_label": lambda op: f"Call {_axis(op)} “{op['text']}”" if op.get("text") else f"No label on {_axis(op)}",
    "set_scale": lambda op: f"{SCALES.get(str(op.get('scale')), 'Another')} scale on {_axis(op)}",
    "sort": lambda op: f"Sort by {op.get('by')}, {'largest' if op.get('order') == 'desc' else 'smallest'} first",
    "limit": lambda op: (
        f"{'Bottom' if op.get('side') == 'bottom' else 'Top'} {op.get('n')}"
        + (", the rest together" if op.get("others") else "")
    ),
    "theme": lambda op: "Dark theme" if op.get("value") == "dark" else "Light theme",
}


def refusal(code: str, detail: str, lines: list[Any] | None = None) -> dict[str, Any]:
    """Context of the refusal notice: title, the refusal's own sentence, lines, what to do next."""
    title, advice = REFUSALS.get(code, REFUSALS["internal"])
    # Where in a message an operation stands is for programs.
    detail = re.sub(r"^operations\[\d+\](\.\w+)?: ", "", detail)
    return {"code": code, "title": title, "detail": detail, "lines": lines or [], "advice": advice}


def for_scripts() -> dict[str, Any]:
    """The same words for the page's scripts, so that there is one truth."""
    return {
        "refusals": {code: {"title": title, "advice": advice} for code, (title, advice) in REFUSALS.items()},
        "steps": {key: {"doing": doing, "done": done} for key, doing, done in STEPS},
        "errors": ERRORS,
    }
