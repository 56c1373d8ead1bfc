"""G3 and G4: every text is inside the picture, and no two texts overlap."""

from collections import Counter, defaultdict

from agents_app.gates import overlap, words
from agents_app.gates.evidence import Evidence
from agents_app.gates.measurements import Text
from agents_app.gates.verdict import Verdict
from anyplot_site import bounds

SIDES = ("left", "bottom", "right", "top")


def inside_canvas(evidence: Evidence) -> Verdict | None:
    """G3: no corner of a text's turned box lies beyond the canvas.

    `measured` is the number of texts that leave it. `details` has `sides` {side: most pixels} and `roles`
    {role: {side: most pixels}}.
    """
    figure = evidence.figure
    if figure is None:
        return None
    totals = Counter(text.role for text in figure.texts)
    beyond: dict[str, int] = Counter()
    roles: dict[str, dict[str, float]] = defaultdict(dict)
    for text in figure.texts:
        over = overflow(text, figure.width, figure.height)
        if over:
            beyond[text.role] += 1
            for side, pixels in over.items():
                roles[text.role][side] = max(roles[text.role].get(side, 0.0), pixels)
    count = sum(beyond.values())
    if not count:
        return Verdict("G3", True, True, "Every text is inside the picture.", 0, 0)
    clauses = []
    for role, number in beyond.items():
        side, pixels = max(roles[role].items(), key=lambda item: item[1])
        verb = "reaches" if totals[role] == 1 else "reach"
        clauses.append(f"{words.counted(number, totals[role], role)} {verb} {pixels:.0f} px beyond the {side} edge")
    sides = {side: max((of[side] for of in roles.values() if side in of), default=0.0) for side in SIDES}
    return Verdict(
        "G3",
        False,
        True,
        words.sentence(clauses),
        count,
        0,
        details={"sides": {side: pixels for side, pixels in sides.items() if pixels}, "roles": dict(roles)},
    )


def overflow(text: Text, width: float, height: float) -> dict[str, float]:
    """By how many pixels a text passes each edge; empty when it is inside."""
    x0, y0, x1, y1 = overlap.box(text.quad)
    past = dict(zip(SIDES, (-x0, -y0, x1 - width, y1 - height), strict=True))
    return {side: pixels for side, pixels in past.items() if pixels > bounds.TEXT_EDGE_PX}


def no_overlap(evidence: Evidence) -> Verdict | None:
    """G4: no two texts overlap by more than `TEXT_OVERLAP_PX`, turned boxes compared as they stand.

    `measured` is the number of texts that overlap another. `details` has `roles` {role: {count, of, depth}}
    and `between` [(role, role, pixels)].
    """
    figure = evidence.figure
    if figure is None:
        return None
    texts = figure.texts
    found, complete = overlap.pairs([text.quad for text in texts], bounds.TEXT_OVERLAP_PX)
    if not found:
        return Verdict("G4", True, True, "No two texts overlap.", 0, 0)
    totals = Counter(text.role for text in texts)
    same: dict[str, set[int]] = defaultdict(set)
    depth: dict[str, float] = defaultdict(float)
    between: dict[tuple[str, str], float] = defaultdict(float)
    for first, second, deep in found:
        one, two = sorted((texts[first].role, texts[second].role))
        if one == two:
            same[one] |= {first, second}
            depth[one] = max(depth[one], deep)
        else:
            between[one, two] = max(between[one, two], deep)
    clauses = [
        f"{'at least ' * (not complete)}{words.counted(len(numbers), totals[role], role)} overlap"
        for role, numbers in same.items()
    ]
    clauses += [f"{words.one(one)} overlaps {words.one(two)} by {deep:.0f} px" for (one, two), deep in between.items()]
    return Verdict(
        "G4",
        False,
        True,
        words.sentence(clauses),
        len({number for first, second, _ in found for number in (first, second)}),
        0,
        details={
            "roles": {
                role: {"count": len(numbers), "of": totals[role], "depth": depth[role]}
                for role, numbers in same.items()
            },
            "between": [(one, two, deep) for (one, two), deep in between.items()],
        },
    )
