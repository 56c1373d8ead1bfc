"""The whole figure, measured."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib import dates as mdates
from matplotlib.legend import Legend

from renderer_app.probe import plain
from renderer_app.probe.legends import measure_legend
from renderer_app.probe.marks import MarkReader
from renderer_app.probe.texts import TextCollector

NOT_MARKS = ("reference",)


def measure(figure: Any, *, width: int, height: int) -> dict[str, Any]:
    """Measure a figure right after it was saved as a picture of `width` x `height` pixels.

    Lengths are pixels of that picture, origin bottom left; values are in data units. The figure is left as it
    was. Nothing is drawn: the positions of the saving draw are read, with the text metrics that it cached.
    Everything is finite, bounded and JSON-safe; artists that could not be read are counted as `unmeasured`.
    """
    dpi = width / figure.get_figwidth()
    with _at_dpi(figure, dpi):
        return _measure(figure, width, height, dpi)


@contextmanager
def _at_dpi(figure: Any, dpi: float) -> Iterator[None]:
    """The figure at its saving resolution, and back: saving restores the resolution of the screen."""
    before = figure.dpi
    if before == dpi:
        yield
        return
    figure._set_dpi(dpi, forward=False)
    try:
        yield
    finally:
        figure._set_dpi(before, forward=False)


def _measure(figure: Any, width: int, height: int, dpi: float) -> dict[str, Any]:
    texts = TextCollector(figure._get_renderer())
    legends: list[dict[str, Any]] = []
    title, shared = _figure_texts(figure, texts, legends)
    budget = plain.Budget()
    axes_found: list[dict[str, Any]] = []
    unmeasured = 0
    for index, axes in enumerate(_all_axes(figure)):
        try:
            if axes.get_visible():
                axes_found.append(_measure_axes(axes, index, budget, texts, legends))
        except Exception:  # the other axes are still worth measuring
            unmeasured += 1
    for part in _figures(figure):
        others = [artist for artist in part.artists if not isinstance(artist, Legend)]
        texts.add_all(iter([*part.texts, *others]), "annotation", None)
    return {
        "canvas": {
            "width": width,
            "height": height,
            "dpi": plain.number(dpi, 4),
            "figure": plain.px((figure.get_figwidth() * dpi, figure.get_figheight() * dpi)),
            "page": plain.color(figure.get_facecolor()),
        },
        "figure_title": title,
        "shared_labels": shared,
        "axes": axes_found,
        "texts": texts.found,
        "texts_cut": texts.cut,
        "legends": legends,
        "marks_total": sum(
            axes["marks_uncounted"] + sum(mark["count"] for mark in axes["marks"] if mark["kind"] not in NOT_MARKS)
            for axes in axes_found
        ),
        "unmeasured": unmeasured + texts.unmeasured + sum(axes["unmeasured"] for axes in axes_found),
    }


def _figure_texts(
    figure: Any, texts: TextCollector, legends: list[dict[str, Any]]
) -> tuple[str | None, dict[str, list[str]]]:
    """The figure's own title, and the axis labels that its axes share."""
    title = None
    shared: dict[str, list[str]] = {"xlabel": [], "ylabel": []}
    for part in _figures(figure):
        for artist, role in ((part._suptitle, "suptitle"), (part._supxlabel, "xlabel"), (part._supylabel, "ylabel")):
            if artist is None or not artist.get_visible() or not artist.get_text().strip():
                continue
            texts.add(artist, role, None)
            if role in shared:
                shared[role].append(plain.text(artist.get_text()))
            elif title is None:
                title = plain.text(artist.get_text())
        for legend in part.legends:
            if found := measure_legend(legend, None, texts):
                legends.append(found)
    return title, shared


def _measure_axes(
    axes: Any, index: int, budget: plain.Budget, texts: TextCollector, legends: list[dict[str, Any]]
) -> dict[str, Any]:
    """One axes with its marks; its texts and legends go where those of the whole figure are."""
    reader = MarkReader(axes, budget)
    marks = reader.read()
    found = {**_describe(axes, index), **_axis_texts(axes, index, texts), "marks": marks}
    # A second legend of an axes is one of its artists.
    for legend in (axes.get_legend(), *(artist for artist in axes.artists if isinstance(artist, Legend))):
        if described := measure_legend(legend, index, texts):
            legends.append(described)
    others = [artist for artist in axes.artists if not isinstance(artist, Legend)]
    texts.add_all(iter([*axes.texts, *axes.tables, *others]), "annotation", index)
    return {**found, "marks_uncounted": reader.uncounted, "unmeasured": reader.unmeasured}


def _figures(figure: Any) -> Iterator[Any]:
    """The figure and its subfigures."""
    yield figure
    for part in figure.subfigs:
        yield from _figures(part)


def _all_axes(figure: Any) -> Iterator[Any]:
    """Every axes, insets included."""
    for axes in figure.axes:
        yield axes
        yield from axes.child_axes


def _describe(axes: Any, index: int) -> dict[str, Any]:
    box = axes.bbox
    face = axes.patch.get_facecolor() if axes.patch.get_visible() else None
    return {
        "index": index,
        "bbox": plain.px((box.x0, box.y0, box.x1, box.y1)),
        "polar": axes.name == "polar",
        "colorbar": getattr(axes, "_colorbar", None) is not None,
        "frame": bool(axes.axison),
        "face": plain.color(face) if face is not None else None,
        "xscale": axes.get_xscale(),
        "yscale": axes.get_yscale(),
        "xlim": [plain.number(value) for value in axes.get_xlim()],
        "ylim": [plain.number(value) for value in axes.get_ylim()],
        "xunits": _units(axes.xaxis),
        "yunits": _units(axes.yaxis),
    }


def _units(axis: Any) -> str | None:
    """`date`, `category` or None for plain numbers."""
    if isinstance(axis.get_major_locator(), mdates.DateLocator | mdates.AutoDateLocator):
        return "date"
    converter = type(axis.get_converter()).__name__
    if converter == "StrCategoryConverter":
        return "category"
    return "date" if "Date" in converter else None


def _axis_texts(axes: Any, index: int, texts: TextCollector) -> dict[str, Any]:
    """Title, axis labels and the tick labels that the draw showed; texts of hidden axes are not there."""
    found: dict[str, Any] = {"title": None, "xlabel": None, "ylabel": None, "xticks": [], "yticks": []}
    for title in (axes.title, axes._left_title, axes._right_title):
        texts.add(title, "title", index)
        if title.get_visible() and title.get_text().strip() and found["title"] is None:
            found["title"] = plain.text(title.get_text())
    if not axes.axison:
        return found
    for letter, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if not axis.get_visible():
            continue
        texts.add(axis.label, f"{letter}label", index)
        if axis.label.get_visible() and axis.label.get_text().strip():
            found[f"{letter}label"] = plain.text(axis.label.get_text())
        texts.add(axis.offsetText, f"{letter}tick", index)
        # The ticks that the draw showed: those inside the view.
        ticks = axis._update_ticks()
        for tick in ticks[: plain.TICKS]:
            if not tick.get_visible():
                continue
            for label in (tick.label1, tick.label2):
                texts.add(label, f"{letter}tick", index)
            shown = tick.label1 if tick.label1.get_visible() else tick.label2
            found[f"{letter}ticks"].append(
                {
                    "at": plain.number(tick.get_loc()),
                    "text": plain.text(shown.get_text()) if shown.get_visible() else "",
                }
            )
    return found
