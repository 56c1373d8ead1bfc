"""Step 5: the layout is repaired once, from what was measured.

The ladder's first rungs (`docs/gates.md`): wrap, turn, lay on its side, thin the labels; grow the margins;
shrink the title to its floor. Each rung is an option of the script, so that it stands in `plot.py` for a person
to see, and a sentence among the changes. What a person asked for is left alone.
"""

import math
import textwrap
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from agents_app.catalogue.spec import Spec
from agents_app.gates.measurements import Axes, Figure, Text
from agents_app.gates.verdict import Verdict
from agents_app.recipe.recipe import Recipe
from anyplot_site import bounds

WRAP, ROTATION, EVERY, MARGINS, TITLE_SIZE = "LABEL_WRAP", "LABEL_ROTATION", "LABEL_EVERY", "MARGINS", "TITLE_SIZE"
SIDES = ("left", "bottom", "right", "top")
FIXABLE = ("G3", "G4")
TITLES = {"title", "suptitle"}
BESIDE_TITLES = {"legend", "legend_title"}


@dataclass(frozen=True)
class Repair:
    """A recipe with some layout options changed, the rungs taken, and a sentence for each."""

    recipe: Recipe
    rungs: list[str]
    changes: list[str]


@dataclass
class Plan:
    """Options as they are being chosen; what was asked for, or is not declared, can't be turned."""

    recipe: Recipe
    spec: Spec
    options: dict[str, Any] = field(default_factory=dict)
    rungs: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)

    def free(self, name: str) -> bool:
        """True when the script declares the option and the person did not set it."""
        return self.spec.option(name) is not None and name not in self.recipe.asked

    def value(self, name: str) -> Any:
        """The option's present value."""
        option = self.spec.option(name)
        return self.options.get(name, self.recipe.options.get(name, option.default if option else None))

    def turn(self, rung: str, sentence: str, **options: Any) -> None:
        """Take a rung, unless it changes nothing."""
        changed = {name: value for name, value in options.items() if value != self.value(name)}
        if changed:
            self.options |= changed
            self.rungs.append(rung)
            self.changes.append(sentence)


@dataclass(frozen=True)
class Labels:
    """The tick labels of one axis as measured: how far apart, how wide a character, how high a line (pixels)."""

    axis: str
    texts: list[str]
    pitch: float
    character: float
    line: float

    @property
    def longest(self) -> int:
        """Characters of the longest label on one line."""
        return max(len(text) for text in self.texts)

    def lines(self, width: int) -> int:
        """Lines of the label that needs most when broken at `width` characters; a word is never broken."""
        return max(len(textwrap.wrap(text, width, break_long_words=False)) for text in self.texts)

    @property
    def length(self) -> float:
        """Pixels of the longest label on one line."""
        return self.longest * self.character

    @property
    def longest_word(self) -> int:
        """Characters of the longest word: what wrapping can't break."""
        return max((len(word) for text in self.texts for word in text.split()), default=0)


def repair(recipe: Recipe, spec: Spec, figure: Figure | None, verdicts: list[Verdict]) -> Repair | None:
    """A repaired recipe, or None when nothing that failed can be mended by layout.

    Rungs are chosen by estimating from the measured boxes, so that one round is enough; several may be taken.
    """
    failed = {verdict.id: verdict for verdict in verdicts if verdict.blocks}
    if figure is None or not failed.keys() & set(FIXABLE):
        return None
    plan = Plan(recipe, spec)
    rearranged: set[str] = set()
    if "G4" in failed:
        details = failed["G4"].details or {}
        touching = {role for pair in details.get("between", ()) for role in pair[:2]} | details.get("roles", {}).keys()
        for axis in ("x", "y"):
            if f"{axis}tick" in touching:
                _free_labels(plan, figure, axis)
                # Where they reach out of the picture is another matter once they stand otherwise.
                rearranged |= {f"{axis}tick"} if plan.rungs else set()
        # A smaller title is a shorter one: that helps against what stands beside it, not against what is below.
        if any(set(pair[:2]) & TITLES and set(pair[:2]) & BESIDE_TITLES for pair in details.get("between", ())):
            _shrink_title(plan, figure)
        if "annotation" in details.get("roles", {}):
            _thin(plan, "labels in the plot", _every_for(details["roles"]["annotation"]))
    if "G3" in failed:
        roles = (failed["G3"].details or {}).get("roles", {})
        if TITLES & roles.keys():
            _shrink_title(plan, figure)
        beyond: dict[str, float] = {}
        for role, sides in roles.items():
            for side, pixels in sides.items():
                # A title too wide is set smaller; one too high needs room.
                if role not in rearranged and (role not in TITLES or side in ("top", "bottom")):
                    beyond[side] = max(beyond.get(side, 0.0), pixels)
        _grow_margins(plan, figure, beyond)
    if not plan.options:
        return None
    repaired = recipe.with_(options={**recipe.options, **plan.options})
    return Repair(repaired, plan.rungs, plan.changes)


# --- labels of an axis ---------------------------------------------------------------------------


def measure_labels(figure: Figure, axis: str) -> Labels | None:
    """The crowded labels of an axis: those of the axes that has most of them."""
    role = f"{axis}tick"
    by_axes: dict[int, list[Text]] = {}
    for text in figure.texts:
        if text.role == role and text.axes is not None:
            by_axes.setdefault(text.axes, []).append(text)
    if not by_axes:
        return None
    index, texts = max(by_axes.items(), key=lambda item: len(item[1]))
    home = next((axes for axes in figure.axes if axes.index == index), None)
    if home is None or len(texts) < 2:
        return None
    characters, lines = [], []
    for text in texts:
        rows = text.text.split("\n")
        width, height = math.dist(text.quad[0], text.quad[1]), math.dist(text.quad[1], text.quad[2])
        characters.append(width / max(len(row) for row in rows))
        lines.append(height / len(rows))
    return Labels(
        axis=axis,
        texts=[" ".join(text.text.split()) for text in texts],
        pitch=_pitch(home, axis, len(texts)),
        character=max(characters),
        line=max(lines),
    )


def _pitch(axes: Axes, axis: str, count: int) -> float:
    """Pixels between neighbouring labels: the least, from where the ticks stand in the view."""
    x0, y0, x1, y1 = axes.bbox
    length = x1 - x0 if axis == "x" else y1 - y0
    places = sorted(
        tick.at for tick in (axes.xticks if axis == "x" else axes.yticks) if tick.at is not None and tick.text
    )
    scale = axes.xscale if axis == "x" else axes.yscale
    gaps = [two - one for one, two in pairwise(places) if two > one]
    if scale != "linear" or not gaps:
        return length / max(count, 1)
    # The view is a little wider than from the first label to the last: half a place on either side.
    return length * min(gaps) / (places[-1] - places[0] + min(gaps))


def _free_labels(plan: Plan, figure: Figure, axis: str) -> None:
    """Make room between the labels of an axis, by the first rung that is enough."""
    labels = measure_labels(figure, axis)
    if labels is None:
        return
    gap = bounds.TEXT_OVERLAP_PX + labels.line * 0.2
    if axis == "x":
        _free_x(plan, figure, labels, gap)
    else:
        _free_y(plan, labels, gap)


def _free_x(plan: Plan, figure: Figure, labels: Labels, gap: float) -> None:
    for rung in (_wrap, _slant, _lay_down, _lay_down_thinned, _stand, _thin_x):
        if rung(plan, figure, labels, gap):
            return


def _wrap(plan: Plan, figure: Figure, labels: Labels, gap: float) -> bool:
    """Level labels in a few lines each."""
    places = int((labels.pitch - gap) / labels.character)
    fits = places >= max(labels.longest_word, 4) and labels.lines(places) <= bounds.REPAIR_WRAP_LINES
    if not plan.free(WRAP) or not fits:
        return False
    text = f"The labels on the x axis are broken into lines of at most {places} characters, so that they fit."
    plan.turn("wrap", text, **{WRAP: places})
    return True


def _slant(plan: Plan, figure: Figure, labels: Labels, gap: float) -> bool:
    """Labels at 45 degrees: readable, while they are short and not too near to each other."""
    half = math.sqrt(0.5)
    fits = labels.pitch * half >= labels.line + gap
    fits = fits and labels.length * half <= figure.height * bounds.REPAIR_LABEL_SHARE
    if not plan.free(ROTATION) or not fits:
        return False
    plan.turn("rotate", _turned(45), **{ROTATION: 45}, **_one_line(plan))
    return True


def _lay_down(plan: Plan, figure: Figure, labels: Labels, gap: float, thinned: bool = False) -> bool:
    """Lay the plot on its side, when it can be and its labels then have room; `thinned`: every second of them."""
    option = plan.spec.option_with("swap_axes")
    if option is None or not plan.free(option.name) or plan.value(option.name):
        return False
    rows = figure.height * bounds.REPAIR_PLOT_SHARE / len(labels.texts)
    if labels.length > figure.width * bounds.REPAIR_LABEL_SHARE or rows * (1 + thinned) < labels.line + gap:
        return False
    text = "The plot lies on its side, so that its labels have room."
    plan.turn("flip", text, **{option.name: True}, **_one_line(plan))
    if thinned:
        _thin(plan, "labels on the y axis", 2)
    return True


def _lay_down_thinned(plan: Plan, figure: Figure, labels: Labels, gap: float) -> bool:
    """Half of the labels on a plot that lies: only where upright ones would leave hardly any plot."""
    tall = (
        labels.length > figure.height * bounds.REPAIR_UPRIGHT_SHARE and _lines_for(plan, figure, labels, gap)[WRAP] == 0
    )
    return plan.free(EVERY) and tall and _lay_down(plan, figure, labels, gap, thinned=True)


def _stand(plan: Plan, figure: Figure, labels: Labels, gap: float) -> bool:
    """Upright labels, all of them."""
    if not plan.free(ROTATION) or labels.pitch < labels.line + gap:
        return False
    wrap = _lines_for(plan, figure, labels, gap) if plan.free(WRAP) else {}
    plan.turn("rotate", _turned(90), **{ROTATION: 90}, **wrap)
    return True


def _thin_x(plan: Plan, figure: Figure, labels: Labels, gap: float) -> bool:
    """Fewer labels: level ones, or upright ones where level ones would be too few."""
    if not plan.free(EVERY):
        return False
    upright = math.ceil((labels.line + gap) / labels.pitch)
    level = math.ceil((labels.length + gap) / labels.pitch)
    if plan.free(ROTATION) and upright < level and level > bounds.REPAIR_EVERY_LEVEL:
        plan.turn("rotate", _turned(90), **{ROTATION: 90}, **_one_line(plan))
        level = upright
    _thin(plan, "labels on the x axis", level)
    return True


def _free_y(plan: Plan, labels: Labels, gap: float) -> None:
    """Lines of text above each other: one line each, then fewer."""
    if plan.free(WRAP) and labels.pitch >= labels.line + gap:
        plan.turn("wrap", "The labels on the y axis are written on one line each, so that they fit.", **{WRAP: 0})
        return
    plan.options |= {name: value for name, value in _one_line(plan).items() if plan.value(name) != value}
    _thin(plan, "labels on the y axis", math.ceil((labels.line + gap) / labels.pitch))


def _one_line(plan: Plan) -> dict[str, Any]:
    """The option that writes each label on one line, where it may be set."""
    return {WRAP: 0} if plan.free(WRAP) else {}


def _lines_for(plan: Plan, figure: Figure, labels: Labels, gap: float) -> dict[str, int]:
    """How upright labels are broken so that they leave the plot its room; in as few lines as that takes."""
    room = int(figure.height * bounds.REPAIR_LABEL_SHARE / labels.character)
    fits = int((labels.pitch - gap) / labels.line)
    if plan.free(WRAP) and labels.longest > room and fits > 1:
        for width in range(room, labels.longest_word - 1, -1):
            if labels.lines(width) <= fits:
                return {WRAP: width}
    return {WRAP: 0}


def _thin(plan: Plan, noun: str, every: int) -> None:
    every = max(every, 2) * int(plan.value(EVERY) or 1)
    if plan.free(EVERY):
        text = f"Only every {_ordinal(every)} of the {noun} is written, so that they don't overlap."
        plan.turn("thin", text, **{EVERY: every})


def _every_for(found: dict[str, Any]) -> int:
    """How far labels without an axis are thinned: by half, or further when most of them overlap."""
    return 2 if found["count"] <= found["of"] * 0.75 else 3


def _turned(degrees: int) -> str:
    return f"The labels on the x axis are turned by {degrees}°, so that they don't overlap."


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


# --- title and margins ------------------------------------------------------------------------------


def _shrink_title(plan: Plan, figure: Figure) -> None:
    """A smaller title, down to its floor; the script breaks what is still too long."""
    if not plan.free(TITLE_SIZE):
        return
    titles = [text for text in figure.texts if text.role in TITLES]
    size = float(plan.value(TITLE_SIZE))
    needed = size
    for text in titles:
        xs = [point[0] for point in text.quad]
        over = max(max(xs) - figure.width, -min(xs), 0.0)
        width = max(xs) - min(xs)
        if over and width:
            needed = min(needed, size * (width - over) / width * bounds.REPAIR_TITLE_SLACK)
    if needed == size:  # it touches something else: one step smaller
        needed = size - 2
    smaller = max(math.floor(needed), bounds.TITLE_FLOOR_PT)
    if smaller < size:
        plan.turn("title", f"The title is set in {smaller} points, so that it fits.", **{TITLE_SIZE: smaller})


def _grow_margins(plan: Plan, figure: Figure, sides: dict[str, float]) -> None:
    """Wider margins where texts leave the picture, by what was measured and a little more."""
    if not sides or not plan.free(MARGINS):
        return
    margins = [float(share) for share in plan.value(MARGINS)]
    for number, side in enumerate(SIDES):
        if side in sides:
            length = figure.width if side in ("left", "right") else figure.height
            grown = margins[number] + (sides[side] + bounds.REPAIR_MARGIN_PX) / length
            margins[number] = round(min(grown, bounds.REPAIR_MARGIN_SHARE_MAX), 3)
    named = " and ".join(side for side in SIDES if side in sides)
    plan.turn("margins", f"The margin is wider at the {named}, so that no text is cut off.", **{MARGINS: margins})
