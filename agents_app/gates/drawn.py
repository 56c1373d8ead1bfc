"""G1: something is drawn. The sandbox's claim is held against the picture."""

from agents_app.gates import overlap
from agents_app.gates.evidence import Evidence
from agents_app.gates.measurements import Axes, Figure, Mark
from agents_app.gates.verdict import Verdict
from anyplot_site import bounds

# A text or legend of the figure that lies in the data area is no data ink.
COVERING_ROLES = ("annotation", "legend", "legend_title", "xtick", "ytick")


def something_is_drawn(evidence: Evidence) -> Verdict:
    """G1: marks exist and lie in the view, the picture has ink, and the data area is not bare.

    `measured` is the share of the picture that is not the page.
    """
    figure, decoded = evidence.figure, evidence.decoded
    share = round(decoded.ink_share, 5)
    if figure is None:
        return Verdict("G1", False, True, "The drawn figure could not be measured.", share, bounds.INK_SHARE_MIN)
    marks = sum(mark.count for mark in figure.marks)
    inside = sum(mark.inside for mark in figure.marks)
    off = max(abs(figure.width - decoded.width), abs(figure.height - decoded.height))
    ink = data_ink(evidence, figure)
    bare = ink < bounds.DATA_INK_PX and not all(_is_flat(mark) for mark in figure.marks)
    complaints = (
        (off > bounds.CANVAS_PAD_PX, "The measured figure and the picture have different sizes."),
        (marks == 0, "Nothing is drawn: the figure has no marks."),
        (inside == 0, "Nothing is drawn inside the axes: all marks lie outside the visible range."),
        (share < bounds.INK_SHARE_MIN, f"The picture is almost empty: {share:.2%} of it is drawn on."),
        (bare, "The marks can't be seen: the data area of the picture is bare."),
    )
    complaint = next((text for wrong, text in complaints if wrong), "")
    praise = f"{marks:,} mark{'s' * (marks != 1)} drawn; {share:.1%} of the picture has ink."
    details = {"marks": marks, "inside": inside, "data_ink_px": ink}
    return Verdict("G1", not complaint, True, complaint or praise, share, bounds.INK_SHARE_MIN, details=details)


def data_ink(evidence: Evidence, figure: Figure) -> int:
    """Pixels that stand out in the axes that hold marks, texts and legends left aside."""
    covered = [overlap.box(text.quad) for text in figure.texts if text.role in COVERING_ROLES]
    covered += [legend.bbox for legend in figure.legends if legend.bbox]
    return sum(evidence.decoded.data_ink_px(axes.bbox, list(covered)) for axes in figure.axes if _has_marks(axes))


def _has_marks(axes: Axes) -> bool:
    return any(not mark.reference for mark in axes.marks)


def _is_flat(mark: Mark) -> bool:
    """Bars that all stand for zero have no ink of their own, and are right."""
    lengths = [mark.summary.get(name, {}) for name in ("width", "height")]
    return mark.kind == "bars" and any(length.get("min") == length.get("max") == 0 for length in lengths)
