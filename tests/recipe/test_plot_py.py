"""`python plot.py` beside `data.csv`, with the four libraries and nothing else, draws the exact canvas (CA3)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from agents_app import intake
from agents_app.catalogue import catalogue
from agents_app.recipe import adapter, build, transforms
from renderer_app import themes

# The scripts of a library run after each other in one process: each sets every rcParam that it relies on.
DRIVER = """
import os, runpy, sys, warnings
warnings.simplefilter("error")
warnings.simplefilter("ignore", DeprecationWarning)  # seaborn's, about matplotlib: not ours to mend
for job in sys.argv[1:]:
    folder, themes = job.rsplit(":", 1)
    for theme in themes.split(","):
        os.environ["ANYPLOT_THEME"] = theme
        os.chdir(folder)
        runpy.run_path("plot.py", run_name="__main__")
        import matplotlib.pyplot as plt
        plt.close("all")
"""
TABLE = [
    ("scatter-basic", "H01_penguins.csv", {"x": "bill_length_mm", "y": "bill_depth_mm", "category": "species"}),
    ("box-basic", "H01_penguins.csv", {"category": "species", "value": "body_mass_g"}),
    ("bar-basic", "H01_penguins.csv", {"category": "species"}),
    ("histogram-basic", "H04_unemployment.tsv", {"value": "rate"}),
    ("line-timeseries", "H05_co2_titled.csv", {"date": "Date", "value": "CO2"}),
    ("pie-basic", "H10_shares_percent.csv", {"category": "Industry", "value": "Share"}),
]


def environment(home: Path) -> dict[str, str]:
    """As good as none: what a person's shell has at least."""
    return {"PATH": os.defpath, "HOME": str(home), "MPLCONFIGDIR": str(home / "mpl")}


def write_example(folder: Path, spec_id: str, library: str) -> Path:
    """A folder with the catalogue's script as `plot.py`, and nothing else."""
    folder.mkdir(parents=True)
    (folder / "plot.py").write_text(catalogue.script(catalogue.get_spec(spec_id), library), encoding="utf-8")
    return folder


def write_plot(folder: Path, row: tuple, library: str, data_dir: Path) -> Path:
    """A folder with a person's `plot.py` and `data.csv`."""
    spec_id, file, bindings = row
    read = intake.read((data_dir / file).read_bytes(), file_name=file)
    columns = [column.as_json() for column in read.columns]
    spec = catalogue.get_spec(spec_id)
    recipe = build.initial(spec, library, bindings, columns, "light")
    prepared = transforms.apply_transforms(intake.read_canonical(read.data_csv, columns), recipe)
    script = adapter.adapt(prepared.recipe, catalogue.script(spec, library), spec, columns).plot_py
    folder.mkdir(parents=True)
    (folder / "plot.py").write_text(script, encoding="utf-8")
    (folder / "data.csv").write_bytes(read.data_csv)
    return folder


def run_all(folders: dict[Path, tuple[str, ...]], home: Path) -> None:
    """Run every folder's script in its themes, in one process; a warning is a failure."""
    jobs = [f"{folder}:{','.join(names)}" for folder, names in folders.items()]
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, *jobs],
        env=environment(home),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
def test_every_script_draws_its_canvas_in_both_themes_with_its_example_and_with_a_persons_table(
    library, tmp_path, data_dir
):
    jobs, canvases = {}, {}
    for number, row in enumerate(TABLE):
        canvas = themes.CANVASES[catalogue.get_spec(row[0]).canvas]
        example = write_example(tmp_path / "example" / row[0], row[0], library)
        own = write_plot(tmp_path / "own" / row[0], row, library, data_dir)
        # Both themes of the example; of a person's table one, in turn.
        jobs |= {example: ("light", "dark"), own: ("dark",) if number % 2 else ("light",)}
        canvases |= {example: canvas, own: canvas}

    run_all(jobs, tmp_path)

    for folder, names in jobs.items():
        for name in names:
            with Image.open(folder / f"plot-{name}.png") as picture:
                assert picture.size == canvases[folder]
                corner = picture.convert("RGB").getpixel((0, 0))
            assert "#{:02X}{:02X}{:02X}".format(*corner) == themes.THEMES[name].page
        left = {path.name for path in folder.iterdir()} - {"plot.py", "data.csv"}
        assert left == {f"plot-{name}.png" for name in names}


def test_a_cold_run_draws_the_same_pixels_as_a_warm_one(tmp_path, data_dir):
    cold = write_plot(tmp_path / "cold", TABLE[0], "seaborn", data_dir)
    before = write_plot(tmp_path / "before", TABLE[5], "matplotlib", data_dir)
    warm = write_plot(tmp_path / "warm", TABLE[0], "seaborn", data_dir)

    run_all({before: ("dark",), warm: ("light",)}, tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "plot.py"],
        env=environment(tmp_path),
        cwd=cold,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with Image.open(cold / "plot-light.png") as one, Image.open(warm / "plot-light.png") as two:
        assert ImageChops.difference(one.convert("RGB"), two.convert("RGB")).getbbox() is None
    # The theme that nobody names is the recipe's.
    assert not (cold / "plot-dark.png").exists()
