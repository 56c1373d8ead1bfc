"""The staff view."""

import json

import pytest
from django.contrib.auth.models import Permission

from agents_app.models import Dataset, Session
from agents_app.queue import pause
from agents_app.services.send import send
from agents_app.services.start import start
from agents_app.services.upload import upload
from tests.web.seen import Reader


@pytest.fixture
def clerk(django_user_model):
    """Staff who may view nothing."""
    return django_user_model.objects.create_user("clerk", is_staff=True)


@pytest.fixture
def as_staff(django_user_model) -> Reader:
    """An operator's browser."""
    operator = django_user_model.objects.create_user("operator", is_staff=True)
    views = ("view_dataset", "view_version", "view_artifact")
    operator.user_permissions.set(Permission.objects.filter(codename__in=views))
    return Reader(operator)


def test_staff_see_anybodys_session_with_the_inspector(as_staff, made):
    page = as_staff.get(f"/debug/agent?session={made.session.pk}")
    assert page.status == 200
    assert "Inspector of alice's session" in page.text
    assert "ready" in page.text
    assert "total_ms" in page.text


def test_staff_look_at_the_pictures_and_find_only_forms_that_work(as_staff, made):
    page = as_staff.get(f"/debug/agent?session={made.session.pk}")
    (picture,) = [one["src"] for one in page.pictures if "data-plot" in one]
    answer = as_staff.client.get(picture)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    switch = f"/debug/agent/sessions/{made.session.pk}/versions/1/render"
    assert [form.action for form in page.forms] == ["/appearance", switch]
    assert not [link for link in page.links if link.startswith(("/v1/sessions", "/agent/"))]
    assert "penguins" in page.text
    assert "bill_length_mm" in page.text
    for link in {link for link in page.links if link.startswith("/") and not link.startswith("/v1/docs")}:
        assert as_staff.client.get(link).status_code in (200, 302), link


def test_the_switch_on_the_staffs_page_shows_the_other_theme(as_staff, made):
    page = as_staff.get(f"/debug/agent?session={made.session.pk}")
    page = as_staff.send(page.forms[1], press=("theme", "dark"))
    assert page.has("button", value="dark", aria_pressed="true", name="theme")
    (picture,) = [one["src"] for one in page.pictures if "data-plot" in one]
    assert str(made.version.artifacts.get(theme="dark").pk) in picture
    assert as_staff.client.get(picture).status_code == 200


def test_staff_who_may_not_view_peoples_things_see_only_their_own(clerk, made):
    reader = Reader(clerk)
    assert reader.get(f"/debug/agent?session={made.session.pk}").status == 403
    page = reader.get("/debug/agent?spec=scatter-basic")
    assert page.status == 200
    token = page.form("/appearance").fields["csrfmiddlewaretoken"][0]
    path = f"/debug/agent/sessions/{made.session.pk}/versions/1/render"
    answer = reader.client.post(path, {"theme": "dark"}, headers={"X-CSRFToken": token})
    assert answer.status_code == 403
    assert not made.version.artifacts.filter(theme="dark").exists()


def test_an_operators_own_session_is_the_page_that_acts(clerk, made):
    Session.objects.update(owner=clerk)
    Dataset.objects.update(owner=clerk)
    page = Reader(clerk).get(f"/debug/agent?session={made.session.pk}")
    assert page.form("/agent/toggle")
    assert page.form("/agent/create")


@pytest.mark.parametrize("path", ["/debug/agent?session={}", "/debug/agent?spec=scatter-basic"])
def test_nobody_else_sees_it(as_alice, nobody, made, path):
    url = path.format(made.session.pk)
    for reader in (as_alice, nobody):
        answer = reader.client.get(url)
        assert answer.status_code == 302
        assert "/admin/login/" in answer["Location"]


def test_a_look_of_staff_is_nobodys_presence(as_staff, as_alice, alice, penguins):
    pause.pause()
    dataset = upload(alice, data=penguins, how="paste")
    session = start(alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    turn = send(session, alice)
    assert as_staff.get(f"/debug/agent?session={session.pk}").status == 200
    turn.refresh_from_db()
    assert turn.present_until is None  # it waits its whole wait, as the program was promised
    as_alice.get(f"/agent/?session={session.pk}")
    turn.refresh_from_db()
    assert turn.present_until is not None


def test_the_public_page_never_calls_it(as_alice, made):
    assert "/debug" not in as_alice.get(f"/agent/?session={made.session.pk}").response.content.decode()


def render(reader: Reader, made, body) -> tuple[int, dict]:
    token = reader.get(f"/debug/agent?session={made.session.pk}").form("/appearance").fields["csrfmiddlewaretoken"][0]
    path = f"/debug/agent/sessions/{made.session.pk}/versions/0/render"
    answer = reader.client.post(path, json.dumps(body), "application/json", headers={"X-CSRFToken": token})
    return answer.status_code, answer.json()


def test_staff_render_the_other_theme(as_staff, made):
    status, body = render(as_staff, made, {"theme": "dark"})
    assert status == 200
    assert body["status"] == "ok"
    assert body["version"]["themes"]["dark"]["png"]


@pytest.mark.parametrize("body", [{"theme": "blue"}, {}, {"theme": "dark", "more": 1}, ["dark"]])
def test_a_body_that_is_not_a_theme_is_refused(as_staff, made, body):
    status, answer = render(as_staff, made, body)
    assert (status, answer["code"]) == (422, "invalid")
