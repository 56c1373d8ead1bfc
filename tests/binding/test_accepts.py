"""Which columns a role takes."""

import pytest

from agents_app.binding import accepts
from agents_app.catalogue.spec import Role
from anyplot_site import bounds
from tests.binding.plots import column

NUMBER = column("n")
FEW = column("n", distinct=bounds.CATEGORY_NUMBER_VALUES)
YEAR = column("y", kind="year", distinct=60)
DAY = column("d", "date")
WORD = column("w", "category", 4)
TEXT = column("t", "text", 400)
FLAG = column("f", "boolean", 2)


@pytest.mark.parametrize(
    ("type_", "taken", "refused"),
    [
        ("numeric", [NUMBER, FEW, YEAR], [DAY, WORD, TEXT, FLAG]),
        ("datetime", [DAY, YEAR], [NUMBER, FEW, WORD, TEXT, FLAG]),
        ("categorical", [WORD, TEXT, FLAG, DAY, FEW], [NUMBER, YEAR]),
        ("boolean", [FLAG], [NUMBER, FEW, YEAR, DAY, WORD, TEXT]),
        ("any", [NUMBER, FEW, YEAR, DAY, WORD, TEXT, FLAG], []),
    ],
)
def test_roles_take_columns_by_type(type_, taken, refused):
    role = Role("r", (type_,))
    assert [accepts(role, each) for each in taken] == [True] * len(taken)
    assert [accepts(role, each) for each in refused] == [False] * len(refused)


def test_a_role_of_two_types_takes_both():
    role = Role("x", ("numeric", "datetime"))
    assert accepts(role, NUMBER)
    assert accepts(role, DAY)
    assert not accepts(role, WORD)


def test_an_empty_column_suits_no_role():
    assert not accepts(Role("r", ("any",)), column("e", "text", 0, kind="empty"))
