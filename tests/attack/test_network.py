"""A script reaches nobody: no network, no socket of this machine, no name service."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.attack.conftest import reached

pytestmark = pytest.mark.sandbox


@pytest.fixture
def listener() -> Iterator[int]:
    """A server on localhost that says hello to everybody; its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def greet() -> None:
        while True:
            try:
                visitor, _ = server.accept()
            except OSError:
                return
            with visitor:
                visitor.settimeout(2)
                visitor.sendall(b"HTTP/1.0 200 OK\r\n\r\na,b\n1,2\n")
                # Closed with the request unread, the connection would be reset and the answer lost.
                visitor.shutdown(socket.SHUT_WR)
                with suppress(OSError):
                    while visitor.recv(4096):
                        pass

    thread = threading.Thread(target=greet, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join(5)


@pytest.fixture
def unix_listener(tmp_path: Path) -> Iterator[str]:
    """A unix socket like the key-value server's; its path."""
    path = str(tmp_path / "kv.sock")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        yield path


CONNECT = "import socket\ns = socket.create_connection(('127.0.0.1', {port}), 5)\nprint('REACHED', s.recv(4))\n"
URL = "import pandas as pd\nprint('REACHED', pd.read_csv('http://127.0.0.1:{port}/x.csv').shape)\n"
RAW_CALL = """\
import ctypes, struct
libc = ctypes.CDLL(None)
fd = libc.socket(2, 1, 0)
address = struct.pack('<H', 2) + struct.pack('>H', {port}) + bytes([127, 0, 0, 1]) + bytes(8)
if libc.connect(fd, address, 16) == 0:
    print('REACHED')
"""


def test_a_server_on_this_machine_is_out_of_reach(confined_each, bare, listener):
    attacks = {"connect": CONNECT, "pandas url": URL, "libc call": RAW_CALL}
    attacks = {name: code.format(port=listener) for name, code in attacks.items()}
    assert [name for name, code in attacks.items() if not reached(bare(code))] == []
    assert [name for name, printed in confined_each(attacks).items() if reached(printed)] == []


def test_a_unix_socket_of_this_machine_is_out_of_reach(confined, bare, unix_listener):
    code = f"import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect({unix_listener!r})\nprint('REACHED')\n"
    assert reached(bare(code))
    assert not reached(confined(code).output)


def test_no_kind_of_socket_can_be_made(confined_each, bare):
    kinds = ("AF_INET, s.SOCK_STREAM", "AF_INET, s.SOCK_DGRAM", "AF_UNIX, s.SOCK_STREAM", "AF_NETLINK, s.SOCK_RAW")
    attacks = {kind: f"import socket as s\ns.socket(s.{kind})\nprint('REACHED')\n" for kind in kinds}
    attacks["pair"] = "import socket\nsocket.socketpair()\nprint('REACHED')\n"
    assert [name for name, code in attacks.items() if not reached(bare(code))] == []
    refused = "PermissionError [Errno 1] Operation not permitted"
    assert set(confined_each(attacks).values()) == {refused}


def test_the_network_has_no_way_out(confined):
    # Whether this machine has a route itself is not ours to say; so no control.
    assert confined("print(open('/proc/net/route').readlines()[1:])\n").output == "[]"
