"""`make bench`: how long a person waits, as JSON on standard output.

Boots a family of its own with the rate limit off, makes 24 plots (six specs, both libraries, twice) and runs
each exported `plot.py` as a cold script beside it. Times are of this machine; ratios travel.
"""

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.client import Client
from tests.family.family import CHECKOUT, start

ROUNDS = 2
LIBRARIES = ("matplotlib", "seaborn")
CASES = (
    ("H01_penguins.csv", "scatter-basic", {"x": "bill_length_mm", "y": "bill_depth_mm", "category": "species"}),
    ("H01_penguins.csv", "box-basic", {"category": "species", "value": "body_mass_g"}),
    ("H03_strom_de.csv", "bar-basic", {"category": "Energieträger", "value": "Erzeugung (GWh)"}),
    ("H02_seattle_weather.csv", "line-timeseries", {"date": "date", "value": "temp_max"}),
    ("H04_unemployment.tsv", "histogram-basic", {"value": "rate"}),
    ("H10_shares_percent.csv", "pie-basic", {"category": "Industry", "value": "Share"}),
)


def summary(seconds: list[float]) -> dict[str, float | int]:
    """Median and p95 (the smallest value that 95 % do not exceed) in milliseconds."""
    ordered = sorted(seconds)
    place = -(-len(ordered) * 95 // 100) - 1
    return {"n": len(ordered), "median_ms": ms(statistics.median(ordered)), "p95_ms": ms(ordered[place])}


def ms(seconds: float) -> float:
    """Milliseconds, to a tenth."""
    return round(seconds * 1000, 1)


def cold(plot_py: bytes, data_csv: bytes) -> float:
    """Seconds of `python plot.py` beside its data in an otherwise empty folder."""
    with tempfile.TemporaryDirectory(prefix="anyplot-bench-") as folder:
        Path(folder, "plot.py").write_bytes(plot_py)
        Path(folder, "data.csv").write_bytes(data_csv)
        # Only what a shell would have: no settings of the site.
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        begin = time.perf_counter()
        subprocess.run([sys.executable, "plot.py"], cwd=folder, env=environment, check=True, capture_output=True)
        return time.perf_counter() - begin


def measure(client: Client) -> dict[str, Any]:
    """All runs; figures in milliseconds."""
    tables = {
        name: client.upload(name, (CHECKOUT / "tests" / "data" / name).read_bytes())["id"]
        for name in {c[0] for c in CASES}
    }
    first, plot, render, script, outcomes = [], [], [], [], []
    for _ in range(ROUNDS):
        for file_name, spec, bindings in CASES:
            for library in LIBRARIES:
                session = client.session(spec, library, tables[file_name], bindings=bindings)["id"]
                events = client.turn(session)
                outcomes.append(events[-1]["data"]["outcome"])
                first.append(events[0]["at"])
                plot.append(next(event["at"] for event in events if event["type"] == "plot"))
                made = f"/v1/sessions/{session}/versions/1"
                render.append(client.get(made)["timings"]["render_ms"] / 1000)
                script.append(cold(client.content(f"{made}/plot.py"), client.content(f"{made}/data.csv")))
                print(f"{spec} {library}: {ms(plot[-1])} ms, cold script {ms(script[-1])} ms", file=sys.stderr)
    return {
        "outcomes": {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))},
        "press_to_first_event": summary(first),
        "press_to_plot": summary(plot),
        "render_alone": summary(render),
        "cold_script": summary(script),
        "press_to_plot_by_cold_script": round(statistics.median(plot) / statistics.median(script), 2),
    }


def machine() -> dict[str, Any]:
    """Where this was measured."""
    model = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": model.partition(":")[2].strip(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory / 2**30, 1),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("matplotlib", "seaborn", "pandas", "django")},
    }


def main() -> None:
    """Boot, measure, print, clean up."""
    home = Path(tempfile.mkdtemp(prefix="anyplot-bench-home-"))
    begin = time.perf_counter()
    family = start(home)
    first_start = time.perf_counter() - begin
    try:
        client = Client(family.base_url)
        figures = measure(client)
        family.stop()
        begin = time.perf_counter()
        family = start(home)
        second_start = time.perf_counter() - begin
    finally:
        family.stop()
        shutil.rmtree(home)
    starts = {"first_s": round(first_start, 2), "second_s": round(second_start, 2)}
    print(json.dumps({**figures, "start_to_healthz": starts, "machine": machine()}, indent=1))


if __name__ == "__main__":
    main()
