"""Each reason why a script can't be adapted has a script that earns it, and one that does not (EL1, GA2)."""

import textwrap

import pytest

from agents_app.catalogue import catalogue, eligibility
from agents_app.recipe import adapter

from .test_loader import write

GOOD = '''
"""A plot."""
# --- Imports ---
import os
import matplotlib.pyplot as plt
import pandas as pd

# --- Theme ---
THEME = os.getenv("ANYPLOT_THEME", "light")

# --- Data ---
rows = {"x": [1, 2]}
df = pd.DataFrame(rows)

# --- Options ---
TITLE = "A"

# --- Plot ---
fig, ax = plt.subplots()
ax.plot(df["x"])

# --- Save ---
fig.savefig(f"plot-{THEME}.png", dpi=400)
'''.lstrip()


def codes(script: str) -> set[str]:
    """The codes that a script earns by itself."""
    return {reason.code for reason in eligibility.check_script(script)}


def test_a_good_script_earns_none():
    assert codes(GOOD) == set()


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("syntax", "ax.plot(df", "ax.plot(df("),
        ("syntax", "TITLE", "TITLE\0"),
        ("theme_block", 'THEME = os.getenv("ANYPLOT_THEME", "light")', 'THEME = "light"'),
        ("theme_block", "# --- Save ---", 'THEME = os.getenv("ANYPLOT_THEME", "dark")\n# --- Save ---'),
        ("save_target", 'f"plot-{THEME}.png"', '"plot.png"'),
        ("save_target", "dpi=400", 'bbox_inches="tight"'),
        ("save_target", 'fig.savefig(f"plot-{THEME}.png", dpi=400)', "pass"),
        ("save_target", "# --- Save ---", 'fig.savefig(f"plot-{THEME}.png")\n# --- Save ---'),
        ("placeholder", "# --- Data ---", "# here it comes"),
        ("placeholder", "df = pd", "table = pd"),
        ("placeholder", 'ax.plot(df["x"])', 'ax.plot(rows["x"])'),
        ("placeholder", "df = pd.DataFrame(rows)", "df = load_user_data()\ndf = load_user_data()"),
        ("placeholder", "df = pd.DataFrame(rows)", "df = load_user_data().dropna()"),
        ("placeholder", "df = pd.DataFrame(rows)", "if rows:\n    df = load_user_data()"),
        ("security", "import os", "import os, subprocess"),
        ("security", "import os", "import os\nfrom os import system"),
        ("security", "import os", "import os\nfrom . import secrets"),
        ("security", "TITLE = ", "TITLE = open('/etc/passwd').read()  # "),
        ("security", "TITLE = ", "TITLE = eval('1')  # "),
        ("security", "TITLE = ", "TITLE = os.listdir('/')  # "),
        ("security", "TITLE = ", "TITLE = pd.read_csv('/etc/passwd')  # "),
        ("security", "TITLE = ", "TITLE = pd.read_pickle('data.csv')  # "),
        ("security", "TITLE = ", "TITLE = ().__class__.__bases__  # "),
        ("security", "TITLE = ", "TITLE = __builtins__  # "),
        ("security", "TITLE = ", "TITLE = getattr(pd, 'read' + '_pickle')  # "),
        ("security", "# --- Save ---", "df.to_csv('else.csv')\n# --- Save ---"),
    ],
)
def test_a_script_with_one_fault_earns_its_code(code, old, new):
    assert old in GOOD
    assert code in codes(GOOD.replace(old, new, 1))


def test_a_reason_names_its_line():
    script = GOOD.replace('TITLE = "A"', 'TITLE = eval("1")')
    (reason,) = eligibility.check_script(script)
    assert script.splitlines()[reason.line - 1].startswith("TITLE")
    assert reason.as_json() == {"code": "security", "line": reason.line, "text": "eval() may not be called."}


def test_a_foreign_heading_opens_the_data_section_too():
    assert codes(GOOD.replace("# --- Data ---", "# Data").replace("# --- Options ---", "# Create plot")) == set()


def test_a_heading_inside_a_text_does_not_open_a_section():
    script = GOOD.replace('rows = {"x": [1, 2]}', 'rows = """\n# --- Options ---\n"""')
    assert "placeholder" in codes(script)


def test_our_run_forms_pass_the_same_rules():
    for spec in catalogue.specs():
        for library in spec.libraries:
            assert eligibility.check_script(adapter.run_form(catalogue.script(spec, library))) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("- `x` (numeric) - fine", None),
        ("- `depth` (numeric) - never drawn", "map_spec"),
        ("- a thing without a name", "map_spec"),
        ("nothing at all", "map_spec"),
        ("- `tree` (nested dict) - everything", "structured_role"),
    ],
)
def test_what_the_specification_lacks_is_said(tmp_path, settings, data, code):
    folder = write(tmp_path / "odd-plot", f"# odd-plot: Odd\n\n## Data\n{data}\n")
    (folder / "implementations" / "python" / "matplotlib.py").write_text(GOOD)
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path)]

    found = eligibility.reasons(catalogue.get_spec("odd-plot"), "matplotlib")

    assert [reason.code for reason in found] == ([code] if code else [])


def test_a_changed_script_is_judged_anew(tmp_path, settings):
    folder = write(tmp_path / "odd-plot", "# odd-plot: Odd\n\n## Data\n- `x` (numeric)\n")
    script = folder / "implementations" / "python" / "matplotlib.py"
    script.write_text(GOOD)
    settings.ANYPLOT_CATALOGUE_FOLDERS = [str(tmp_path)]
    assert eligibility.reasons(catalogue.get_spec("odd-plot"), "matplotlib") == []
    script.write_text(GOOD.replace("import os", "import os, socket"))
    assert eligibility.reasons(catalogue.get_spec("odd-plot"), "matplotlib")[0].code == "security"


def test_a_library_without_a_script_is_not_eligible():
    spec = catalogue.get_spec("bar-basic")
    assert eligibility.reasons(spec, "plotters")
    assert eligibility.reasons(spec, "matplotlib", "r")


def test_a_foreign_script_of_arrays_says_what_is_in_the_way():
    script = GOOD.replace(textwrap.dedent('rows = {"x": [1, 2]}\ndf = pd.DataFrame(rows)'), "x = [1, 2]").replace(
        'df["x"]', "x"
    )
    (reason,) = eligibility.check_script(script)
    assert reason.text == "The data section leaves no frame df."
