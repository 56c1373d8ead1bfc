"""Recipe and script become a `plot.py` that a person would keep (CA3)."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_app import intake
from agents_app.catalogue import catalogue, eligibility, rules, sections
from agents_app.recipe import adapter, build, operations, transforms
from agents_app.refusals import Invalid

from .columns import column, run_loader, table

GOLDEN = Path(__file__).parent / "golden"
PAIRS = [(spec.id, library) for spec in catalogue.specs() for library in spec.libraries]


def adapted(spec_id: str, library: str, bindings: dict, columns: list[dict], wishes: tuple = (), **changes: object):
    """The adapted script of a new plot after some wishes."""
    spec = catalogue.get_spec(spec_id)
    recipe = build.initial(spec, library, bindings, columns, "light")
    recipe = operations.apply(recipe, list(wishes), spec, columns).recipe.with_(**changes)
    return adapter.adapt(recipe, catalogue.script(spec, library), spec, columns)


def constants(script: str) -> dict[str, object]:
    """The option constants of a script."""
    part = sections.section(script, "options")
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and part.start < node.lineno <= part.end
    }


def between(script: str, first: str, last: str) -> str:
    """The lines from one section's heading to the next one's end."""
    lines = sections.source_lines(script)
    return "\n".join(lines[sections.section(script, first).start : sections.section(script, last).end]) + "\n"


@pytest.mark.parametrize(
    ("name", "file", "spec_id", "library", "bindings", "wishes"),
    [
        (
            "bar",
            "H03_strom_de.csv",
            "bar-basic",
            "matplotlib",
            {"category": "Energieträger", "value": "Erzeugung (GWh)"},
            (
                {"op": "limit", "n": 2, "others": True},
                {"op": "set_title", "text": "Strom"},
                {"op": "theme", "value": "dark"},
            ),
        ),
        (
            "scatter",
            "H01_penguins.csv",
            "scatter-basic",
            "seaborn",
            {"x": "bill_length_mm", "y": "bill_depth_mm", "category": "sex"},
            (),
        ),
        (
            "line",
            "H02_seattle_weather.csv",
            "line-timeseries",
            "matplotlib",
            {"date": "date", "value": "temp_max"},
            ({"op": "set_scale", "axis": "y", "scale": "symlog"},),
        ),
    ],
)
def test_the_script_reads_as_if_written_by_hand(name, file, spec_id, library, bindings, wishes, data_dir):
    read = intake.read((data_dir / file).read_bytes(), file_name=file)
    columns = [column.as_json() for column in read.columns]
    spec = catalogue.get_spec(spec_id)
    recipe = operations.apply(build.initial(spec, library, bindings, columns, "light"), list(wishes), spec, columns)
    prepared = transforms.apply_transforms(intake.read_canonical(read.data_csv, columns), recipe.recipe)
    script = adapter.adapt(prepared.recipe, catalogue.script(spec, library), spec, columns).plot_py

    head = script.partition("# --- Theme ---")[0]
    assert head + between(script, "data", "options") == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize(("spec_id", "library"), PAIRS)
def test_the_run_form_has_the_placeholder_exactly_once_and_nothing_else_changed(spec_id, library):
    script = catalogue.script(catalogue.get_spec(spec_id), library)
    run = adapter.run_form(script)
    assert rules.placeholder_count(ast.parse(run)) == 1
    part = sections.section(script, "data")
    lines, run_lines = script.split("\n"), run.split("\n")
    assert run_lines[: part.start + 1] == lines[: part.start + 1]
    assert run_lines[part.start + 1] == adapter.PLACEHOLDER
    assert run_lines[part.start + 2 :] == lines[part.end - 1 :]


def test_a_script_without_a_data_section_has_no_run_form():
    with pytest.raises(Invalid, match="no data section"):
        adapter.run_form("df = 1\n")


def test_everything_but_data_options_theme_and_header_is_left_as_it_was():
    columns = [column("g", "category"), column("v")]
    original = catalogue.script(catalogue.get_spec("bar-basic"), "matplotlib")
    script = adapted("bar-basic", "matplotlib", {"category": "g", "value": "v"}, columns).plot_py
    assert between(script, "theme", "theme") == between(original, "theme", "theme")
    assert between(script, "plot", "save") == between(original, "plot", "save")


def test_the_theme_is_the_default_of_the_script():
    columns = [column("v")]
    script = adapted("histogram-basic", "matplotlib", {"value": "v"}, columns, theme="dark").plot_py
    assert 'THEME = os.getenv("ANYPLOT_THEME", "dark")' in script
    assert "ANYPLOT_THEME=light python plot.py" in script


def test_options_are_written_where_they_stand_with_their_comments():
    columns = [column("g", "category"), column("v")]
    options = {"LABEL_ROTATION": 45, "MARGINS": [0.1, 0.02, 0.02, 0.02], "HORIZONTAL": True}
    script = adapted("bar-basic", "seaborn", {"category": "g", "value": "v"}, columns, options=options).plot_py
    assert "LABEL_ROTATION = 45  # degrees that the category labels are turned by\n" in script
    assert "MARGINS = [0.1, 0.02, 0.02, 0.02]  # left, bottom" in script
    assert constants(script)["X_LABEL"] == "Sum of v"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"NOPE": 1}, "no option NOPE"),
        ({"VALUE_SCALE": "round"}, "one of linear, log, symlog"),
        ({"LABEL_WRAP": "many"}, "it is a number"),
        ({"LABEL_WRAP": True}, "it is a number"),
        ({"LABEL_WRAP": float("nan")}, "it is a number"),
        ({"HORIZONTAL": "yes"}, "it is a boolean"),
        ({"MARGINS": [{}]}, "it is a list"),
        ({"TITLE": 5}, "it is a text"),
    ],
)
def test_an_option_that_is_unknown_or_of_another_type_is_refused(options, sentence):
    columns = [column("g", "category"), column("v")]
    with pytest.raises(Invalid, match=sentence):
        adapted("bar-basic", "matplotlib", {"category": "g", "value": "v"}, columns, options=options)


def test_imports_that_only_the_example_needed_are_gone_and_the_heading_stays():
    script = """# --- Imports ---
import math
import os
from itertools import chain, repeat

import pandas as pd

# --- Theme ---
THEME = os.getenv("ANYPLOT_THEME", "light")

# --- Data ---
df = pd.DataFrame({"x": list(chain([math.pi]))})

# --- Plot ---
print(df, repeat)
"""
    spec = catalogue.get_spec("histogram-basic")
    recipe = build.initial(spec, "matplotlib", {"value": "v"}, [column("v")], "light").with_(options={})
    code = adapter.adapt(recipe, script, spec, [column("v")]).plot_py
    assert code.startswith("# --- Imports ---\nimport os\nfrom itertools import repeat\n\nimport pandas as pd\n")


@pytest.mark.parametrize(("spec_id", "library"), PAIRS)
def test_an_adapted_script_keeps_the_rules_of_the_catalogue(spec_id, library):
    spec = catalogue.get_spec(spec_id)
    kinds = {"numeric": "number", "categorical": "category", "datetime": "date"}
    columns = [column(f"col {role.name}", kinds[role.types[0]], sample=["p", "q"]) for role in spec.roles]
    bindings = {role.name: f"col {role.name}" for role in spec.roles}
    script = adapted(spec_id, library, bindings, columns).plot_py
    tree = ast.parse(script)
    found = [*rules.security(tree), *rules.theme_block(tree), *rules.save_target(tree)]
    assert found == []
    assert "load_user_data" not in script
    assert eligibility.check_script(script) == []


def test_changes_say_what_became_of_the_rows():
    columns = [column("g", "category"), column("v")]
    assert adapted("bar-basic", "matplotlib", {"category": "g", "value": "v"}, columns).changes == [
        "Rows without g or v left out.",
        "Rows of the same g summed.",
        "Sorted by value, largest first.",
    ]


names = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.sampled_from(
    [
        'a "quoted" name',
        "back\\slash",
        "{braces}",
        "two\nlines",
        "🐧 emoji",
        "'",
        '"""',
        "#",
        "df",
        "%s",
        "\\N{DASH}",
        "$x$",
    ]
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(x=names, y=names, title=names | st.just(""), label=names, library=st.sampled_from(["matplotlib", "seaborn"]))
def test_no_name_or_title_breaks_the_script(x, y, title, label, library):
    columns = [column(x), column(y, unit="°C")]
    wishes = ({"op": "set_title", "text": title}, {"op": "set_label", "axis": "x", "text": label})
    script = adapted("scatter-basic", library, {"x": x, "y": y}, columns, wishes).plot_py
    tree = ast.parse(script)
    found = constants(script)
    assert found["TITLE"] == title.strip()
    assert found["X_LABEL"] == label.strip()
    assert found["Y_LABEL"].startswith(y)
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert {x, y} <= texts
    assert eligibility.check_script(script) == []
    # Nothing that a person wrote stands outside a literal: without its texts the script is the same as any other.
    plain = adapted("scatter-basic", library, {"x": "p", "y": "q"}, [column("p"), column("q", unit="°C")])
    assert _shape(script, x == y) == _shape(plain.plot_py, False) or x == y or {x, y} & {"x", "y"}


def _shape(script: str, _same: bool) -> str:
    """The script's tree with every text blanked."""
    tree = ast.parse(script)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return re.sub(r"\s+", " ", ast.unparse(tree))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=names.filter(lambda text: text.strip() and "\0" not in text and "\r" not in text))
def test_any_column_name_is_found_again_in_the_data(name, monkeypatch, tmp_path):
    quoted = '"' + name.replace('"', '""') + '"'
    data = f"{quoted},other column\n1,2\n3,4\n".encode()
    columns = [column(name), column("other column")]
    if name == "other column":
        return
    script = adapted("scatter-basic", "matplotlib", {"x": name, "y": "other column"}, columns).plot_py
    frame = run_loader(between(script, "data", "data"), data, monkeypatch, tmp_path)
    assert frame["x"].tolist() == [1, 3]
    assert frame["y"].tolist() == [2, 4]


def test_words_that_look_like_missing_values_stay_words(monkeypatch, tmp_path):
    columns, _, data_csv = table("country,n\nNA,1\nNone,2\nnull,3\n007,4\n")
    script = adapted("bar-basic", "matplotlib", {"category": "country", "value": "n"}, columns).plot_py
    frame = run_loader(between(script, "data", "data"), data_csv, monkeypatch, tmp_path)
    kept = [name for name in ("NA", "None", "null", "007") if name in data_csv.decode()]
    assert sorted(frame["category"]) == sorted(kept)
