"""Everything that draws a plot again, in one archive."""

import io
import json
import zipfile
from importlib.metadata import version as installed

from agents_app.models import Version
from agents_app.selectors import file_bytes

PACKAGES = ("matplotlib", "seaborn", "pandas", "numpy")  # all that a plot.py may import (CA3)
STAMP = (1980, 1, 1, 0, 0, 0)  # the same bytes each time, so that a cached archive stays valid


def bundle(version: Version) -> bytes:
    """A zip of plot.py, data.csv, recipe.json, requirements.txt and a README. Raises NotFound for missing files."""
    files = {
        "plot.py": file_bytes(version.script),
        "data.csv": file_bytes(version.data),
        "recipe.json": recipe_text(version),
        "requirements.txt": "".join(f"{name}=={installed(name)}\n" for name in PACKAGES).encode(),
        "README.md": readme(version).encode(),
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            target.writestr(entry, data)
    return archive.getvalue()


def recipe_text(version: Version) -> bytes:
    """The recipe as a file for people: indented, as UTF-8."""
    return (json.dumps(version.recipe, indent=2, ensure_ascii=False) + "\n").encode()


def readme(version: Version) -> str:
    """Three lines: what this is, how to draw it, how to draw it in the other theme."""
    other = "dark" if version.theme == "light" else "light"
    return (
        f"{version.spec} drawn with {version.library} from data.csv; recipe.json says how, in a form programs read.\n"
        f"Draw it: `pip install -r requirements.txt`, then `python plot.py` makes plot-{version.theme}.png.\n"
        f"The other theme: `ANYPLOT_THEME={other} python plot.py`.\n"
    )
