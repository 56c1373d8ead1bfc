"""The web server over real sockets: its limit on request bodies."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import psutil
import pytest

from anyplot_site import bounds
from tests.family.family import CHECKOUT

MB = 1_000_000


@dataclass
class Web:
    """A web process without the rest of the family."""

    port: int
    process: psutil.Process

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> Iterator[Web]:
    """A web process on a socket that this test opened."""
    environment = {
        **os.environ,
        "ANYPLOT_HOME": str(tmp_path_factory.mktemp("home")),
        "DJANGO_SETTINGS_MODULE": "anyplot_site.settings",
    }
    subprocess.run([sys.executable, "-m", "anyplot_site.prepare"], cwd=CHECKOUT, env=environment, check=True)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = subprocess.Popen(
            [sys.executable, "-m", "anyplot_site.web", str(listener.fileno())],
            cwd=CHECKOUT,
            pass_fds=[listener.fileno()],
            env=environment,
        )
        port = listener.getsockname()[1]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        connection.close()
        yield Web(port, psutil.Process(process.pid))
        process.terminate()
        process.wait(30)


def head(length: int | None, *more: str) -> bytes:
    """The head of a POST; without a length it is chunked."""
    size = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    lines = ["POST /healthz HTTP/1.1", "Host: localhost", size, *more]
    return "\r\n".join([*lines, "", ""]).encode()


def answer(connection: socket.socket) -> tuple[http.client.HTTPResponse, dict]:
    """The answer that waits on a connection, and its JSON."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response, json.loads(response.read())


def sent_in_pieces(connection: socket.socket, size: int, *, chunked: bool = False) -> int:
    """Send `size` bytes; how many were taken before the server hung up."""
    piece = b"x" * 100_000
    wire = b"186a0\r\n" + piece + b"\r\n" if chunked else piece
    sent = 0
    try:
        while sent < size:
            connection.sendall(wire)
            sent += len(piece)
        if chunked:
            connection.sendall(b"0\r\n\r\n")
    except OSError:
        pass
    return sent


def test_the_largest_allowed_body_is_taken(web):
    with web.connect() as connection:
        connection.sendall(head(bounds.BODY_BYTES) + b"x" * bounds.BODY_BYTES)
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.status == 200


@pytest.mark.parametrize("chunked", [False, True])
def test_a_file_of_12_mb_is_a_json_413_after_all_of_it_was_sent_and_the_connection_goes_on(web, chunked):
    with web.connect() as connection:
        connection.sendall(head(None if chunked else 12 * MB))
        assert sent_in_pieces(connection, 12 * MB, chunked=chunked) == 12 * MB
        response, body = answer(connection)
        assert response.status == 413
        assert response.headers["Content-Type"] == "application/json"
        assert body["code"] == "too_large"
        assert "12 MB" in body["detail"]
        assert "10 MB" in body["detail"]
        assert len(body["ref"]) == 12
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.status == 200


def test_a_client_that_asks_first_is_refused_before_it_sends(web):
    with web.connect() as connection:
        connection.sendall(head(12 * MB, "Expect: 100-continue"))
        response, body = answer(connection)
        assert response.status == 413
        assert body["code"] == "too_large"
        assert connection.recv(1) == b""


def test_a_client_that_asks_first_and_is_within_the_limit_is_invited(web):
    with web.connect() as connection:
        connection.sendall(head(10, "Expect: 100-continue"))
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"x" * 10)
        assert b"200" in connection.recv(1000)


def test_300_mb_are_answered_at_once_and_cost_no_memory(web):
    before = web.process.memory_info().rss
    with web.connect() as connection:
        connection.sendall(head(300 * MB))
        response, body = answer(connection)
        assert response.status == 413
        assert "300 MB" in body["detail"]
        # It goes on sending all the same, and is cut off.
        assert sent_in_pieces(connection, 300 * MB) < 100 * MB
    assert web.process.memory_info().rss - before < 30 * MB


def test_an_endless_chunked_body_is_answered_and_cut_off(web):
    before = web.process.memory_info().rss
    with web.connect() as connection:
        connection.sendall(head(None))
        assert sent_in_pieces(connection, 300 * MB, chunked=True) < 100 * MB
    assert web.process.memory_info().rss - before < 30 * MB


def test_a_browser_that_sends_a_form_gets_a_page(web):
    with web.connect() as connection:
        connection.sendall(head(12 * MB, "Accept: text/html,*/*"))
        sent_in_pieces(connection, 12 * MB)
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.status == 413
        assert b"<h1>Too large</h1>" in response.read()


def test_a_client_that_hangs_up_in_the_middle_leaves_the_server_well(web):
    for length in (5 * MB, 20 * MB, 300 * MB):
        with web.connect() as connection:
            connection.sendall(head(length) + b"x" * MB)
    with web.connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in connection.recv(1000)


def test_a_client_cannot_move_the_site_to_another_root(web):
    with web.connect() as connection:
        connection.sendall(
            b"GET /admin/login/ HTTP/1.1\r\nHost: localhost\r\nDaphne-Root-Path: /evil\r\nConnection: close\r\n\r\n"
        )
        page = b"".join(iter(lambda: connection.recv(65536), b""))
        assert b"200 OK" in page
        assert b"/evil" not in page
