"""Which plots fit a table, and the words for it."""

from pathlib import Path

import pytest

from agents_app import intake
from agents_app.binding import fits
from agents_app.catalogue.catalogue import get_spec, specs
from tests.binding.plots import BAR, LINE, PIE, SCATTER, column, spec
from tests.binding.plots import SERIES as FAMILY

DATA = Path(__file__).parent.parent / "data"


def ranked(file: str) -> list[str]:
    columns = [found.as_json() for found in intake.read((DATA / file).read_bytes()).columns]
    found = [(fits(one, columns), one.id) for one in specs()]
    return [name for fit, name in sorted(found, key=lambda pair: -pair[0].score) if fit.ok]


@pytest.mark.parametrize(
    ("file", "best"),
    [
        ("H01_penguins.csv", "scatter-basic"),
        ("H02_seattle_weather.csv", "line-timeseries"),
        ("H04_unemployment.tsv", "histogram-basic"),
        ("H05_co2_titled.csv", "line-timeseries"),
        ("H07_income_usd.csv", "scatter-basic"),
        ("H10_shares_percent.csv", "pie-basic"),
        ("H12_obesity.md", "bar-basic"),
        ("H16_strikes_us.csv", "line-timeseries"),
        ("H20_crime.html", "bar-basic"),
    ],
)
def test_the_plot_that_a_table_calls_for_comes_first(file, best):
    assert ranked(file)[0] == best


def test_a_fit_says_in_words_what_it_uses():
    columns = [column("species", "category", 3), column("a"), column("b")]
    fit = fits(get_spec("scatter-basic"), columns)
    assert fit.ok
    assert fit.reason == "2 numbers, 1 category: scatter"
    assert 0 < fit.score <= 1
    assert fit.bindings == {"x": "a", "y": "b", "category": "species"}


@pytest.mark.parametrize(
    ("plot", "columns", "reason"),
    [
        (LINE, [column("a")], "needs a date column"),
        (SCATTER, [column("a")], "needs another number column"),
        (SCATTER, [column("w", "category", 3)], "needs 2 numbers"),
        (SCATTER, [column("id", kind="id")], "needs 2 numbers"),
        (BAR, [column("a")], "needs a category"),
        (PIE, [column("a"), column("state", "category", 51)], "needs a category with at most 8 values"),
        (LINE, [column("w", "category", 3)], "needs a date column and a number column"),
        (spec(FAMILY), [column("w", "category", 3)], "needs columns of numbers"),
    ],
)
def test_what_is_missing_is_said(plot, columns, reason):
    fit = fits(plot, columns)
    assert not fit.ok
    assert fit.reason == reason
    assert fit.score == 0


def test_a_box_for_every_single_row_is_a_poor_fit():
    columns = [column("state", "category", 50), column("rate")]
    assert fits(get_spec("box-basic"), columns).score < fits(get_spec("bar-basic"), columns).score


def test_an_empty_table_fits_nothing():
    assert not any(fits(one, []).ok for one in specs())
