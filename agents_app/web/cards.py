"""The result card: everything about one version, in plain words."""

from typing import Any

from django.urls import reverse

from agents_app import selectors, shapes
from agents_app.catalogue import catalogue
from agents_app.models import Version
from agents_app.refusals import NotFound
from agents_app.web import highlight, words
from renderer_app import themes


def _code(version: Version) -> str:
    """`plot.py`, or empty when it was never made or has been swept."""
    try:
        return selectors.file_bytes(version.script).decode()
    except NotFound:
        return ""


def _rows(rows: dict[str, Any]) -> str:
    """`342 of 344 rows used, 2 left out`, `All 51 rows used`; empty when it is not known."""
    total, used, dropped = (rows.get(key) for key in ("total", "used", "dropped"))
    if total is None or used is None:
        return ""
    if not dropped:
        return f"All {words.counted(total, 'row')} used"
    return f"{used:,} of {words.counted(total, 'row')} used, {dropped:,} left out"


def _drawn(version: Version) -> str:
    """`repaired once` where the second picture was kept, `drawn twice` where the first stayed; empty for one."""
    if version.attempts < 2:
        return ""
    recipe, before = version.recipe, version.parent.recipe if version.parent else {}
    options, earlier = recipe.get("options", {}), before.get("options", {})
    # An option that differs and that nobody asked for was turned by the repair.
    turned = any(value != earlier.get(name) for name, value in options.items() if name not in recipe.get("asked", []))
    return "repaired once" if turned else "drawn twice"


def _for_staff(version: Version, shown: str) -> dict[str, Any]:
    """What another person's card has instead: the admin's picture, no files, the staff's switch."""
    drawn = (one for one in version.artifacts.all() if (one.theme, one.format) == (shown, "png") and one.file)
    picture = next(drawn, None)
    return {
        "foreign": True,
        "png": reverse("admin:agents_app_artifact_picture", args=[picture.pk]) if picture else None,
        "plot_py": None,
        "data_csv": None,
        "toggle_url": f"/debug/agent/sessions/{version.session_id}/versions/{version.number}/render",
    }


def card(version: Version, theme: str | None = None, *, foreign: bool = False) -> dict[str, Any]:
    """Context of a version's card showing `theme` (its own where that is None or was never drawn).

    `foreign`: an operator looks at another person's, whose addresses are the owner's alone.
    """
    data = shapes.version_json(version)
    shown = theme if theme and theme in data["themes"] else version.theme
    picture = data["themes"].get(shown) or {}
    own = shown == version.theme
    gates = data["gates"] if own else picture.get("gates") or []
    troubled = [gate for gate in gates if not gate["passed"]]
    status = version.status if own else picture.get("status") or version.status
    if not own and status == "ok" and any(not gate.get("asked") for gate in troubled):
        status = "needs_attention"  # in another theme what was measured blocks nothing, yet it was not passed
    try:
        canvas = themes.CANVASES[version.recipe.get("canvas") or catalogue.get_spec(version.spec).canvas]
    except (NotFound, KeyError):
        canvas = themes.CANVASES["landscape"]
    code = _code(version)
    timings = data["timings"]
    return {
        **data,
        "session": str(version.session_id),
        "number": version.number,
        "shown": shown,
        "other": themes.other(shown),
        "other_ready": bool((data["themes"].get(themes.other(shown)) or {}).get("png")),
        "picture": picture,
        "png": picture.get("png"),
        "width": picture.get("width") or canvas[0],
        "height": picture.get("height") or canvas[1],
        "canvas": "square" if canvas[0] == canvas[1] else "landscape",
        "padded": picture.get("code") == "canvas_padded",
        "gates": gates,
        "troubled": troubled,
        "passing": [gate for gate in gates if gate["passed"]],
        # The verdicts that did not pass are listed by themselves, each below the theme that it was found in.
        "notes": [n for n in data["notes"] if n not in {gate["text"] for gate in data["gates"] if not gate["passed"]}],
        "drawn": _drawn(version),
        "status": status,
        "status_words": words.STATUSES.get(status, status),
        "code": highlight.python(code) if code else "",
        "code_lines": code.count("\n"),
        "row_words": _rows(version.rows or {}),
        "row_reasons": (version.rows or {}).get("reasons", []),
        # The work, without the wait for its turn.
        "took": words.milliseconds(timings["total_ms"] - timings.get("queued_ms", 0)) if "total_ms" in timings else "",
        "file_stem": f"{version.spec}-{version.library}-{version.number}",
        "plot_py": data["files"].get("plot.py"),
        "data_csv": data["files"].get("data.csv"),
        "toggle_url": "/agent/toggle",
        **(_for_staff(version, shown) if foreign else {}),
    }
