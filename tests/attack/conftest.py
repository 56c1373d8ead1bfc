"""Attacks run twice: in the sandbox, where they must fail, and bare, where they must work.

An attack is a few lines that print a line REACHED when they got what they wanted. The bare run is the control: it
shows that the attack is a real one and that the sandbox, not a mistake in the test, is what stops it.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from renderer_app import sandbox
from renderer_app.contract import Limits, RenderJob, RenderResult

EACH = """
import traceback
for number, (name, code) in enumerate({attacks!r}.items()):
    print("==", number, flush=True)
    try:
        exec(compile(code, name, "exec"), {{"__name__": "__main__"}})
    except BaseException as problem:
        print(type(problem).__name__, problem, flush=True)
"""
Attack = Callable[..., RenderResult]


@pytest.fixture
def confined() -> Attack:
    """Run an attack in the sandbox."""

    def _confined(code: str, **limits: float) -> RenderResult:
        return sandbox.run(RenderJob("attack", "light", code, limits=Limits(**limits)))  # type: ignore[arg-type]

    return _confined


def reached(printed: str) -> bool:
    """Whether an attack got what it wanted; a traceback that quotes its code does not count."""
    return any(line.startswith("REACHED") for line in printed.splitlines())


@pytest.fixture
def confined_each(confined: Attack) -> Callable[[dict[str, str]], dict[str, str]]:
    """Run several attacks one after the other in one sandbox; what each printed, or how it failed."""

    def _confined_each(attacks: dict[str, str]) -> dict[str, str]:
        printed = confined(EACH.format(attacks=attacks)).output
        parts = [part.partition("\n") for part in ("\n" + printed).split("\n== ")[1:]]
        # By number: names may be paths, and paths are stripped from what a person sees.
        assert [number for number, _, _ in parts] == [str(number) for number in range(len(attacks))]
        return {name: rest for name, (_, _, rest) in zip(attacks, parts, strict=True)}

    return _confined_each


@pytest.fixture
def bare(tmp_path: Path) -> Callable[[str], str]:
    """Run an attack without the sandbox, in a folder of its own; what it printed."""

    def _bare(code: str) -> str:
        environment = {**os.environ, "ANYPLOT_TEST_SECRET": "hunter2"}
        command = [sys.executable, "-c", code]
        # Attacks may end in an error and still have got what they wanted: only what they printed counts.
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout

    return _bare


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No attack leaves a process behind."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    assert [child for child in psutil.Process().children(recursive=True) if child.pid not in before] == []
