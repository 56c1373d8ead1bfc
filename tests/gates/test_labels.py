"""G8: the bound columns are named."""

import pandas as pd
import pytest

from agents_app.gates.labels import names_the_columns, same_text
from agents_app.recipe.recipe import Recipe
from tests.gates.figures import Values, probe, text

EXPECTED = {"title": "Value by category", "x": "Category", "y": "Value (€)", "legend": ""}
GROUPED = Recipe("hand-made", "matplotlib", {"category": "c", "value": "v", "group": "g"})
FRAME = pd.DataFrame({"category": ["a", "b", "c"], "value": [1.0, 2.0, 3.0], "group": ["Nord", "Süd", "Nord"]})
ROWS = {"total": 3, "used": 3, "dropped": 0, "reasons": []}


def legend(*entries, title="Group"):
    return [{"axes": 0, "title": title, "entries": list(entries), "count": len(entries), "bbox": [0, 0, 10, 10]}]


def test_g8_is_silent_when_everything_is_named(evidence):
    assert names_the_columns(evidence(expected=EXPECTED)).passed


@pytest.mark.parametrize(
    ("place", "shown", "said"),
    [
        ("xlabel", "", "The x axis has no label: “Category” was expected."),
        ("ylabel", "Value", "The y axis says “Value” instead of “Value (€)”."),
        ("title", "", "The title is missing: “Value by category” was expected."),
        ("title", "An example", "The title says “An example” instead of “Value by category”."),
    ],
)
def test_g8_says_which_text_is_wrong(evidence, place, shown, said):
    verdict = names_the_columns(evidence(probe=probe(axes={place: shown}), expected=EXPECTED))
    assert not verdict.passed
    assert verdict.text == said


def test_g8_fires_when_the_axes_are_named_the_wrong_way_round(evidence):
    crossed = probe(axes={"xlabel": "Value (€)", "ylabel": "Category"})
    assert names_the_columns(evidence(probe=crossed, expected=EXPECTED)).measured == 2


def test_g8_does_not_mind_wrapping(evidence):
    wrapped = probe(axes={"title": "Value\nby category", "ylabel": "Value\n(€)"})
    assert names_the_columns(evidence(probe=wrapped, expected=EXPECTED)).passed


def test_g8_takes_the_figures_own_title_and_shared_labels(evidence):
    bare = probe(axes={"title": "", "xlabel": ""})
    bare |= {"figure_title": "Value by category", "shared_labels": {"xlabel": ["Category"], "ylabel": []}}
    assert names_the_columns(evidence(probe=bare, expected=EXPECTED)).passed


def test_an_axis_without_an_expected_text_is_not_judged(evidence):
    assert names_the_columns(evidence(expected={"title": "", "x": "", "y": "", "legend": ""})).passed


@pytest.mark.parametrize(
    ("shown", "expected", "same"),
    [
        ("Energie-\nträger", "Energie- träger", True),
        ("a  b\nc", "a b c", True),
        ("Renewable ener…", "Renewable energy of all kinds", True),
        ("…", "Renewable energy", False),
        ("5 \\$", "5 $", True),
        ("Revenue", "revenue", False),
        ("Revenue", "Revenue 2", False),
    ],
)
def test_texts_are_the_same_but_for_breaks_and_ellipses(shown, expected, same):
    assert same_text(shown, expected) is same


def grouped(evidence, **figure):
    expected = EXPECTED | {"legend": "Group"}
    return names_the_columns(
        evidence(probe=probe(**figure), expected=expected, recipe=GROUPED, prepared=Values(FRAME, ROWS))
    )


def test_g8_is_silent_on_a_legend_with_an_entry_for_each_group(evidence):
    assert grouped(evidence, legends=legend("Süd", "Nord")).passed


def test_a_legend_may_list_other_things_too(evidence):
    assert grouped(evidence, legends=legend("Group", "Nord", "Süd", "Size", "3", title="")).passed


def test_g8_counts_the_entries_of_a_legend(evidence):
    missing = grouped(evidence, legends=legend("Nord"))
    assert missing.text == "The legend has 1 entry for 2 groups."
    assert grouped(evidence, legends=legend("Nord", "Nord", "Süd")).text == "The legend has 3 entries for 2 groups."


def test_g8_fires_when_nothing_tells_the_groups_apart(evidence):
    verdict = grouped(evidence)
    assert "Nothing says which color is which" in verdict.text


def test_labels_beside_the_marks_serve_as_a_legend(evidence):
    beside = [text("Nord\n66.7 %", "annotation", 900, 900), text("Süd\n33.3 %", "annotation", 1500, 900)]
    verdict = grouped(evidence, texts=beside, legends=legend(title="Group"))
    assert verdict.passed


def test_one_group_needs_no_legend(evidence):
    frame = FRAME.assign(group="Nord")
    given = evidence(expected=EXPECTED, recipe=GROUPED, prepared=Values(frame, ROWS))
    assert names_the_columns(given).passed
