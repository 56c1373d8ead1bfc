"""A plot's own page."""

import pytest

from agents_app.catalogue import catalogue


def pairs() -> list[tuple[str, str]]:
    return [(spec.id, library) for spec in catalogue.specs() for library in spec.libraries]


@pytest.mark.parametrize(("spec", "library"), pairs())
def test_a_page_says_what_the_plot_is_for_and_needs_and_shows_its_code(nobody, spec, library):
    page = nobody.get(f"/plots/{spec}/python/{library}")
    found = catalogue.get_spec(spec)
    assert page.status == 200
    assert found.title in page.text
    assert "".join(found.description.split()) in "".join(page.text.split())
    for role in found.roles:
        assert role.name in page.text
        assert role.description in page.text
    assert "ANYPLOT_THEME" in page.text
    assert "Use with my data" in page.text
    assert f"/agent/?spec={spec}&library={library}&language=python" in page.links


def test_the_script_downloads_as_it_is(nobody):
    answer = nobody.client.get("/plots/scatter-basic/python/matplotlib.py")
    assert answer.content.decode() == catalogue.script(catalogue.get_spec("scatter-basic"), "matplotlib")
    assert 'filename="scatter-basic-matplotlib.py"' in answer["Content-Disposition"]


def test_the_other_library_is_one_click_away(nobody):
    assert "/plots/scatter-basic/python/seaborn" in nobody.get("/plots/scatter-basic/python/matplotlib").links


def test_a_plot_without_a_library_leads_to_its_first(nobody):
    assert (
        nobody.get("/plots/scatter-basic/").response.redirect_chain[-1][0] == "/plots/scatter-basic/python/matplotlib"
    )


@pytest.mark.parametrize(
    "address",
    ["/plots/no-such-plot/python/matplotlib", "/plots/scatter-basic/python/nolib", "/plots/scatter-basic/r/matplotlib"],
)
def test_an_unknown_plot_is_a_page_that_says_so(nobody, address):
    page = nobody.get(address)
    assert page.status == 404
    assert "There is nothing here." in page.text


def test_a_switched_off_agent_hides_adapt(nobody, settings):
    settings.AGENT_ENABLED = False
    page = nobody.get("/plots/scatter-basic/python/matplotlib")
    assert page.status == 200
    assert "Use with my data" not in page.text


def test_a_pair_that_cannot_be_adapted_says_why(nobody, settings, tmp_path):
    folder = tmp_path / "shady-basic"
    scripts = folder / "implementations" / "python"
    scripts.mkdir(parents=True)
    (folder / "specification.md").write_text(
        "# shady-basic: Shady Plot\n\n## Description\nSays nothing.\n\n## Data\n- `x` (numeric) - a number\n"
    )
    (scripts / "matplotlib.py").write_text("import subprocess\nsubprocess.run(['ls'])\n")
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path)]
    page = nobody.get("/plots/shady-basic/python/matplotlib")
    assert page.status == 200
    assert "This one can be read, but not adapted to your data" in page.text
    assert "Use with my data" not in page.text
