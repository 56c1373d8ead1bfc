"""The staff view."""

import json

import pytest

from agents_app.queue import pause
from agents_app.services.send import send
from agents_app.services.start import start
from agents_app.services.upload import upload
from tests.web.seen import Reader


@pytest.fixture
def as_staff(django_user_model) -> Reader:
    """An operator's browser."""
    return Reader(django_user_model.objects.create_user("operator", is_staff=True))


def test_staff_see_anybodys_session_with_the_inspector(as_staff, made):
    page = as_staff.get(f"/debug/agent?session={made.session.pk}")
    assert page.status == 200
    assert "Inspector of alice's session" in page.text
    assert "ready" in page.text
    assert "total_ms" in page.text


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
