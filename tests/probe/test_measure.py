"""The probe leaves the figure alone, works at any resolution, and survives what a script may do to it."""

import io
import json

import numpy as np
from matplotlib import pyplot as plt

from renderer_app.probe import measure


def saved(figure, dpi=400):
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=dpi)
    return out.getvalue()


def test_the_figure_is_left_as_it_was():
    figure, axes = plt.subplots(figsize=(8, 4.5))
    axes.bar([f"name {number}" for number in range(30)], range(30), label="bars")
    axes.legend()
    before = saved(figure)
    dpi, size = figure.dpi, tuple(figure.get_size_inches())
    first = measure(figure, width=3200, height=1800)
    second = measure(figure, width=3200, height=1800)
    assert first == second
    assert (figure.dpi, tuple(figure.get_size_inches())) == (dpi, size)
    assert saved(figure) == before
    plt.close(figure)


def test_lengths_are_pixels_of_the_saved_picture_whatever_the_figures_resolution():
    figure, axes = plt.subplots(figsize=(8, 4.5), dpi=100)
    axes.plot([0, 1], [0, 1])
    axes.set_title("Title")
    saved(figure)
    probe = measure(figure, width=3200, height=1800)
    assert probe["canvas"] == {"width": 3200, "height": 1800, "dpi": 400, "figure": [3200, 1800], "page": "#FFFFFF"}
    x0, _, x1, y1 = probe["axes"][0]["bbox"]
    assert (x0, x1) == (400, 2880)
    title = next(text for text in probe["texts"] if text["role"] == "title")
    assert title["quad"][0][1] > y1
    plt.close(figure)


def test_a_broken_artist_costs_only_itself():
    figure, axes = plt.subplots()
    axes.plot([0, 1], [0, 1])
    axes.set_title("Title")
    saved(figure, 100)

    class Broken(type(axes.title)):
        def get_text(self):
            raise RuntimeError("no")

    axes.xaxis.label.__class__ = Broken
    probe = measure(figure, width=640, height=480)
    assert probe["unmeasured"] >= 1
    assert any(text["role"] == "title" for text in probe["texts"])
    plt.close(figure)


def test_numbers_are_finite_whatever_is_drawn():
    figure, axes = plt.subplots()
    axes.plot([0, np.inf, 2, np.nan], [1, 2, -np.inf, 4])
    axes.scatter([1e300, 1], [1, np.nan])
    axes.bar([0, 1], [np.nan, 1e308])
    probe = measure(figure, width=640, height=480)
    json.dumps(probe, allow_nan=False)
    plt.close(figure)


def test_texts_marks_and_entries_are_bounded():
    figure, axes = plt.subplots()
    for number in range(450):
        axes.plot([0, 1], [number, number], label=f"line {number}")
    for number in range(2_100):
        figure.text(0.5, 0.5, f"text {number}")
    axes.legend(loc="upper left")
    probe = measure(figure, width=640, height=480)
    assert len(probe["texts"]) == 2_000
    assert probe["texts_cut"] > 0
    assert len(probe["axes"][0]["marks"]) == 400
    assert probe["marks_total"] == 450
    assert (len(probe["legends"][0]["entries"]), probe["legends"][0]["count"]) == (200, 450)
    assert len(json.dumps(probe)) < 4_000_000
    plt.close(figure)


def test_the_probe_needs_nothing_but_matplotlib_and_numpy():
    import ast
    from pathlib import Path

    import renderer_app.probe

    allowed = {"matplotlib", "numpy", "renderer_app", "math", "collections", "contextlib", "typing"}
    for path in Path(renderer_app.probe.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= allowed, path.name
            assert all(not name.startswith("renderer_app") or name.startswith("renderer_app.probe") for name in names)
