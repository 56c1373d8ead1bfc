"""Figures drawn and saved as the harness does it, then measured."""

import io
import json
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from renderer_app.probe import measure

mpl.use("Agg")


class Drawn:
    """A saved figure: its measurements and its picture as an array of rows from the top, RGB."""

    def __init__(self, figure: Any) -> None:
        self.figure = figure
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=400)
        self.pixels = np.asarray(Image.open(out).convert("RGB"))
        height, width = self.pixels.shape[:2]
        self.probe = measure(figure, width=width, height=height)

    @property
    def marks(self) -> list[dict[str, Any]]:
        """All marks of all axes."""
        return [mark for axes in self.probe["axes"] for mark in axes["marks"]]

    def texts(self, role: str) -> list[dict[str, Any]]:
        """The texts that play a role."""
        return [text for text in self.probe["texts"] if text["role"] == role]


@pytest.fixture
def draw() -> Any:
    """Draw with a function of (figure, axes), save at 400 dpi and measure; JSON-safe is asserted for each."""

    def drawn(function: Callable[..., Any], **options: Any) -> Drawn:
        figure, axes = plt.subplots(figsize=(8, 4.5), **options)
        function(figure, axes)
        result = Drawn(figure)
        json.dumps(result.probe, allow_nan=False)
        return result

    yield drawn
    plt.close("all")
    mpl.rcdefaults()
