"""A real Chromium at a real family of processes."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT_MS = 60_000  # a bound for a broken product, not a measurement


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium; without one the test is skipped and says so.

    For one file only: while it lives this thread has a running event loop, which other tests must not meet.
    """
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium on PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, family: Any) -> Iterator[Page]:
    """A fresh person's window. Whatever the page's scripts complain about fails the test."""
    context = chromium.new_context(base_url=family.base_url, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    made = context.new_page()
    troubles: list[str] = []
    made.on("pageerror", lambda error: troubles.append(str(error)))
    made.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    made.troubles = troubles  # type: ignore[attr-defined]
    yield made
    context.close()
    assert not troubles
