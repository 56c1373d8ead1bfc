"""Programs with tokens, browsers with cookies and CSRF, guests (EX5)."""

import pytest
from django.contrib.auth import get_user_model
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

from agents_app.models import Dataset, Guest

TABLE = {"text": "a,b\n1,2\n3,4\n"}


@pytest.fixture
def browser(db):
    """A browser that has seen a page (it has the CSRF cookie), with CSRF enforced."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = _get_new_csrf_string()
    return client


def write(client, path="/v1/datasets", body=TABLE, token=True):
    """A browser's POST, with the CSRF token of its cookie or without."""
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value} if token else {}
    return client.post(path, body, content_type="application/json", headers=headers)


def test_a_program_becomes_a_guest_and_goes_on_with_its_token(anonymous):
    answer = anonymous.post("/v1/auth/guest", {})
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    found = answer.json()
    assert found["user"]["guest"] is True
    assert found["limits"]["paste_bytes"] == 200_000
    anonymous.headers = {"Authorization": f"Bearer {found['token']}"}
    assert anonymous.post("/v1/datasets", TABLE).status_code == 201
    assert anonymous.get("/v1/datasets").json()["total"] == 1


def test_a_guest_can_be_had_without_a_body_but_not_with_unknown_fields(anonymous):
    assert anonymous.post("/v1/auth/guest").status_code == 201
    answer = anonymous.post("/v1/auth/guest", {"name": "me"})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "name is not known here."


def test_where_guests_are_not_allowed_a_program_hears_what_to_do(anonymous, settings):
    settings.ANYPLOT_GUESTS = False
    answer = anonymous.post("/v1/auth/guest")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert "Sign in" in answer.json()["detail"]


def test_too_many_guests_of_one_address_are_told_when_to_come_back(anonymous, settings):
    settings.ANYPLOT_GUESTS_PER_HOUR = 1
    assert anonymous.post("/v1/auth/guest").status_code == 201
    answer = anonymous.post("/v1/auth/guest")
    assert (answer.status_code, answer.json()["code"]) == (429, "rate")
    assert 3500 < int(answer["Retry-After"]) <= 3600
    assert "minutes" in answer.json()["detail"]


def test_a_bad_token_is_refused_even_beside_a_good_cookie(as_alice, alice):
    as_alice.client.force_login(alice)
    as_alice.headers = {"Authorization": "Bearer nonsense"}
    answer = as_alice.get("/v1/datasets")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert "revoked" in answer.json()["detail"]


def test_a_browser_becomes_a_guest_at_its_first_write_and_not_by_reading(browser):
    assert browser.get("/v1/catalogue").status_code == 200
    assert browser.get("/v1/datasets").status_code == 401
    assert not Guest.objects.exists()

    assert write(browser).status_code == 201
    guest = Guest.objects.get().user
    assert Dataset.objects.get().owner == guest
    assert browser.get("/v1/datasets").json()["total"] == 1, "signed in by the session cookie"

    assert write(browser).status_code == 201, "with the token of the new cookie"
    assert Guest.objects.count() == 1, "the second write is the same guest's"


@pytest.mark.parametrize("signed_in", [True, False])
def test_a_browser_that_writes_without_the_csrf_token_is_refused(browser, alice, signed_in):
    if signed_in:
        browser.force_login(alice)
    answer = write(browser, token=False)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert "Reload the page" in answer.json()["detail"]
    assert not Dataset.objects.exists()
    assert not Guest.objects.exists()


def test_a_signed_in_browser_needs_no_csrf_token_to_read(browser, alice):
    browser.force_login(alice)
    assert browser.get("/v1/datasets").status_code == 200


def test_a_form_from_another_site_does_not_write(browser, alice):
    browser.force_login(alice)
    answer = browser.post(
        "/v1/datasets",
        TABLE,
        content_type="application/json",
        headers={"X-CSRFToken": browser.cookies["csrftoken"].value, "Origin": "https://evil.example"},
    )
    assert answer.status_code == 403
    assert not Dataset.objects.exists()


def test_a_program_needs_no_csrf_token(alice, as_alice):
    as_alice.client = Client(enforce_csrf_checks=True)
    assert as_alice.post("/v1/datasets", TABLE).status_code == 201


def test_a_browser_is_told_to_sign_in_where_there_are_no_guests(browser, settings):
    settings.ANYPLOT_GUESTS = False
    answer = write(browser)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert "Sign in" in answer.json()["detail"]
    assert not get_user_model().objects.exists()


def test_a_write_to_a_strangers_session_from_a_browser_is_404(browser, things):
    answer = write(browser, things.path("/v1/sessions/{session}/cancel"), {})
    assert answer.status_code == 404


def test_switched_off_the_agent_is_not_there_and_the_catalogue_is(as_alice, anonymous, things, settings):
    settings.AGENT_ENABLED = False  # CH6
    assert as_alice.get("/v1/sessions").status_code == 404
    assert as_alice.post("/v1/sessions", {}).status_code == 404
    assert as_alice.get(things.path("/v1/turns/{turn}")).status_code == 404
    assert anonymous.get("/v1/catalogue").status_code == 200
