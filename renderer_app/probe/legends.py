"""Legends: title, entries and box."""

from typing import Any

from renderer_app.probe import plain
from renderer_app.probe.texts import TextCollector


def measure_legend(legend: Any, axes: int | None, texts: TextCollector) -> dict[str, Any] | None:
    """One visible legend; its texts go to the collector. The box is the frame's, as it was drawn."""
    if legend is None or not legend.get_visible():
        return None
    title = legend.get_title()
    shown = title.get_visible() and title.get_text().strip()
    texts.add(title, "legend_title", axes)
    entries = [entry for entry in legend.get_texts() if entry.get_visible()]
    for entry in entries:
        texts.add(entry, "legend", axes)
    # The frame keeps the bounds of the last draw; asking the legend again would search its best place anew.
    x, y, width, height = legend.get_frame().get_bbox().bounds
    return {
        "axes": axes,
        "title": plain.text(title.get_text()) if shown else None,
        "entries": [plain.text(entry.get_text()) for entry in entries[: plain.ENTRIES]],
        "count": len(entries),
        "bbox": plain.px((x, y, x + width, y + height)),
    }
