"""The product's main job, over HTTP, on the real process family: a table becomes a plot."""

import io
import socket
import struct
from urllib.parse import urlsplit

import pytest

from tests.client import Client, Refused

pytestmark = pytest.mark.family

LANDSCAPE, SQUARE = (3200, 1800), (2400, 2400)
# file, plot, bindings (None: as proposed), canvas
TABLE = [
    (
        "H01_penguins.csv",
        "scatter-basic",
        {"x": "bill_length_mm", "y": "bill_depth_mm", "category": "species"},
    ),
    ("H01_penguins.csv", "box-basic", {"category": "species", "value": "body_mass_g"}),
    ("H01_penguins.csv", "bar-basic", {"category": "species"}),
    ("H02_seattle_weather.csv", "line-timeseries", {"date": "date", "value": "temp_max"}),
    ("H03_strom_de.csv", "bar-basic", {"category": "Energieträger", "value": "Erzeugung (GWh)"}),
    ("H04_unemployment.tsv", "histogram-basic", {"value": "rate"}),
    ("H05_co2_titled.csv", "line-timeseries", {"date": "Date", "value": "CO2"}),
    ("H10_shares_percent.csv", "pie-basic", {"category": "Industry", "value": "Share"}),
]


def png_size(picture: bytes) -> tuple[int, int]:
    """Width and height from a PNG's header."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", picture[16:24])


@pytest.fixture(scope="module")
def guest(family) -> Client:
    """One person for the whole table."""
    return Client(family.base_url)


@pytest.fixture(scope="module")
def tables(guest, request) -> dict[str, dict]:
    """The data sets that were brought, by file name."""
    folder = request.config.rootpath / "tests" / "data"
    return {name: guest.upload(name, (folder / name).read_bytes()) for name in {row[0] for row in TABLE}}


@pytest.mark.parametrize("library", ["matplotlib", "seaborn"])
@pytest.mark.parametrize(("file_name", "spec", "bindings"), TABLE, ids=[f"{row[0]}-{row[1]}" for row in TABLE])
def test_a_table_becomes_a_plot_in_both_themes(family, guest, tables, file_name, spec, bindings, library):
    session = guest.session(spec, library, tables[file_name]["id"], bindings=bindings)
    assert session["bindings"] == bindings

    events = guest.turn(session["id"])
    kinds = [event["type"] for event in events]
    assert kinds[0] == "ready"
    assert events[1]["data"]["step"] == "queued"
    assert events[1]["data"]["position"] == 1
    assert kinds[-3:] == ["plot", "message", "done"]
    steps = [event["data"]["step"] for event in events if event["type"] == "status"]
    assert steps[:4] == ["queued", "started", "adapt", "validate"]
    assert {"render", "gates", "publish"} <= set(steps)
    numbers = [event["id"] for event in events if event["id"] is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    assert events[-1]["data"]["outcome"] == "ok", family.words()

    version = guest.get(f"/v1/sessions/{session['id']}/versions/1")
    blocking = [gate for gate in version["gates"] if gate["blocking"]]
    assert {"R1", "R2", "R3", "G1", "G3", "G4", "G8"} <= {gate["id"] for gate in blocking}
    assert [gate for gate in blocking if not gate["passed"]] == []
    assert (version["status"], version["theme"], version["version"]) == ("ok", "light", 1)
    assert version["rows"]["total"] == tables[file_name]["rows"]
    assert version["rows"]["used"] + version["rows"]["dropped"] == version["rows"]["total"]
    assert version["alt_text"]

    toggled = guest.post(f"/v1/sessions/{session['id']}/versions/1/render", {"theme": "dark"})
    assert (toggled["status"], toggled["theme"]) == ("ok", "dark")
    pictures = {}
    for theme in ("light", "dark"):
        shown = toggled["version"]["themes"][theme]
        pictures[theme] = guest.content(shown["png"])
        assert png_size(pictures[theme]) == (shown["width"], shown["height"])
        assert png_size(pictures[theme]) == (SQUARE if spec == "pie-basic" else LANDSCAPE)
    assert pictures["light"] != pictures["dark"]

    base = f"/v1/sessions/{session['id']}/versions/1"
    plot_py, data_csv = guest.content(f"{base}/plot.py").decode(), guest.content(f"{base}/data.csv").decode()
    assert "read_csv" in plot_py
    assert "load_user_data" not in plot_py
    compile(plot_py, "plot.py", "exec")
    assert len(list(io.StringIO(data_csv))) == version["rows"]["total"] + 1


def test_operations_change_the_plot(guest, tables):
    session = guest.session("bar-basic", "matplotlib", tables["H03_strom_de.csv"]["id"])
    assert guest.turn(session["id"])[-1]["data"]["outcome"] == "ok"
    wishes = [
        {"op": "set_title", "text": "Electricity in Iowa"},
        {"op": "sort", "by": "value", "order": "desc"},
        {"op": "limit", "n": 2, "side": "top"},
        {"op": "theme", "value": "dark"},
    ]
    events = guest.turn(session["id"], operations=wishes)
    assert events[-1]["data"]["outcome"] == "ok", events
    version = guest.get(f"/v1/sessions/{session['id']}/versions/0")
    assert (version["version"], version["parent"], version["theme"]) == (2, 1, "dark")
    assert version["changes"]
    assert "Electricity in Iowa" in guest.content(f"/v1/sessions/{session['id']}/versions/2/plot.py").decode()


def test_text_is_answered_and_takes_no_place(guest, tables):
    session = guest.session("bar-basic", "matplotlib", tables["H01_penguins.csv"]["id"])
    events = guest.turn(session["id"], text="make it shine")
    assert [event["type"] for event in events] == ["ready", "message", "done"]
    assert events[-1]["data"]["outcome"] == "not_understood"


def test_a_turn_that_ended_is_read_again_from_any_event_on(guest, tables):
    session = guest.session("bar-basic", "seaborn", tables["H01_penguins.csv"]["id"])
    first = [event for event in guest.turn(session["id"]) if event["id"] is not None]
    turn = first[0]["data"]["turn"]
    again = list(guest.stream("GET", f"/v1/turns/{turn}/events?after=3"))
    assert [(event["id"], event["data"]) for event in again] == [(e["id"], e["data"]) for e in first if e["id"] > 3]


def test_a_file_of_12_mb_is_refused_in_words(guest):
    with pytest.raises(Refused) as refused:
        guest.upload("large.csv", b"a,b\n" + b"1,2\n" * 3_000_000)
    assert (refused.value.status, refused.value.code) == (413, "too_large")
    assert "12 MB" in refused.value.body["detail"]


def test_somebody_else_sees_nothing(family, guest, tables):
    session = guest.session("bar-basic", "matplotlib", tables["H01_penguins.csv"]["id"])
    stranger = Client(family.base_url)
    for path in (f"/v1/sessions/{session['id']}", f"/v1/datasets/{tables['H01_penguins.csv']['id']}"):
        with pytest.raises(Refused) as refused:
            stranger.get(path)
        assert (refused.value.status, refused.value.code) == (404, "not_found")
    with pytest.raises(Refused) as refused:
        Client(family.base_url, token="").get("/v1/sessions")
    assert refused.value.status == 401


def test_the_site_says_that_it_is_ready(family):
    ready = Client(family.base_url, token="").get("/readyz")
    assert ready["serves"] is True
    assert [name for name, check in ready["checks"].items() if not check["ok"]] == []


@pytest.mark.parametrize(("origin", "opens"), [("http://evil.example.org", False), ("", True)])
def test_a_socket_opens_for_pages_of_this_site_only(family, guest, tables, origin, opens):
    session = guest.session("bar-basic", "matplotlib", tables["H01_penguins.csv"]["id"])
    turn = guest.turn(session["id"], text="hello")[0]["data"]["turn"]
    address = urlsplit(family.base_url)
    lines = (
        f"GET /ws/turns/{turn}/ HTTP/1.1",
        f"Host: {address.netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Origin: {origin or family.base_url}",
        "",
        "",
    )
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = connection.recv(1000)
    assert answer.split(b" ")[1] == (b"101" if opens else b"403"), answer
