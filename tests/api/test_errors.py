"""One shape for every error, with words that name the field and the way out."""

import json
import logging

import pytest
from django.test import Client


def said(answer, status, code):
    """The detail of an error answer, whose shape is checked."""
    body = answer.json()
    assert (answer.status_code, body["code"]) == (status, code), body
    assert body["ref"]
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    return body["detail"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "spec is missing. (and 2 more)"),
        ({"spec": "a", "library": "b", "dataset": "c", "colour": 1}, "colour is not known here. Known: spec, library,"),
        ({"spec": 5, "library": "b", "dataset": "c"}, "spec must be text."),
        ({"spec": "a", "library": "b", "dataset": "c", "theme": "blue"}, "theme must be 'light' or 'dark'."),
        ({"spec": "a", "library": "b", "dataset": "c", "name": "x" * 121}, "name has more than 120 characters."),
        ({"spec": "", "library": "b", "dataset": "c"}, "spec is empty."),
        ({"spec": "a", "library": "b", "dataset": "c", "bindings": []}, "bindings must be a JSON object."),
        ([], "The body must be a JSON object."),
        ("text", "The body must be a JSON object."),
        (None, "The body is missing."),
    ],
)
def test_a_field_that_does_not_fit_is_named(as_alice, body, words):
    detail = said(as_alice.post("/v1/sessions", body), 422, "invalid")
    assert detail.startswith(words)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"operations": [{"op": "sort"}] * 51}, "operations has 51 entries; at most 50 are allowed."),
        ({"operations": "sort"}, "operations must be a list."),
        ({"operations": ["sort"]}, "operations[0] must be a JSON object."),
        ({"base": "latest"}, "base: use previous, original, or a version number."),
        ({"base": 0}, "base: use previous, original, or a version number."),
        ({"text": "x" * 4001}, "text has more than 4,000 characters."),
    ],
)
def test_a_message_that_does_not_fit_is_refused_with_its_place(as_alice, things, body, words):
    assert said(as_alice.post(things.path("/v1/sessions/{session}/messages"), body), 422, "invalid") == words


@pytest.mark.parametrize(
    "raw",
    [b"{", b"\xff\xfe", b'{"spec": NaN}', b'{"spec": 1e999}', b"[" * 100_000, b"9" * 5000],
    ids=["cut", "not UTF-8", "NaN", "infinite", "deep", "huge number"],
)
@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/datasets"])
def test_a_body_that_is_no_json_is_refused_in_words(as_alice, path, raw):
    assert "not valid JSON" in said(as_alice.post(path, raw), 422, "invalid")


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/datasets"])
def test_half_a_surrogate_pair_is_refused_before_anything_is_stored(as_alice, path):
    raw = b'{"spec": "\\ud800", "library": "b", "dataset": "c", "name": "d"}'
    assert "surrogate" in said(as_alice.post(path, raw), 422, "invalid")


def test_a_nul_character_is_refused(as_alice, things):
    answer = as_alice.post(things.path("/v1/sessions/{session}/messages"), {"text": "a\0b"})
    assert "NUL character" in said(answer, 422, "invalid")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("limit=0", "limit must be 1 or more."),
        ("limit=501", "limit must be 500 or less."),
        ("offset=-1", "offset must be 0 or more."),
        ("offset=99999999999999999999", "offset must be 1000000000 or less."),
        ("limit=ten", "limit must be a whole number."),
    ],
)
def test_a_page_out_of_range_is_refused_with_its_bound(as_alice, query, words):
    assert said(as_alice.get(f"/v1/datasets?{query}"), 422, "invalid") == words


@pytest.mark.parametrize(
    "path", ["/v1/nothing", "/v1/datasets/x/y/z", "/v1/", "/v1/status/", "/v1/sessions/x/versions/abc"]
)
def test_an_unknown_address_is_404_as_json(as_alice, path):
    assert said(as_alice.get(path), 404, "not_found").startswith("There is nothing at this address.")


def test_a_wrong_method_is_405_and_says_what_is_right(as_alice, things):
    answer = as_alice("PUT", things.path("/v1/datasets/{dataset}"), {})
    detail = said(answer, 405, "method_not_allowed")
    assert "does not answer PUT" in detail
    for method in ("GET", "PATCH", "DELETE"):
        assert method in detail
        assert method in answer["Allow"]


def test_a_host_that_is_not_ours_is_refused_as_json(db):
    answer = Client(raise_request_exception=False).get("/v1/status", headers={"Host": "evil.example"})
    assert "malformed" in said(answer, 400, "invalid")


def test_an_accident_says_nothing_of_itself_and_is_found_in_the_log_by_its_reference(as_alice, monkeypatch, caplog):
    from agents_app import selectors

    def broken(user):
        raise RuntimeError("the secret of alice's table")

    monkeypatch.setattr(selectors, "datasets", broken)
    with caplog.at_level(logging.ERROR):
        answer = as_alice.get("/v1/datasets")
    detail = said(answer, 500, "internal")
    assert "nothing you stored is lost" in detail
    assert "secret" not in answer.content.decode()
    assert any(answer.json()["ref"] in record.getMessage() and record.exc_info for record in caplog.records)


def test_an_accident_outside_an_operation_is_json_too(as_alice, settings):
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "tests.api.broken_middleware.Broken"]
    answer = as_alice.get("/v1/status", X_Break="1")
    assert "our side" in said(answer, 500, "internal")


def test_a_body_beyond_the_limit_is_413(as_alice, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = as_alice.post("/v1/datasets", {"text": "x" * 2000})
    assert "11,000,000 bytes" in said(answer, 413, "too_large")


def test_a_broken_form_is_refused_in_words(as_alice):
    answer = as_alice.client.generic(
        "POST", "/v1/datasets", b"nonsense", content_type="multipart/form-data", headers=as_alice.headers
    )
    assert "could not be read" in said(answer, 422, "invalid")


def test_every_answer_is_json_that_any_reader_takes():
    from agents_app.api.reading import StrictRenderer

    text = StrictRenderer().render(None, {"a": [float("nan"), float("inf"), 1.5], "b": ("x",)}, response_status=200)
    assert json.loads(text, parse_constant=pytest.fail) == {"a": [None, None, 1.5], "b": ["x"]}
