"""EX3, for every operation there is: a stranger's things are 404, and a program without credentials gets 401.

The operations are read from the OpenAPI, so that a new one cannot be forgotten: one that needs a body and
is not listed here fails with 422.
"""

import pytest

from agents_app.api.api import api


@pytest.fixture(autouse=True)
def fake_renderer(settings):
    """No sandbox: this is about who may, not about pictures."""
    settings.AGENT_RENDERER = "fake"


PUBLIC = {
    "POST /v1/auth/guest",
    "GET /v1/status",
    "GET /v1/catalogue",
    "GET /v1/catalogue/{spec}",
    "GET /v1/catalogue/{spec}/{language}/{library}",
    "GET /v1/eligibility",
}
# About nobody's thing in particular: a stranger gets their own, which is empty.
OWN_LISTS = {"GET /v1/datasets", "GET /v1/sessions"}
MAKES = {"POST /v1/datasets"}
BODIES = {
    "PATCH /v1/datasets/{dataset}": {"name": "mine now"},
    "POST /v1/datasets/{dataset}/check": {"spec": "scatter-basic"},
    "POST /v1/sessions": {"spec": "scatter-basic", "library": "matplotlib", "dataset": "{dataset}"},
    "PATCH /v1/sessions/{session}": {"name": "mine now"},
    "POST /v1/sessions/{session}/messages": {},
    "POST /v1/sessions/{session}/interpret": {"text": "make it red"},
    "POST /v1/sessions/{session}/versions/{number}/render": {"theme": "light"},
    "POST /v1/sessions/{session}/versions/{number}/export": {"theme": "light", "format": "svg"},
    "POST /v1/sessions/{session}/versions/{number}/feedback": {"reaction": "up"},
    "POST /v1/datasets": {"text": "a,b\n1,2\n3,4\n"},
}


def operations() -> list[str]:
    """Every operation of the API as `METHOD /path/{with}/{names}`."""
    paths = api.get_openapi_schema(path_prefix="/v1/")["paths"]
    return sorted(f"{method.upper()} {path}" for path, methods in paths.items() for method in methods)


PRIVATE = [name for name in operations() if name not in PUBLIC]
ABOUT_A_THING = [name for name in PRIVATE if name not in OWN_LISTS | MAKES]


def call(caller, things, name: str):
    """Do an operation on somebody's things."""
    method, template = name.split(" ")
    body = BODIES.get(name)
    if body:
        body = {key: things.path(value) if isinstance(value, str) else value for key, value in body.items()}
    return caller(method, things.path(template), body)


def test_the_public_operations_are_these_and_no_others():
    assert set(operations()) >= PUBLIC
    assert len(PRIVATE) > 25
    assert set(BODIES) <= set(PRIVATE), "a body for an operation that is no more"


@pytest.mark.parametrize("name", ABOUT_A_THING)
def test_a_stranger_finds_nothing_of_alices(name, things, as_charlie):
    answer = call(as_charlie, things, name)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), answer.content
    assert answer.json()["ref"]


@pytest.mark.parametrize("name", PRIVATE)
def test_a_program_without_credentials_is_asked_for_them(name, things, anonymous):
    answer = call(anonymous, things, name)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), answer.content
    assert "Authorization: Bearer" in answer.json()["detail"]
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("name", PRIVATE)
def test_the_owner_may(name, things, as_alice):
    answer = call(as_alice, things, name)
    assert answer.status_code < 300, answer.content


@pytest.mark.parametrize("name", sorted(OWN_LISTS))
def test_a_list_shows_only_ones_own(name, things, as_charlie, as_bob, bobs):
    assert call(as_charlie, things, name).json()["items"] == []
    mine = call(as_bob, things, name).json()
    assert mine["total"] == 1
    assert mine["items"][0]["id"] in (str(bobs.dataset.id), str(bobs.session.id))


@pytest.mark.parametrize("name", ABOUT_A_THING)
def test_a_malformed_id_is_as_absent_as_an_unknown_one(name, things, as_alice):
    method, template = name.split(" ")
    body = BODIES.get(name)
    if name == "POST /v1/sessions":
        body = {**body, "dataset": "not-an-id"}
    for thing in ("{dataset}", "{session}", "{turn}"):
        template = template.replace(thing, "not-an-id")
    answer = as_alice(method, things.path(template), body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), answer.content


def test_staff_see_their_own_things_here_too(things, client, bob):
    bob.is_staff = bob.is_superuser = True
    bob.save()
    client.force_login(bob)
    assert client.get("/v1/sessions").json()["items"] == []
    assert client.get(things.path("/v1/sessions/{session}")).status_code == 404
