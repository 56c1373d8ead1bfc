"""A session's turns as the page shows them: what was asked, how far it is, what came of it."""

from typing import Any

from agents_app.catalogue import catalogue
from agents_app.models import Turn, Version
from agents_app.queue import events, positions
from agents_app.refusals import NotFound
from agents_app.web import cards, controls, words

NO_RUN = ("answered", "not_understood")  # answered at once, without a run (QU1)


def asked(turn: Turn, first: bool) -> str:
    """What the person asked for, in words."""
    if turn.text:
        return turn.text
    if turn.operations:
        return " · ".join(words.operation(op) for op in turn.operations)
    return "Create plot" if first else "Create plot again"


def _steps(stored: list[dict[str, Any]]) -> list[str]:
    """The steps that were reported, by the worker that had it last: a second one begins anew."""
    seen: list[str] = []
    for event in stored:
        if event["type"] == "status":
            step = event["data"].get("step", "")
            seen = [step] if step == "started" else [*seen, step]
    return seen


def timeline(turn: Turn, stored: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps with their state: todo, now, done or bad; a repair is shown only when there was one."""
    seen = _steps(stored)
    keys = [key for key, _, _ in words.STEPS]
    reached = max((keys.index(step) for step in seen if step in keys), default=0)
    if turn.state == Turn.State.QUEUED:
        reached = 0
    ended = turn.state in Turn.TERMINAL
    good = turn.outcome in ("ok", "needs_attention")
    steps = []
    for index, (key, doing, done) in enumerate(words.STEPS):
        if index < reached or (ended and good):
            state = "done"
        elif index == reached:
            state = "bad" if ended else "now"
        else:
            state = "todo"
        if key == "queued" and state == "now" and turn.state == Turn.State.RUNNING:
            state = "done"
        steps.append(
            {
                "key": key,
                "label": done if state == "done" else doing,
                "doing": doing,
                "done": done,
                "state": state,
                "hidden": key == "repair" and "repair" not in seen,
            }
        )
    return steps


def turn(
    turn: Turn, *, first: bool = False, shown: dict[int, str] | None = None, foreign: bool = False
) -> dict[str, Any]:
    """Context of one turn; `shown` maps version numbers to the theme their card shows, `foreign` as for cards."""
    stored = events.since(turn.id, 0)
    active = turn.state in Turn.ACTIVE
    error = next((event["data"] for event in stored if event["type"] == "error"), None)
    message = next((event["data"] for event in reversed(stored) if event["type"] == "message"), None)
    repair = next((e["data"] for e in stored if e["type"] == "status" and e["data"].get("step") == "repair"), None)
    outcome = turn.outcome if turn.state not in ("withdrawn", "expired") else str(turn.state)
    title, meaning = words.OUTCOMES.get(outcome, ("", ""))
    if outcome == "failed":  # a lost turn too: its worker stopped, or its time was up
        title = words.ERRORS.get(turn.error_code or (error or {}).get("code", ""), title)
    detail = (error or {}).get("detail", "").removeprefix(f"{title}. ")
    version: Version | None = turn.version
    return {
        "id": str(turn.id),
        "session": str(turn.session_id),
        "asked": asked(turn, first),
        "plain": bool(turn.text),
        "state": turn.state,
        "active": active,
        "after": max((event["id"] or 0 for event in stored), default=0),
        "steps": timeline(turn, stored) if outcome not in NO_RUN else [],
        "place": place(positions.queued_status(turn)) if turn.state == Turn.State.QUEUED else "",
        "repair": repair,
        "error": error,
        "message": message,
        "suggestions": _suggestions(turn, message) if outcome in NO_RUN else [],
        "outcome": outcome,
        "title": title,
        "detail": detail,
        "lines": (error or {}).get("lines", []),
        # Why it was stopped is said by whoever stopped it.
        "meaning": "" if outcome == "canceled" and detail else meaning,
        "at": turn.created_at,
        "card": cards.card(version, (shown or {}).get(version.number), foreign=foreign) if version else None,
        "failed": outcome in ("failed", "expired", "interrupted"),
    }


def _suggestions(turn: Turn, message: dict[str, Any] | None) -> list[str]:
    """What the answer offers instead, else what this plot takes by its buttons."""
    offered = (message or {}).get("suggestions") or []
    if offered:
        return [words.operation(one) if isinstance(one, dict) else str(one) for one in offered]
    try:
        spec = catalogue.get_spec(turn.session.spec)
    except NotFound:
        return []
    found = controls.controls(spec, turn.session.versions.order_by("-number").first())
    return controls.names(found) if found else []


def place(queued: dict[str, Any]) -> str:
    """Place and estimated start of a waiting turn in words."""
    position, waiting, eta = (queued.get(key) for key in ("position", "waiting", "eta_s"))
    if not position:
        return "In line"
    line = "Next in line" if position == waiting == 1 else f"{ordinal(position)} of {waiting} in line"
    if eta is None:  # nobody knows: an operator has paused the starts (QU15)
        return f"{line} · starts are paused, your place is kept"
    return (
        f"{line} · starts now" if eta < 1 else f"{line} · starts in about {words.duration(eta).removeprefix('about ')}"
    )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def turns(
    session_turns: list[Turn], shown: dict[int, str] | None = None, *, foreign: bool = False
) -> list[dict[str, Any]]:
    """Context of a session's thread, oldest first."""
    return [turn(one, first=index == 0, shown=shown, foreign=foreign) for index, one in enumerate(session_turns)]
