"""The web process: daphne, with a limit on request bodies in the server itself.

Daphne reads a whole body before Django sees the request, so Django's own limits come too late: a POST of
300 MB that ends in a 403 has cost 300 MB. Here a body beyond the limit is thrown away as it comes. Up to
`BODY_DRAIN_BYTES` it is read to its end, so that a client which sends before it listens hears the answer;
beyond that the answer is sent at once and the connection ends.

`python -m anyplot_site.web [FD]` serves on an inherited listening socket, or on HOST and PORT.
"""

# Daphne installs its reactor when it is imported; nothing may import Twisted's before.
import daphne.server  # isort: skip

import json
import logging
import os
import socket
import sys
import threading
import uuid
from io import BytesIO
from typing import IO, Any

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet import defer, reactor
from twisted.web.http import Request

from anyplot_site import bounds

log = logging.getLogger(__name__)

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Too large</title>
<body style="font-family:system-ui;background:#F5F3EC;color:#1A1A17;padding:3rem 1rem;max-width:40rem;margin:auto">
<h1>Too large</h1><p>{detail}</p><p>Go back and bring a smaller file. Nothing was lost. ({ref})</p></body></html>"""


def megabytes(size: int) -> str:
    """A size for a person: `12.0 MB`, in powers of ten."""
    return f"{size / 1_000_000:.1f}".removesuffix(".0") + " MB"


class BoundedRequest(WebRequest):
    """A request whose body never takes more than `BODY_BYTES`."""

    def __init__(self, channel: Any, queued: Any = False) -> None:
        # Twisted would parse forms too, in memory and a second time.
        Request.__init__(self, channel, parsePOSTFormSubmission=False)
        self.client_addr = None
        self.server_addr = None
        self.server = self.channel.factory.server
        self.application_queue = None
        self._response_started = False
        self.received = 0
        self.announced: int | None = None
        self.too_large = False
        self.answered_early = False
        self.server.protocol_connected(self)

    def gotLength(self, length: int | None) -> None:
        """The header is complete; `length` is None for a chunked body."""
        self.announced = length
        self.too_large = length is not None and length > bounds.BODY_BYTES
        super().gotLength(0 if self.too_large else length)
        if not self.too_large:
            return
        waits = self.requestHeaders.hasHeader(b"Expect")
        # Without this, Twisted would invite the body after our answer.
        self.requestHeaders.removeHeader(b"Expect")
        if waits or (length or 0) > bounds.BODY_DRAIN_BYTES:
            self.answer_early()

    def handleContentChunk(self, data: bytes) -> None:
        """A piece of the body came."""
        self.received += len(data)
        if not self.too_large and self.received > bounds.BODY_BYTES:
            self.too_large = True
            self.content.close()
            self.content: IO[bytes] = BytesIO()
        if not self.too_large:
            super().handleContentChunk(data)
        elif self.received > bounds.BODY_DRAIN_BYTES:
            self.answer_early()
            self.channel.loseConnection()

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        """The body is complete."""
        if self.answered_early:
            self.channel.loseConnection()
            return
        super().requestReceived(command, path, version)

    def process(self) -> Any:
        """Hand the request to the application, or refuse it."""
        # Daphne lets any client move the site to another root by this header.
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        if not self.too_large:
            return super().process()
        body = self.refusal()
        self.write(body)
        self.finish()
        return None

    def refusal(self) -> bytes:
        """The body of a 413, its status and headers set: JSON, or a page for a browser that navigates."""
        size = self.announced if self.announced is not None else self.received
        more = "" if self.announced is not None else "more than "
        detail = (
            f"The request is {more}{megabytes(size)}; a file may be {megabytes(bounds.FILE_BYTES)} at most, "
            f"a whole request {megabytes(bounds.BODY_BYTES)}."
        )
        ref = uuid.uuid4().hex[:12]
        log.warning("too large: %s bytes announced, %s received, ref %s", self.announced, self.received, ref)
        accepted = b",".join(self.requestHeaders.getRawHeaders(b"Accept") or [])
        if b"text/html" in accepted:
            kind, body = b"text/html; charset=utf-8", PAGE.format(detail=detail, ref=ref).encode()
        else:
            kind, body = b"application/json", json.dumps({"code": "too_large", "detail": detail, "ref": ref}).encode()
        self.setResponseCode(413)
        self.setHeader(b"Content-Type", kind)
        self.setHeader(b"Content-Length", str(len(body)).encode())
        self.setHeader(b"X-Content-Type-Options", b"nosniff")
        return body

    def answer_early(self) -> None:
        """Answer while the client still sends; the rest is thrown away until it stops or has sent too much."""
        if self.answered_early:
            return
        self.answered_early = True
        # The request line is only handed over with the whole body; the answer needs the version.
        self.method, self.uri, self.clientproto = self.channel._command, self.channel._path, self.channel._version
        self.channel.persistent = False
        body = self.refusal()
        self.setHeader(b"Connection", b"close")
        self.write(body)
        # The half-close says that this was all; reading goes on.
        self.channel.transport.loseWriteConnection()


class BoundedFactory(HTTPFactory):
    """Speaks HTTP with bounded requests."""

    def buildProtocol(self, addr: Any) -> Any:
        """A protocol for a new connection."""
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol


class Server(daphne.server.Server):
    """Daphne on a socket that somebody else opened."""

    def __init__(self, application: Any, listener: socket.socket, **options: Any) -> None:
        super().__init__(application, endpoints=["the listener"], ready_callable=self.adopt, **options)
        self.endpoints: list[str] = []  # ours is adopted, not described
        self.listener = listener

    def adopt(self) -> None:
        """Serve on the listener, with our requests."""
        self.http_factory = BoundedFactory(self)
        self.listener.setblocking(False)  # Twisted accepts until there is nobody left
        reactor.adoptStreamPort(self.listener.fileno(), self.listener.family, self.http_factory)  # type: ignore[attr-defined]

    def kill_all_applications(self) -> defer.Deferred[Any]:
        """Cancel what still runs; unlike daphne's, it passes over connections that have no application."""
        import asyncio

        running = [
            details["application_instance"]
            for details in self.connections.values()
            if details.get("application_instance") and not details["application_instance"].done()
        ]
        for application in running:
            application.cancel()
        waiting = asyncio.wait(running, timeout=bounds.STOP_GRACE_S / 2) if running else asyncio.sleep(0)
        return defer.Deferred.fromFuture(asyncio.ensure_future(waiting))


def log_action(protocol: str, action: str, details: dict[str, Any]) -> None:
    """One line for a finished request, without its query."""
    if (protocol, action) == ("http", "complete"):
        path = details["path"].partition("?")[0]
        took = details["time_taken"] * 1000
        logging.getLogger("anyplot.access").info("%s %s %s %.0f ms", details["method"], path, details["status"], took)


def keep_beating() -> None:
    """Write this process's sign of life now and then, from a thread of its own."""
    from django.db import close_old_connections

    from renderer_app import beats

    pause = threading.Event()
    while True:
        try:
            close_old_connections()
            beats.beat("web")
        except Exception as error:  # a database that is being restarted; the next beat tries again
            log.warning("no sign of life could be written: %s", type(error).__name__)
        finally:
            close_old_connections()
        pause.wait(bounds.WORKER_BEAT_S)


def warm() -> None:
    """Import the pages and the API while nobody waits; `/healthz` is answered meanwhile."""
    from django.urls import get_resolver

    _ = get_resolver().url_patterns


def main() -> None:
    """Serve until a signal ends it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "anyplot_site.settings")
    import django
    from django.conf import settings

    django.setup()
    from agents_app.queue.tick import start_ticking
    from anyplot_site.asgi import application
    from anyplot_site.ground import listen

    inherited = len(sys.argv) > 1
    listener = socket.socket(fileno=int(sys.argv[1])) if inherited else listen(settings.HOST, settings.PORT)
    start_ticking()
    threading.Thread(target=keep_beating, name="beat", daemon=True).start()
    threading.Thread(target=warm, name="warm", daemon=True).start()
    Server(
        application,
        listener,
        action_logger=log_action,
        proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
        http_timeout=None,  # a stream may live for a whole turn (PR4); the queue bounds it
        websocket_max_message_size=bounds.SOCKET_MESSAGE_BYTES,
        websocket_max_frame_size=bounds.SOCKET_MESSAGE_BYTES,
        application_close_timeout=bounds.STOP_GRACE_S,
        server_name="anyplot",
        verbosity=1,
    ).run()


if __name__ == "__main__":
    main()
