"""Sessions over HTTP: started, renamed, bound anew, asked, stopped, deleted."""

import pytest
from django.core.files.storage import default_storage

from agents_app.models import Session, Turn, Usage, Version
from agents_app.queue import clock

MESSAGES = "/v1/sessions/{session}/messages"


def said(answer, status, code):
    """The detail of an error answer."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    return answer.json()["detail"]


def start_body(things, **more):
    """A body that starts a session on these things' data set."""
    return {"spec": "scatter-basic", "library": "matplotlib", "dataset": str(things.dataset.id), **more}


def test_a_session_starts_with_proposed_bindings(as_alice, things):
    answer = as_alice.post("/v1/sessions", start_body(things))
    assert answer.status_code == 201
    found = answer.json()
    assert (found["spec"], found["library"], found["language"]) == ("scatter-basic", "matplotlib", "python")
    assert found["dataset"] == str(things.dataset.id)
    assert found["versions"] == []
    assert found["turn"] is None
    assert found["theme"] == "light"
    assert {found["bindings"]["x"], found["bindings"]["y"]} == {"bill_length_mm", "bill_depth_mm"}
    assert {role["name"] for role in found["roles"]} >= {"x", "y", "category"}
    assert as_alice.get(f"/v1/sessions/{found['id']}").json() == found


def test_given_bindings_are_exact(as_alice, things):
    bindings = {"x": "bill_depth_mm", "y": "bill_length_mm"}
    assert as_alice.post("/v1/sessions", start_body(things, bindings=bindings)).json()["bindings"] == bindings


def test_bindings_that_do_not_fit_start_nothing(as_alice, things):
    before = Session.objects.count()
    answer = as_alice.post("/v1/sessions", start_body(things, bindings={"x": "species", "y": "nothing"}))
    assert said(answer, 422, "binding_refused")
    assert {"lines", "roles", "proposed"} <= set(answer.json())
    assert Session.objects.count() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [({"spec": "no-such-plot"}, "no-such-plot"), ({"library": "gnuplot"}, "gnuplot"), ({"language": "julia"}, "julia")],
)
def test_a_plot_that_is_not_in_the_catalogue_is_named(as_alice, things, change, words):
    assert words in said(as_alice.post("/v1/sessions", start_body(things) | change), 404, "not_found")


def test_a_pair_that_can_not_be_adapted_is_refused_with_its_reasons(as_alice, things, monkeypatch):
    from agents_app.catalogue.eligibility import IneligibleReason
    from agents_app.services import start

    found = [IneligibleReason(code="save_target", line=40, text="It never saves a picture.")]
    monkeypatch.setattr(start, "reasons", lambda *pair: found)
    answer = as_alice.post("/v1/sessions", start_body(things))
    assert "It never saves a picture." in said(answer, 422, "ineligible")
    assert answer.json()["reasons"] == [{"code": "save_target", "line": 40, "text": "It never saves a picture."}]


def test_a_session_shows_its_versions_in_short_and_its_latest_turn(as_alice, things):
    found = as_alice.get(things.path("/v1/sessions/{session}")).json()
    assert [version["version"] for version in found["versions"]] == [1]
    assert found["versions"][0]["themes"]["light"]["png"].endswith("/versions/1/plot-light.png")
    assert found["turn"]["id"] == str(things.turn.id)
    assert found["turn"]["outcome"] == "not_understood"


def test_a_session_is_renamed_and_bound_anew(as_alice, things):
    path = things.path("/v1/sessions/{session}")
    bindings = {"x": "bill_depth_mm", "y": "bill_length_mm"}
    found = as_alice.patch(path, {"name": " Beaks \n of birds", "bindings": bindings}).json()
    assert (found["name"], found["bindings"]) == ("Beaks of birds", bindings)
    assert said(as_alice.patch(path, {"bindings": {"x": "species"}}), 422, "binding_refused")
    assert "letter or digit" in said(as_alice.patch(path, {"name": "\u200b\n"}), 422, "invalid")
    assert as_alice.get(path).json()["bindings"] == bindings


def test_without_its_data_set_a_session_can_not_be_bound(as_alice, things):
    things.dataset.delete()
    answer = as_alice.patch(things.path("/v1/sessions/{session}"), {"bindings": {"x": "a"}})
    assert "data set of this session was deleted" in said(answer, 422, "invalid")


def test_a_list_of_sessions_costs_the_same_however_long_it_is(as_alice, things, django_assert_max_num_queries):
    for number in range(2, 8):
        Version.objects.create(
            session=things.session, number=number, status="ok", theme="light", spec="s", library="l", recipe={}
        )
        as_alice.post("/v1/sessions", start_body(things))
    with django_assert_max_num_queries(6):
        page = as_alice.get("/v1/sessions").json()
    assert page["total"] == 7
    assert len(page["items"][-1]["versions"]) == 7


def test_a_message_takes_a_place_and_says_where_to_listen(as_alice, things):
    answer = as_alice.post(things.path(MESSAGES), {})
    assert answer.status_code == 202, answer.content
    found = answer.json()
    assert found["position"] == 1
    assert found["waiting"] == 1
    assert found["events"] == f"/v1/turns/{found['turn']}/events"
    turn = as_alice.get(f"/v1/turns/{found['turn']}").json()
    assert turn["session"] == str(things.session.id)
    assert turn["state"] in Turn.ACTIVE


def test_a_second_message_while_one_is_active_is_refused_and_after_a_stop_it_is_taken(as_alice, things):
    assert as_alice.post(things.path(MESSAGES), {}).status_code == 202
    assert said(as_alice.post(things.path(MESSAGES), {}), 409, "run_active")
    cancel = things.path("/v1/sessions/{session}/cancel")
    assert as_alice.post(cancel).json() == {"canceled": True}
    assert as_alice.post(cancel, {}).json() == {"canceled": False}
    assert as_alice.post(things.path(MESSAGES), {}).status_code == 202, "EX4"


def test_a_repeated_key_joins_the_same_turn(as_alice, things):
    first = as_alice.post(things.path(MESSAGES), {}, Idempotency_Key="press-1").json()
    second = as_alice.post(things.path(MESSAGES), {}, Idempotency_Key="press-1").json()
    assert first["turn"] == second["turn"]  # QU17
    answer = as_alice.post(things.path(MESSAGES), {}, Idempotency_Key="x" * 300)
    assert answer.status_code == 422
    assert "Idempotency-Key" in answer.json()["detail"]


def test_a_full_queue_says_when_to_come_back(as_alice, as_bob, things, bobs, settings):
    settings.AGENT_RUNS_PER_MINUTE = 0
    settings.AGENT_QUEUE_CAPACITY = 0
    answer = as_alice.post(things.path(MESSAGES), {}, Accept="text/event-stream")
    detail = said(answer, 503, "capacity")
    assert "full" in detail
    assert int(answer["Retry-After"]) >= 1
    assert answer["Content-Type"] == "application/json", "before any stream"


def test_a_spent_day_says_when_it_begins_anew_before_any_stream(as_alice, alice, things, settings):
    settings.AGENT_DAILY_RUNS = 2  # BU1
    Usage.objects.create(user=alice, day=clock.now().date(), runs=2)
    answer = as_alice.post(things.path(MESSAGES), {}, Accept="text/event-stream")
    assert "2 plots today" in said(answer, 429, "budget")
    assert "UTC" in answer.json()["detail"]
    assert 1 <= int(answer["Retry-After"]) <= 86_400
    assert as_alice.post(things.path(MESSAGES), {"text": "hello"}).status_code == 202, "words cost nothing"


def test_words_that_are_not_understood_take_no_place(as_alice, things):
    answer = as_alice.post(things.path(MESSAGES), {"text": "make it sparkle"})
    assert answer.status_code == 202
    found = answer.json()
    assert found["state"] == "finished"
    assert found["position"] is None
    assert as_alice.get(f"/v1/turns/{found['turn']}").json()["outcome"] == "not_understood"


@pytest.mark.parametrize(
    "operation", [{"op": "levitate"}, {"op": "set_scale", "axis": "z", "scale": "log"}, {"op": "sort", "by": "nothing"}]
)
def test_an_operation_that_does_not_fit_is_refused_before_any_place(as_alice, things, operation):
    before = Turn.objects.count()
    detail = said(as_alice.post(things.path(MESSAGES), {"operations": [operation]}), 422, "invalid")
    assert "operations[0]" in detail
    assert Turn.objects.count() == before


def test_interpret_looks_at_words_and_operations_and_runs_nothing(as_alice, things):
    path = things.path("/v1/sessions/{session}/interpret")
    before = Turn.objects.count()
    found = as_alice.post(path, {"text": "make it sparkle"}).json()
    assert found["operations"] == []
    assert found["not_understood"] == ["make it sparkle"]
    assert isinstance(found["suggestions"], list)
    good = {"op": "set_title", "text": "Beaks"}
    assert as_alice.post(path, {"operations": [good]}).json()["operations"] == [good]
    assert "operations[0]" in said(as_alice.post(path, {"operations": [{"op": "levitate"}]}), 422, "invalid")
    assert Turn.objects.count() == before


def test_a_deleted_session_takes_its_turn_its_versions_and_their_files_along(
    as_alice, things, django_capture_on_commit_callbacks
):
    waiting = as_alice.post(things.path(MESSAGES), {}).json()["turn"]
    names = [things.version.script.name, things.version.data.name, things.version.artifacts.get().file.name]
    assert all(default_storage.exists(name) for name in names)
    with django_capture_on_commit_callbacks(execute=True):
        assert as_alice.delete(things.path("/v1/sessions/{session}")).status_code == 204
    assert as_alice.get(things.path("/v1/sessions/{session}")).status_code == 404
    assert as_alice.get(f"/v1/turns/{waiting}").status_code == 404
    assert not any(default_storage.exists(name) for name in names)
    assert as_alice.get(things.path("/v1/datasets/{dataset}")).status_code == 200, "the table stays"
