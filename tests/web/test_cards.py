"""The result card tells what happened, of the picture that it shows."""

import pytest

from agents_app.models import Version
from agents_app.web import cards


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
