"""A program that calls the API in this process."""

import json
from typing import Any

from django.test import Client


class Caller:
    """A program that calls the API, with a token or without."""

    def __init__(self, token: str | None = None, client: Client | None = None):
        self.client = client or Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The response; `body` is sent as JSON unless it is bytes."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method, path, data, content_type="application/json", headers={**self.headers, **named}
        )

    def get(self, path: str, **headers: str) -> Any:
        """A GET."""
        return self("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """A POST of JSON."""
        return self("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        """A PATCH of JSON."""
        return self("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        """A DELETE."""
        return self("DELETE", path, **headers)

    def form(self, path: str, fields: dict[str, Any]) -> Any:
        """A POST as multipart/form-data."""
        return self.client.post(path, fields, headers=self.headers)
