"""Reading plots' folders: ours exactly, foreign ones as far as they can be read."""

from pathlib import Path

import pytest

from agents_app.catalogue import loader
from agents_app.catalogue.spec import ROLE_TYPES

OURS = ("bar-basic", "box-basic", "histogram-basic", "line-timeseries", "pie-basic", "scatter-basic")


def write(folder: Path, markdown: str, yaml: str = "", scripts: tuple[str, ...] = ("matplotlib",)) -> Path:
    """A plot's folder with these specifications and empty scripts."""
    python = folder / "implementations" / "python"
    python.mkdir(parents=True)
    (folder / "specification.md").write_text(markdown, encoding="utf-8")
    if yaml:
        (folder / "specification.yaml").write_text(yaml, encoding="utf-8")
    for library in scripts:
        (python / f"{library}.py").write_text("", encoding="utf-8")
    return folder


def foreign(tmp_path: Path, data: str) -> loader.Spec:
    """The plot of a foreign specification whose data section is this."""
    return loader.load(write(tmp_path / "odd-plot", f"# odd-plot: Odd Plot\n\n## Data\n{data}\n\n## Notes\n- One\n"))


def test_a_foreign_bullet_gives_names_types_and_whether_it_is_needed(tmp_path):
    spec = foreign(tmp_path, "- `x` (numeric) - how far\n- `group` (categorical, optional) — which one")

    x, group = spec.roles
    assert (x.name, x.types, x.required, x.description) == ("x", ("numeric",), True, "how far")
    assert (group.name, group.types, group.required, group.description) == (
        "group",
        ("categorical",),
        False,
        "which one",
    )


def test_several_names_in_one_tick_are_several_roles(tmp_path):
    assert [role.name for role in foreign(tmp_path, "- `x, y` (numeric) - both").roles] == ["x", "y"]


def test_numbered_names_with_dots_are_one_family(tmp_path):
    (role,) = foreign(tmp_path, "- `y1, y2, ...` (numeric) - the series").roles
    assert (role.name, role.family) == ("y", True)


def test_a_role_of_several_types_keeps_them_all(tmp_path):
    (role,) = foreign(tmp_path, "- `x` (numeric or datetime) - either").roles
    assert role.types == ("numeric", "datetime")


def test_prose_that_names_no_type_is_kept_word_for_word(tmp_path):
    spec = foreign(tmp_path, "- whatever comes to hand\n- `x` - a thing\n- `y` (numeric) - fine")
    assert [role.name for role in spec.roles] == ["y"]
    assert spec.unread == ("- whatever comes to hand", "- `x` - a thing")


def test_a_matrix_is_no_column(tmp_path):
    spec = foreign(tmp_path, "- `matrix` (2D array of numeric values) - all of it")
    assert spec.structured == ("matrix",)
    assert spec.roles == ()


def test_a_role_whose_name_could_break_out_of_a_comment_is_not_read(tmp_path):
    spec = foreign(tmp_path, "- `x y` (numeric) - a name with a gap")
    assert spec.roles == ()
    assert spec.unread


def test_notes_and_applications_are_lists_whose_lines_may_go_on(tmp_path):
    markdown = (
        "# odd-plot: Odd\n\n## Applications\n- One thing\n  that goes on\n- Another\n\n## Data\n- `x` (numeric)\n"
    )
    spec = loader.load(write(tmp_path / "odd-plot", markdown))
    assert spec.applications == ("One thing that goes on", "Another")


def test_a_specification_with_another_name_than_its_folder_is_refused(tmp_path):
    with pytest.raises(loader.BadSpec, match="calls itself other-plot"):
        loader.load(write(tmp_path / "odd-plot", "# other-plot: Other\n"))


def test_a_plot_without_a_python_script_is_refused(tmp_path):
    folder = write(tmp_path / "odd-plot", "# odd-plot: Odd\n", scripts=())
    (folder / "implementations" / "r").mkdir()
    (folder / "implementations" / "r" / "ggplot2.R").write_text("library(ggplot2)")
    with pytest.raises(loader.BadSpec, match="no Python script"):
        loader.load(folder)


@pytest.mark.parametrize(
    ("yaml", "sentence"),
    [
        ("roles: [{name: x, types: [colour]}]", "unknown types"),
        ("roles: [{name: x, types: [numeric]}, {name: x, types: [numeric]}]", "named twice"),
        ("roles: [{name: x, types: [numeric]}]\ngrain: [y]", "y is not a role"),
        ("roles: [{name: 'a b', types: [numeric]}]", "can't be called"),
        ("roles: [{name: x, types: [numeric], wrong: 1}]", "wrong"),
        ("roles: []\noptions: [{name: A, type: colour, default: 1}]", "unknown type"),
        ("roles: []\ncanvas: round", "unknown canvas"),
        ("- just a list", "no mapping"),
    ],
)
def test_a_yaml_that_contradicts_itself_is_refused_with_the_reason(tmp_path, yaml, sentence):
    with pytest.raises(loader.BadSpec, match=sentence):
        loader.load(write(tmp_path / "odd-plot", "# odd-plot: Odd\n", yaml))


def test_ours_are_all_there_in_both_libraries():
    from agents_app.catalogue import catalogue

    found = {spec.id: spec for spec in catalogue.specs()}
    assert set(OURS) <= set(found)
    for spec_id in OURS:
        spec = found[spec_id]
        assert spec.libraries == ("matplotlib", "seaborn")
        assert all((spec.description, spec.applications, spec.notes, spec.title_pattern))
        assert all(role.description and set(role.types) <= set(ROLE_TYPES) for role in spec.roles)
        # The bullets for people and the YAML for us name the same roles.
        bullets, unread, structured = loader._foreign_roles(
            loader._sections((spec.folder / "specification.md").read_text())["data"]
        )
        assert [(role.name, role.types, role.required) for role in bullets] == [
            (role.name, role.types, role.required) for role in spec.roles
        ]
        assert (unread, structured) == ((), ())
