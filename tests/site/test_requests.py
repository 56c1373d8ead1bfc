"""What every request passes before a view sees it."""

import pytest
from asgiref.sync import async_to_sync
from channels.testing import WebsocketCommunicator
from django.test import Client

from anyplot_site.asgi import application

CHARSETS = ["hex", "idna", "unicode_escape", "utf-7", "latin-1"]


@pytest.mark.django_db
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_form_in_another_charset_is_refused_in_a_page(charset: str) -> None:
    answer = Client().generic(
        "POST", "/", b"text=a", content_type=f"application/x-www-form-urlencoded; charset={charset}"
    )
    assert answer.status_code == 400
    assert "That could not be read." in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_program_that_names_another_charset_hears_it_in_json(charset: str) -> None:
    answer = Client().generic(
        "POST", "/v1/datasets", b"{}", content_type=f"multipart/form-data; boundary=b; charset={charset}"
    )
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert answer.json()["ref"]


@pytest.mark.django_db
def test_utf_8_may_be_named() -> None:
    answer = Client().generic("POST", "/v1/datasets", b"{}", content_type="application/json; charset=UTF-8")
    assert answer.status_code == 401


@pytest.mark.parametrize("path", ["/ws/x", "/ws/turns/zzz/", "/elsewhere"])
def test_a_socket_at_an_unknown_address_is_closed_without_noise(path: str) -> None:
    async def connect() -> tuple[bool, int | None]:
        socket = WebsocketCommunicator(application, path, headers=[(b"origin", b"http://localhost")])
        return await socket.connect()

    assert async_to_sync(connect)() == (False, 4404)
