"""Finding plots, ours and those of a folder beside ours."""

import pytest

from agents_app.catalogue import catalogue
from agents_app.refusals import NotFound
from anyplot_site import bounds

from .test_loader import write

SEVENTH = """
spec_id: strip-plain
title: Plain Strip
family: distribution
roles:
  - {name: value, types: [numeric], description: Where a point stands.}
axes: {"x": value}
title_pattern: "{value}"
"""


@pytest.fixture
def foreign_folder(tmp_path, settings):
    """A catalogue folder with one plot, beside ours."""
    write(tmp_path / "plots" / "strip-plain", "# strip-plain: Plain Strip\n\n## Description\nPebbles.\n", SEVENTH)
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path / "plots")]
    return tmp_path / "plots"


def test_a_seventh_plot_in_a_folder_is_listed_found_and_got(foreign_folder):
    assert "strip-plain" in [spec.id for spec in catalogue.specs()]
    assert [spec.id for spec in catalogue.search("pebbles")] == ["strip-plain"]
    assert catalogue.get_spec("strip-plain").role("value").types == ("numeric",)


def test_a_foreign_plot_stands_behind_ours_in_its_family(foreign_folder):
    family = [spec.id for spec in catalogue.search(family="distribution")]
    assert family == ["box-basic", "histogram-basic", "strip-plain"]


def test_a_foreign_plot_never_takes_the_id_of_one_of_ours(foreign_folder):
    write(foreign_folder / "bar-basic", "# bar-basic: Impostor\n")
    assert catalogue.get_spec("bar-basic").title == "Basic Bar Chart"


def test_a_bad_folder_hides_nothing_but_itself(foreign_folder):
    write(foreign_folder / "broken-one", "# broken-one: Broken\n", "roles: 7")
    write(foreign_folder / "broken-two", "# broken-two: Broken\n", "roles: [{name: x, types: [odd]}]")
    ids = [spec.id for spec in catalogue.specs()]
    assert "strip-plain" in ids
    assert not {"broken-one", "broken-two"} & set(ids)


def test_a_plot_that_is_added_is_seen_at_the_next_look(foreign_folder, monkeypatch):
    before = len(catalogue.specs())
    write(foreign_folder / "new-one", "# new-one: New\n")
    catalogue.forget()
    assert len(catalogue.specs()) == before + 1
    write(foreign_folder / "new-two", "# new-two: New\n")
    monkeypatch.setattr(bounds, "CATALOGUE_LOOK_S", 0)
    assert len(catalogue.specs()) == before + 2


def test_the_folders_are_not_read_at_every_question(foreign_folder, monkeypatch):
    monkeypatch.setattr(bounds, "CATALOGUE_LOOK_S", 3_600)
    catalogue.forget()
    looks = []
    stamp = catalogue._stamp
    monkeypatch.setattr(catalogue, "_stamp", lambda folder: looks.append(folder) or stamp(folder))
    for _ in range(3):
        assert catalogue.get_spec("strip-plain")
    assert looks == [catalogue.PLOTS, foreign_folder]


def test_a_folder_that_is_not_there_is_empty(settings, tmp_path):
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path / "nowhere")]
    assert catalogue.get_spec("pie-basic")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"q": "PENGUIN"}, []),
        ({"q": "time series"}, ["line-timeseries"]),
        ({"q": "share industries"}, ["pie-basic"]),
        ({"family": "line"}, ["line-timeseries"]),
        ({"library": "plotters"}, []),
    ],
)
def test_search_wants_every_word_and_filters(query, expected):
    assert [spec.id for spec in catalogue.search(**query)] == expected


def test_what_is_not_there_is_a_sentence():
    with pytest.raises(NotFound, match="no plot called “nope”"):
        catalogue.get_spec("nope")
    with pytest.raises(NotFound, match="no python script for ggplot2"):
        catalogue.script(catalogue.get_spec("bar-basic"), "ggplot2")
    with pytest.raises(NotFound, match="no r script"):
        catalogue.script(catalogue.get_spec("bar-basic"), "matplotlib", "r")


def test_a_foreign_plot_has_no_preview(foreign_folder):
    assert catalogue.preview_path(catalogue.get_spec("strip-plain"), "matplotlib", "light", 640) is None


def test_json_shapes_are_those_of_the_api():
    spec = catalogue.get_spec("scatter-basic")
    assert {"name", "types", "required", "family", "aggregate", "description"} <= spec.role("x").as_json().keys()
    option = spec.option("MARGINS").as_json()
    assert option["default"] == [0.02, 0.02, 0.02, 0.02]
    assert {"name", "type", "default", "choices", "description"} == option.keys()
