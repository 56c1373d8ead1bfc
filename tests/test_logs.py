"""A log line says what broke and where, and never what it broke on."""

import json
import subprocess
import sys

import pytest

from tests.family.family import CHECKOUT

# The message of an error is put together at run time, so that no line of source can be taken for it.
BREAK = """
import logging, structlog
from anyplot_site import logs
logs.configure({{"level": "INFO", "json": {json}}})

def inner():
    raise ValueError("Anna " + "earns " + "4711")

def outer():
    try:
        inner()
    except ValueError as error:
        raise KeyError("Bern" + "hard") from error

for log in (logging.getLogger("foreign"), structlog.get_logger("ours")):
    try:
        outer()
    except KeyError as error:
        log.exception("it broke")
        caught = error
    log.error("it broke", exc_info=caught)
    log.info("all is well", exc_info=None)
"""


@pytest.mark.parametrize("as_json", [True, False])
def test_an_exception_is_logged_by_kind_and_place_without_its_message(as_json):
    done = subprocess.run(
        [sys.executable, "-c", BREAK.format(json=as_json)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    said = done.stderr
    assert said.count("it broke") == 4
    for marker in ("Anna", "4711", "Bernhard"):
        assert marker not in said
    if as_json:
        lines = [json.loads(line) for line in said.splitlines()]
        told = [line["exception"] for line in lines if line["event"] == "it broke"]
        assert [line.get("exception") for line in lines if line["event"] == "all is well"] == [None, None]
    else:
        told = [said] * 4
    for text in told:
        assert "KeyError" in text
        assert "from ValueError" in text
        assert "<string>:7 inner" in text
        assert "<string>:11 outer" in text
