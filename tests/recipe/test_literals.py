"""Any value becomes Python source that means exactly that value."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.recipe.literals import WIDTH, call, literal

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(values)
def test_a_literal_reads_back_as_its_value(value):
    assert ast.literal_eval(literal(value)) == value


@given(st.text(alphabet=st.characters()))
def test_a_text_is_one_line_of_visible_characters(text):
    source = literal(text)
    assert source.isprintable()
    assert source[0] == source[-1] == '"'


def test_what_can_be_seen_stays_as_it_is():
    assert literal("Énergie (GWh) 🐧 漢") == '"Énergie (GWh) 🐧 漢"'


def test_what_can_not_be_seen_is_escaped():
    assert literal("a\u202eb\u200dc\nd\ud800") == '"a\\u202eb\\u200dc\\nd\\ud800"'


def test_a_value_without_a_literal_is_an_error():
    with pytest.raises(TypeError, match="object"):
        literal(object())


def test_a_long_call_has_an_argument_a_line():
    short = call("f", ["1", "2"])
    long = call("f", ["x" * 60, "y" * 60])
    assert short == "f(1, 2)"
    assert long.splitlines() == ["f(", f"    {'x' * 60},", f"    {'y' * 60},", ")"]
    assert all(len(line) <= WIDTH for line in long.splitlines())
