"""Texts are found where their ink is, however they are turned, and only those that can be seen."""

import numpy as np
import pytest


def ink_box(pixels, background=255):
    """x0, y0, x1, y1 of everything that is not white, origin bottom left."""
    rows, columns = np.nonzero((pixels < background - 60).any(axis=2))
    height = pixels.shape[0]
    return columns.min(), height - rows.max() - 1, columns.max() + 1, height - rows.min()


@pytest.mark.parametrize("rotation", [0, 30, 45, 90, 135, 270])
@pytest.mark.parametrize("text", ["Energieträger", "two\nlines gym", "ace"])
def test_a_quad_holds_its_ink_and_little_more(draw, rotation, text):
    def lone_text(figure, axes):
        axes.axis("off")
        figure.text(0.5, 0.5, text, rotation=rotation, ha="center", va="center", fontsize=20)

    drawn = draw(lone_text)
    (found,) = drawn.texts("annotation")
    xs, ys = [p[0] for p in found["quad"]], [p[1] for p in found["quad"]]
    x0, y0, x1, y1 = ink_box(drawn.pixels)
    assert min(xs) <= x0 + 2
    assert max(xs) >= x1 - 2
    assert min(ys) <= y0 + 2
    assert max(ys) >= y1 - 2
    line = 20 / 72 * 400
    if rotation % 90 == 0:  # a turned box's upright hull is larger than its ink by nature
        assert x0 - min(xs) < 0.2 * line
        assert max(xs) - x1 < 0.2 * line
        assert y0 - min(ys) < 0.2 * line
        assert max(ys) - y1 < 0.2 * line
    assert found["rotation"] == rotation


def test_texts_have_their_roles_sizes_and_colors(draw):
    def labelled(figure, axes):
        axes.plot([0, 1], [0, 1], label="first")
        axes.set_title("Title", color="#009E73", fontsize=12)
        axes.set_xlabel("across")
        axes.set_ylabel("up")
        axes.legend(title="Kind")
        axes.annotate("note", (0.5, 0.5))
        figure.suptitle("Whole")

    drawn = draw(labelled)
    by_role = {role: [text["text"] for text in drawn.texts(role)] for role in ("title", "suptitle", "xlabel", "ylabel")}
    assert by_role == {"title": ["Title"], "suptitle": ["Whole"], "xlabel": ["across"], "ylabel": ["up"]}
    assert [text["text"] for text in drawn.texts("legend")] == ["first"]
    assert [text["text"] for text in drawn.texts("legend_title")] == ["Kind"]
    assert [text["text"] for text in drawn.texts("annotation")] == ["note"]
    (title,) = drawn.texts("title")
    assert (title["color"], title["size_pt"], title["axes"]) == ("#009E73", 12, 0)
    (legend,) = drawn.probe["legends"]
    assert (legend["title"], legend["entries"], legend["count"]) == ("Kind", ["first"], 1)
    axes = drawn.probe["axes"][0]
    assert (axes["title"], axes["xlabel"], axes["ylabel"]) == ("Title", "across", "up")
    assert drawn.probe["figure_title"] == "Whole"


def test_only_what_can_be_seen_is_measured(draw):
    def mostly_hidden(figure, axes):
        axes.plot([0, 1], [0, 1], label="hidden entry")
        axes.set_title("hidden", visible=False)
        axes.set_xlabel("transparent", alpha=0)
        axes.set_ylabel("   ")
        axes.legend().set_visible(False)
        axes.annotate("points at nothing in the view", (5, 5), xycoords="data")
        axes.text(30, 30, "clipped away", clip_on=True)
        other = figure.add_axes([0.4, 0.4, 0.2, 0.2])
        other.set_title("of hidden axes")
        other.set_visible(False)

    drawn = draw(mostly_hidden)
    assert {text["role"] for text in drawn.probe["texts"]} == {"xtick", "ytick"}
    assert drawn.probe["legends"] == []


def test_ticks_outside_the_view_are_not_there(draw):
    def narrowed(figure, axes):
        axes.bar(["a", "b", "c", "d"], [1, 2, 3, 4])
        axes.set_xlim(0.5, 2.5)

    drawn = draw(narrowed)
    assert [text["text"] for text in drawn.texts("xtick")] == ["b", "c"]
    assert drawn.probe["axes"][0]["xticks"] == [{"at": 1.0, "text": "b"}, {"at": 2.0, "text": "c"}]


def test_thinned_labels_leave_their_ticks_without_text(draw):
    def thinned(figure, axes):
        axes.bar(["a", "b", "c", "d"], [1, 2, 3, 4])
        for number, label in enumerate(axes.get_xticklabels()):
            label.set_visible(number % 2 == 0)

    drawn = draw(thinned)
    assert [text["text"] for text in drawn.texts("xtick")] == ["a", "c"]
    assert [tick["text"] for tick in drawn.probe["axes"][0]["xticks"]] == ["a", "", "c", ""]


def test_a_second_legend_of_an_axes_is_a_legend(draw):
    def two_legends(figure, axes):
        (line,) = axes.plot([0, 1], [0, 1])
        axes.add_artist(axes.legend([line], ["groups"], loc="upper left", title="One"))
        axes.legend([line], ["sizes"], loc="lower right", title="Two")

    drawn = draw(two_legends)
    assert sorted(legend["title"] for legend in drawn.probe["legends"]) == ["One", "Two"]
    assert drawn.texts("annotation") == []


def test_a_table_and_subfigures_are_read(draw):
    def composed(figure, axes):
        axes.table(cellText=[["cell"]], loc="bottom")
        part = figure.subfigures(1, 1)
        part.suptitle("of a part")

    drawn = draw(composed)
    assert [text["text"] for text in drawn.texts("annotation")] == ["cell"]
    assert [text["text"] for text in drawn.texts("suptitle")] == ["of a part"]
