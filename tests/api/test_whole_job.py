"""The product's main job through the API: a table becomes a plot, is refined, and is shown in its other theme.

The run is carried by hand instead of by a worker, and the renderer is the fake one; all else is real.
"""

import csv
import io

import pytest

from agents_app.jobs import run_turn
from agents_app.models import Turn
from renderer_app.backends import fake
from tests.api.caller import Caller

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fake_renderer(settings):
    """Pictures at once."""
    settings.AGENT_RENDERER = "fake"
    settings.AGENT_RUNS_PER_MINUTE = 0
    fake.forget()


def carry(turn_id: str) -> None:
    """What RQ does with a started turn."""
    turn = Turn.objects.get(id=turn_id)
    assert turn.state == Turn.State.RUNNING
    run_turn(turn_id, turn.token)


@pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
def test_a_guest_brings_a_table_and_takes_a_plot_home(data_dir, library):
    guest = Caller()
    guest.headers = {"Authorization": f"Bearer {guest.post('/v1/auth/guest').json()['token']}"}
    text = (data_dir / "H01_penguins.csv").read_text()
    dataset = guest.post("/v1/datasets", {"text": text, "spec": "scatter-basic", "library": library}).json()
    assert dataset["rows"] == 344
    suggested = guest.get(f"/v1/datasets/{dataset['id']}/suggestions").json()
    assert "scatter-basic" in [suggestion["spec"] for suggestion in suggested]

    bindings = {"x": "bill_length_mm", "y": "bill_depth_mm", "category": "species"}
    body = {"spec": "scatter-basic", "library": library, "dataset": dataset["id"], "bindings": bindings}
    session = guest.post("/v1/sessions", body).json()
    path = f"/v1/sessions/{session['id']}"

    asked = guest.post(f"{path}/messages", {}).json()
    carry(asked["turn"])
    turn = guest.get(f"/v1/turns/{asked['turn']}").json()
    assert turn["state"] == "finished"
    assert turn["version"] == 1, turn
    version = guest.get(f"{path}/versions/0").json()
    assert version["themes"]["light"]["png"]
    assert (version["themes"]["light"]["width"], version["themes"]["light"]["height"]) == (3200, 1800)
    assert version["recipe"]["bindings"] == bindings
    assert version["rows"]["total"] == 344
    assert {"queued_ms", "adapt_ms", "render_ms", "gates_ms", "total_ms"} <= set(version["timings"])
    assert all({"id", "passed", "blocking", "measured", "limit", "text"} <= set(gate) for gate in version["gates"])

    picture = guest.get(version["themes"]["light"]["png"])
    assert picture.content.startswith(b"\x89PNG")
    plot_py = guest.get(version["files"]["plot.py"]).content.decode()
    compile(plot_py, "plot.py", "exec")
    assert "read_csv" in plot_py
    rows = list(csv.DictReader(io.StringIO(guest.get(version["files"]["data.csv"]).content.decode())))
    assert len(rows) == 344
    table = guest.get(version["table"] + "?limit=500").json()
    assert table["total"] == version["rows"]["used"]

    asked = guest.post(f"{path}/messages", {"operations": [{"op": "set_title", "text": "Beaks"}]}).json()
    carry(asked["turn"])
    refined = guest.get(f"{path}/versions/0").json()
    assert (refined["version"], refined["parent"]) == (2, 1)
    assert refined["operations"] == [{"op": "set_title", "text": "Beaks"}]
    assert "Beaks" in guest.get(refined["files"]["plot.py"]).content.decode()

    toggled = guest.post(f"{path}/versions/2/render", {"theme": "dark"}).json()
    assert (toggled["status"], toggled["theme"]) == ("ok", "dark")
    assert guest.get(toggled["version"]["themes"]["dark"]["png"]).content.startswith(b"\x89PNG")
    assert fake.jobs[-1].theme == "dark"

    whole = guest.get(path).json()
    assert [entry["version"] for entry in whole["versions"]] == [1, 2]
    assert whole["turn"]["id"] == asked["turn"]
    assert guest.delete(path).status_code == 204
    assert guest.get(path).status_code == 404
