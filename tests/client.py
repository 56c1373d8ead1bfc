"""A program that uses the running product from outside, over HTTP only; standard library."""

import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any


class Refused(Exception):
    """An answer outside 2xx: `status`, the parsed `body` and the `headers`."""

    def __init__(self, status: int, body: Any, headers: dict[str, str]) -> None:
        super().__init__(f"{status}: {str(body)[:400]}")
        self.status, self.body, self.headers = status, body, headers

    @property
    def code(self) -> str | None:
        """The stable code of an error of the API."""
        return self.body.get("code") if isinstance(self.body, dict) else None


class Client:
    """One caller. Without a token it becomes a guest; `token=""` stays anonymous."""

    def __init__(self, base_url: str, token: str | None = None, timeout: float = 60) -> None:
        self.base_url, self.timeout, self.token = base_url.rstrip("/"), timeout, token or ""
        if token is None:
            self.token = self.post("/v1/auth/guest")["token"]

    def open(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """The raw answer of one request; raises Refused outside 2xx."""
        request = urllib.request.Request(self.base_url + path, data=body, method=method, headers=headers or {})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            return urllib.request.urlopen(request, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            raw = error.read()
            try:
                parsed: Any = json.loads(raw)
            except ValueError:
                parsed = raw.decode("utf-8", "replace")
            raise Refused(error.code, parsed, dict(error.headers)) from None

    def request(self, method: str, path: str, payload: Any = None, **headers: str) -> Any:
        """One JSON request; the parsed answer, None when it is empty."""
        body = None if method in ("GET", "DELETE") and payload is None else json.dumps(payload or {}).encode()
        kinds = {"Content-Type": "application/json", "Accept": "application/json"}
        with self.open(method, path, body, {**kinds, **headers}) as answer:
            raw = answer.read()
        return json.loads(raw) if raw else None

    def get(self, path: str) -> Any:
        """GET, parsed."""
        return self.request("GET", path)

    def post(self, path: str, payload: Any = None, **headers: str) -> Any:
        """POST JSON, parsed."""
        return self.request("POST", path, payload, **headers)

    def content(self, path: str) -> bytes:
        """GET, as it came."""
        with self.open("GET", path) as answer:
            return answer.read()

    def upload(self, file_name: str, data: bytes, **fields: Any) -> Any:
        """Bring a file as a data set; `fields` are sent as JSON texts."""
        edge = uuid.uuid4().hex
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{json.dumps(value)}\r\n'.encode()
            for name, value in fields.items()
        ]
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{file_name}"\r\n'
        parts += [
            head.encode(),
            b"Content-Type: application/octet-stream\r\n\r\n",
            data,
            f"\r\n--{edge}--\r\n".encode(),
        ]
        kinds = {"Content-Type": f"multipart/form-data; boundary={edge}", "Accept": "application/json"}
        with self.open("POST", "/v1/datasets", b"".join(parts), kinds) as answer:
            return json.loads(answer.read())

    def stream(self, method: str, path: str, payload: Any = None) -> Iterator[dict[str, Any]]:
        """Server-sent events as {id, type, data, at}; `at` is seconds since the request was sent."""
        start = time.monotonic()
        body = None if payload is None else json.dumps(payload).encode()
        kinds = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        with self.open(method, path, body, kinds) as answer:
            event: dict[str, str] = {}
            for raw in answer:
                line = raw.decode().rstrip("\r\n")
                if line and not line.startswith(":"):
                    field, _, value = line.partition(":")
                    event[field] = value.removeprefix(" ")
                elif not line and "data" in event:
                    number = int(event["id"]) if event.get("id") else None
                    data = json.loads(event["data"])
                    yield {"id": number, "type": event.get("event"), "data": data, "at": time.monotonic() - start}
                    event = {}

    def session(self, spec: str, library: str, dataset: str, **fields: Any) -> Any:
        """A new session."""
        return self.post("/v1/sessions", {"spec": spec, "library": library, "dataset": dataset, **fields})

    def turn(self, session: str, **payload: Any) -> list[dict[str, Any]]:
        """Send a message and follow its stream to the end; all its events."""
        return list(self.stream("POST", f"/v1/sessions/{session}/messages", payload))
