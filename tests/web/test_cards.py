"""The result card tells what happened, of the picture that it shows."""

import pytest

from agents_app.models import Artifact, Version
from agents_app.web import cards

COLLIDES = {"id": "G4", "passed": False, "blocking": True, "asked": False, "text": "2 labels overlap."}
DRAWN = {"id": "R1", "passed": True, "blocking": True, "asked": False, "text": "The script ran."}


def again(made, **changes) -> Version:
    """alice's version with some of what a run left in it."""
    Version.objects.filter(pk=made.version.pk).update(**changes)
    return Version.objects.get(pk=made.version.pk)


@pytest.mark.parametrize(
    ("attempts", "options", "asked", "badge"),
    [
        (1, {}, [], ""),
        (2, {}, [], "drawn twice"),
        (2, {"LABEL_WRAP": 12}, [], "repaired once"),
        (2, {"X_SCALE": "log"}, ["X_SCALE"], "drawn twice"),
    ],
)
def test_a_card_says_repaired_only_where_the_repair_was_kept(as_alice, made, attempts, options, asked, badge):
    recipe = made.version.recipe | {"options": options, "asked": asked}
    version = again(made, attempts=attempts, recipe=recipe)
    assert cards.card(version)["drawn"] == badge
    page = as_alice.get(f"/agent/?session={made.session.pk}")
    assert [word for word in ("repaired once", "drawn twice") if word in page.text] == [
        word for word in [badge] if word
    ]


def test_what_an_earlier_version_was_repaired_by_is_no_repair_of_the_next(made):
    made.version.recipe["options"] = {"LABEL_WRAP": 12}
    later = Version(
        session=made.session, number=2, parent=made.version, attempts=2, recipe=made.version.recipe, theme="light"
    )
    assert cards._drawn(later) == "drawn twice"
    later.recipe = {**later.recipe, "options": {"LABEL_WRAP": 12, "LABEL_ROTATION": 45}}
    assert cards._drawn(later) == "repaired once"


def test_a_card_in_its_other_theme_shows_that_themes_verdicts(made):
    version = again(made, gates=[DRAWN, COLLIDES], notes=[COLLIDES["text"], "Kept."], status="needs_attention")
    Artifact.objects.create(version=version, theme="dark", format="png", status="ok", verdicts=[DRAWN])
    light, dark = cards.card(version), cards.card(version, "dark")
    assert (light["status"], light["troubled"], light["gates"]) == ("needs_attention", [COLLIDES], [DRAWN, COLLIDES])
    assert (dark["status"], dark["troubled"], dark["gates"]) == ("ok", [], [DRAWN])
    assert light["notes"] == dark["notes"] == ["Kept."]


def test_a_theme_that_fell_short_does_not_say_that_all_checks_passed(made):
    version = again(made, gates=[DRAWN], status="ok")
    note = {**COLLIDES, "blocking": False}
    Artifact.objects.create(version=version, theme="dark", format="png", status="ok", verdicts=[DRAWN, note])
    assert cards.card(version)["status_words"] == "All checks passed"
    dark = cards.card(version, "dark")
    assert (dark["status_words"], dark["troubled"]) == ("Needs a look", [note])


def test_a_theme_that_could_not_be_drawn_is_badged_failed(as_alice, made):
    Artifact.objects.create(version=made.version, theme="dark", format="png", status="failed", detail="Out of time.")
    page = as_alice.get(f"/agent/?session={made.session.pk}&shown=1-dark")
    assert "No picture in the dark theme. Out of time." in page.text
    assert page.has("span", **{"class": "badge failed"})
