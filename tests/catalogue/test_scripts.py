"""Our scripts keep the catalogue's habits, and their shared blocks and tokens come from one source."""

import ast

import pytest

from agents_app.catalogue import catalogue, eligibility, sections, stamp
from agents_app.catalogue.spec import Spec
from renderer_app import themes

PAIRS = [
    (spec, library) for spec in catalogue.specs() if spec.folder.parent == catalogue.PLOTS for library in spec.libraries
]
each_pair = pytest.mark.parametrize(("spec", "library"), PAIRS, ids=[f"{spec.id}-{library}" for spec, library in PAIRS])
LAYOUT = ("LABEL_WRAP", "LABEL_ROTATION", "LABEL_EVERY", "MARGINS", "TITLE_SIZE")


def constants(script: str) -> dict[str, object]:
    """The option constants of a script with their values."""
    part = sections.section(script, "options")
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and part.start < node.lineno <= part.end
    }


@each_pair
def test_the_script_can_be_adapted(spec: Spec, library: str):
    assert eligibility.reasons(spec, library) == []


@each_pair
def test_the_shared_blocks_are_as_stamped(spec: Spec, library: str):
    script = catalogue.script(spec, library)
    assert stamp.stamped(script, library) == script, "run manage.py catalogue stamp"


@each_pair
def test_the_sections_stand_in_order(spec: Spec, library: str):
    assert tuple(part.name for part in sections.sections(catalogue.script(spec, library))) == sections.SECTIONS


@each_pair
def test_the_script_is_plain(spec: Spec, library: str):
    tree = ast.parse(catalogue.script(spec, library))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Try, ast.Global)
    assert not [node for node in ast.walk(tree) if isinstance(node, kinds)]


@each_pair
def test_every_option_is_declared_with_its_default_and_nothing_else_is(spec: Spec, library: str):
    found = constants(catalogue.script(spec, library))
    declared = {option.name: option for option in spec.options}
    assert list(found) == list(declared)
    for name, value in found.items():
        default = declared[name].default
        assert value == (list(default) if isinstance(default, tuple) else default), name
        assert declared[name].description
        if declared[name].type == "choice":
            assert value in declared[name].choices


@each_pair
def test_the_repair_can_turn_every_layout_option(spec: Spec, library: str):
    # Numbers can't be broken into lines.
    breakable = any("categorical" in role.types for role in spec.roles)
    needed = [name for name in LAYOUT if breakable or name != "LABEL_WRAP"]
    assert [name for name in needed if spec.option(name) is None or spec.option(name).effect != "layout"] == []


@each_pair
def test_every_option_is_used_and_explained(spec: Spec, library: str):
    script = catalogue.script(spec, library)
    part = sections.section(script, "options")
    lines = script.splitlines()
    for option in spec.options:
        line = next(line for line in lines[part.start : part.end] if line.startswith(f"{option.name} = "))
        assert "  # " in line
        uses = [
            node
            for node in ast.walk(ast.parse(script))
            if isinstance(node, ast.Name) and node.id == option.name and isinstance(node.ctx, ast.Load)
        ]
        assert uses, option.name


@each_pair
def test_the_example_frame_has_the_roles_as_columns(spec: Spec, library: str):
    script = catalogue.script(spec, library)
    part = sections.section(script, "data")
    scope: dict[str, object] = {}
    exec("import numpy as np\nimport pandas as pd\n" + "\n".join(script.splitlines()[part.start : part.end]), scope)
    columns = set(scope["df"].columns)
    assert {role.name for role in spec.roles if role.required} <= columns <= {role.name for role in spec.roles}


@each_pair
def test_the_canvas_is_the_one_of_the_specification(spec: Spec, library: str):
    width, height = themes.CANVASES[spec.canvas]
    assert f"figsize=({width / 400:g}, {height / 400:g}), dpi=400" in catalogue.script(spec, library)


@pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_tokens_of_the_block_are_those_of_the_themes(library, name, monkeypatch):
    monkeypatch.setenv("ANYPLOT_THEME", name)
    tokens: dict[str, object] = {}
    block = stamp.theme_block(library).partition("LOOK =")[0]
    exec("import os\n" + block, tokens)
    theme = themes.THEMES[name]
    for token in ("page", "elevated", "ink", "ink_soft", "ink_muted", "rule"):
        assert tokens[token.upper()] == getattr(theme, token)
    assert tuple(tokens["PALETTE"]) == themes.PALETTE
    assert tuple(tokens["FAINT"]) == tuple(color for color in themes.PALETTE if stamp.contrast(color, theme.page) < 3)


def test_contrast_is_that_of_the_standard():
    assert stamp.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert stamp.contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=0.001)


def test_a_script_without_a_heading_can_not_be_stamped():
    with pytest.raises(ValueError, match="Theme"):
        stamp.stamped("print()", "matplotlib")


def test_seaborn_scripts_draw_with_seaborn_where_it_has_the_mark():
    marks = {"scatter-basic": "scatterplot", "box-basic": "boxplot", "bar-basic": "barplot"}
    marks |= {"line-timeseries": "lineplot", "histogram-basic": "histplot"}
    for spec_id, mark in marks.items():
        assert f"sns.{mark}(" in catalogue.script(catalogue.get_spec(spec_id), "seaborn")
    assert any("Seaborn has no pie" in note for note in catalogue.get_spec("pie-basic").notes)
