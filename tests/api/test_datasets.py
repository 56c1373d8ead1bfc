"""Tables over HTTP: pasted, uploaded, read again, shown, refused."""

import json

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from agents_app.models import Dataset, Turn

PENGUINS = "species,bill_length_mm,bill_depth_mm\nAdelie,39.1,18.7\nGentoo,46.1,13.2\nChinstrap,46.5,\n"


def stored_files() -> list[str]:
    """Every file below the storage's root."""
    from pathlib import Path

    root = Path(default_storage.location)
    return sorted(str(path) for path in root.rglob("*") if path.is_file()) if root.exists() else []


def said(answer, status, code):
    """The detail of an error answer."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    return answer.json()["detail"]


def test_a_pasted_table_comes_back_with_its_receipt(as_alice):
    answer = as_alice.post("/v1/datasets", {"text": PENGUINS, "name": "penguins"})
    assert answer.status_code == 201
    found = answer.json()
    assert (found["name"], found["rows"], found["bytes"]) == ("penguins", 3, len(PENGUINS))
    assert found["reading"]["delimiter"] == ","
    assert [column["name"] for column in found["columns"]] == ["species", "bill_length_mm", "bill_depth_mm"]
    assert [column["type"] for column in found["columns"]] == ["category", "number", "number"]
    assert found["preview"]["rows"][0] == ["Adelie", 39.1, 18.7]
    assert "roles" not in found
    assert as_alice.get(f"/v1/datasets/{found['id']}").json() == found


def test_a_file_comes_with_its_name_and_with_fields_as_json(as_alice):
    file = SimpleUploadedFile("../../my penguins.csv", PENGUINS.encode())
    answer = as_alice.form("/v1/datasets", {"file": file, "reading": json.dumps({"delimiter": ","})})
    assert answer.status_code == 201, answer.content
    found = answer.json()
    assert (found["file_name"], found["name"], found["how"]) == ("my penguins.csv", "my penguins", "upload")
    assert found["overrides"]["reading"] == {"delimiter": ","}


@pytest.mark.parametrize("name", ["plain name", '"as JSON"', "2024"])
def test_a_name_in_a_form_may_come_with_or_without_quotes(as_alice, name):
    file = SimpleUploadedFile("a.csv", PENGUINS.encode())
    answer = as_alice.form("/v1/datasets", {"file": file, "name": name})
    assert answer.json()["name"] == name.strip('"')


def test_with_a_plot_the_answer_proposes_bindings(as_alice):
    found = as_alice.post("/v1/datasets", {"text": PENGUINS, "spec": "scatter-basic", "library": "seaborn"}).json()
    assert {role["name"] for role in found["roles"]} >= {"x", "y"}
    assert {found["bindings"]["x"], found["bindings"]["y"]} == {"bill_length_mm", "bill_depth_mm"}


def test_given_bindings_that_do_not_fit_are_refused_and_nothing_is_stored(as_alice):
    body = {"text": PENGUINS, "spec": "scatter-basic", "library": "seaborn", "bindings": {"x": "beak", "y": "species"}}
    answer = as_alice.post("/v1/datasets", body)
    said(answer, 422, "binding_refused")
    refused = answer.json()
    assert {"x", "y"} <= {line["role"] for line in refused["lines"]}
    assert any("beak" in line["text"] for line in refused["lines"])
    assert {role["name"] for role in refused["roles"]} >= {"x", "y"}
    assert refused["proposed"]["x"] in ("bill_length_mm", "bill_depth_mm")
    assert not Dataset.objects.exists()
    assert stored_files() == []


def test_given_bindings_that_fit_come_back_and_roles_not_named_stay_unbound(as_alice):
    bindings = {"x": "bill_depth_mm", "y": "bill_length_mm"}
    body = {"text": PENGUINS, "spec": "scatter-basic", "library": "seaborn", "bindings": {**bindings, "category": None}}
    found = as_alice.post("/v1/datasets", body).json()
    assert found["bindings"] == bindings


@pytest.mark.parametrize(
    ("body", "status", "code", "words"),
    [
        ({}, 422, "invalid", "text is missing"),
        ({"text": ""}, 422, "unreadable", ""),
        ({"text": "   \n \n"}, 422, "unreadable", ""),
        ({"text": "x" * 300_000}, 413, "too_large", "300,000 bytes; at most 200,000 (200 KB)"),
        ({"text": PENGUINS, "spec": "no-such-plot"}, 404, "not_found", "no-such-plot"),
        ({"text": PENGUINS, "spec": "scatter-basic", "library": "gnuplot"}, 404, "not_found", "gnuplot"),
        ({"text": PENGUINS, "bindings": {"x": "a"}}, 422, "invalid", "spec is missing"),
        ({"text": PENGUINS, "delimiter": ";"}, 422, "invalid", "delimiter is not known here. Known: text, name"),
        ({"text": PENGUINS, "reading": {"colour": "red"}}, 422, "invalid", "colour"),
        ({"text": PENGUINS, "columns": [{"name": "beak", "type": "text"}]}, 422, "invalid", "beak"),
        ({"text": "a\0b\1\2\3\4" * 50}, 422, "unreadable", ""),
    ],
)
def test_what_can_not_be_taken_is_refused_in_words_and_leaves_nothing(as_alice, body, status, code, words):
    detail = said(as_alice.post("/v1/datasets", body), status, code)
    assert words in detail
    assert detail.endswith((".", ")")), "a sentence"
    assert not Dataset.objects.exists()
    assert stored_files() == []


def test_pasted_text_is_measured_in_bytes_of_utf8(as_alice):
    rows = "ä,1\n" * 40_001  # 5 bytes each
    assert "200,009 bytes" in said(as_alice.post("/v1/datasets", {"text": "a,b\n" + rows}), 413, "too_large")


def test_a_file_of_twelve_megabytes_is_413(as_alice):
    file = SimpleUploadedFile("big.csv", b"x" * 10_000_001)
    answer = as_alice.form("/v1/datasets", {"file": file})
    assert "10,000,001 bytes; at most 10,000,000 (10 MB)" in said(answer, 413, "too_large")
    assert answer.json()["limit"] == 10_000_000


def test_a_binary_file_is_a_sentence(as_alice):
    answer = as_alice.form("/v1/datasets", {"file": SimpleUploadedFile("noise.bin", bytes(range(256)) * 20)})
    assert said(answer, 422, "unreadable")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "send exactly one file, in the field `file` (0 came)"),
        ({"table": SimpleUploadedFile("a.csv", b"a,b\n1,2\n")}, "in the field `file` (1 came)"),
        ({"file": SimpleUploadedFile("a.csv", b"a,b\n1,2\n"), "text": "a,b\n1,2"}, "text and file came together"),
        ({"file": SimpleUploadedFile("a.csv", b"a,b\n1,2\n"), "reading": "{"}, "reading is not valid JSON"),
        ({"file": SimpleUploadedFile("a.csv", b"a,b\n1,2\n"), "sheet": "1"}, "sheet is not known here"),
        ({"file": SimpleUploadedFile("a.csv", b"a,b\n1,2\n"), "name": ["a", "b"]}, "name came 2 times"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_in_words(as_alice, fields, words):
    assert words in said(as_alice.form("/v1/datasets", fields), 422, "invalid")


def test_a_table_is_read_again_with_other_choices(as_alice):
    found = as_alice.post("/v1/datasets", {"text": PENGUINS}).json()
    path = f"/v1/datasets/{found['id']}"
    answer = as_alice.patch(path, {"columns": [{"name": "bill_depth_mm", "type": "text", "rename": "depth"}]})
    assert answer.status_code == 200, answer.content
    assert [(column["name"], column["type"]) for column in answer.json()["columns"]][2] == ("depth", "text")
    assert as_alice.get(path + "/data.csv").content.decode().splitlines()[0] == "species,bill_length_mm,depth"

    again = as_alice.patch(path, {"columns": [{"name": "depth", "type": None}], "name": "birds"}).json()
    assert again["name"] == "birds"
    assert [(column["name"], column["type"]) for column in again["columns"]][2] == ("depth", "number")


def test_only_the_newest_canonical_file_is_kept(as_alice, django_capture_on_commit_callbacks):
    found = as_alice.post("/v1/datasets", {"text": PENGUINS}).json()
    with django_capture_on_commit_callbacks(execute=True):
        as_alice.patch(f"/v1/datasets/{found['id']}", {"columns": [{"name": "species", "rename": "kind"}]})
    assert len(stored_files()) == 2


def test_a_bad_override_changes_nothing(as_alice):
    found = as_alice.post("/v1/datasets", {"text": PENGUINS}).json()
    path = f"/v1/datasets/{found['id']}"
    said(as_alice.patch(path, {"columns": [{"name": "beak", "type": "text"}], "name": "new"}), 422, "invalid")
    assert as_alice.get(path).json() == found
    assert len(stored_files()) == 2


def test_a_table_that_a_waiting_plot_needs_is_not_changed_or_deleted(as_alice, things):
    Turn.objects.filter(id=things.turn.id).update(state="queued")
    path = things.path("/v1/datasets/{dataset}")
    assert "Stop it" in said(as_alice.patch(path, {"reading": {"delimiter": ";"}}), 409, "run_active")
    assert "Stop it" in said(as_alice.delete(path), 409, "run_active")
    assert as_alice.patch(path, {"name": "other"}).status_code == 200, "a name is no reading"


def test_rows_are_typed_and_come_in_pages(as_alice):
    text = "day,n,ok\n2024-01-01,1,yes\n2024-01-02,,no\n2024-01-03,3,yes\n"
    found = as_alice.post("/v1/datasets", {"text": text}).json()
    page = as_alice.get(f"/v1/datasets/{found['id']}/rows?offset=1&limit=1").json()
    assert page == {
        "columns": ["day", "n", "ok"],
        "items": [["2024-01-02", None, False]],
        "total": 3,
        "limit": 1,
        "offset": 1,
        "has_more": True,
    }


def test_suggestions_are_ranked_with_reasons(as_alice):
    found = as_alice.post("/v1/datasets", {"text": PENGUINS}).json()
    suggestions = as_alice.get(f"/v1/datasets/{found['id']}/suggestions").json()
    scores = [suggestion["score"] for suggestion in suggestions]
    assert scores == sorted(scores, reverse=True)
    scatter = next(suggestion for suggestion in suggestions if suggestion["spec"] == "scatter-basic")
    assert scatter["library"] in ("matplotlib", "seaborn")
    assert scatter["reason"]
    assert scatter["bindings"]["x"]


def test_a_check_says_yes_or_each_line_that_is_wrong(as_alice, things):
    path = things.path("/v1/datasets/{dataset}/check")
    good = as_alice.post(path, {"spec": "scatter-basic", "library": "matplotlib"}).json()
    assert good["ok"] is True
    assert good["bindings"]["x"]
    answer = as_alice.post(path, {"spec": "scatter-basic", "library": "matplotlib", "bindings": {"x": "species"}})
    said(answer, 422, "binding_refused")
    assert "y" in {line["role"] for line in answer.json()["lines"]}


def test_a_deleted_table_is_gone_with_its_files_and_its_plots_stay(
    as_alice, things, django_capture_on_commit_callbacks
):
    before = set(stored_files())
    with django_capture_on_commit_callbacks(execute=True):
        assert as_alice.delete(things.path("/v1/datasets/{dataset}")).status_code == 204
    assert as_alice.get(things.path("/v1/datasets/{dataset}")).status_code == 404
    assert len(before - set(stored_files())) == 2
    assert as_alice.get(things.path("/v1/sessions/{session}")).json()["dataset"] is None
    assert as_alice.get(things.path("/v1/sessions/{session}/versions/1/data.csv")).status_code == 200


def test_the_canonical_table_is_a_private_download(as_alice, things):
    answer = as_alice.get(things.path("/v1/datasets/{dataset}/data.csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    assert answer["Cache-Control"] == "private, no-cache"
    again = as_alice.get(things.path("/v1/datasets/{dataset}/data.csv"), If_None_Match=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_a_list_is_a_page(as_alice):
    for number in range(3):
        as_alice.post("/v1/datasets", {"text": PENGUINS, "name": f"table {number}"})
    page = as_alice.get("/v1/datasets?limit=2").json()
    assert [item["name"] for item in page["items"]] == ["table 2", "table 1"]
    assert (page["total"], page["limit"], page["offset"], page["has_more"]) == (3, 2, 0, True)
    assert as_alice.get("/v1/datasets?limit=2&offset=2").json()["has_more"] is False
