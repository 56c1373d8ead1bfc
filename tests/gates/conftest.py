"""Evidence made by hand, and real figures through the real sandbox."""

from collections.abc import Callable
from typing import Any

import pytest

from agents_app.gates.evidence import Evidence
from agents_app.recipe.recipe import Recipe
from renderer_app.contract import RenderJob, RenderResult
from tests.gates.figures import BARS, png, probe


@pytest.fixture
def evidence() -> Callable[..., Evidence]:
    """Evidence by hand: a green box as the picture's data, unless told otherwise."""

    def make(**given: Any) -> Evidence:
        picture = given.pop("picture", None) or png(boxes=[(800, 400, 2600, 1200)])
        measured = given.pop("probe", probe())
        result = given.pop("result", None) or RenderResult(
            "light", picture, 3200, 1800, measured, usage={"wall_ms": 5.0}
        )
        recipe = given.pop("recipe", Recipe("hand-made", "matplotlib", {"category": "c", "value": "v"}))
        return Evidence(result, recipe, given.pop("spec", BARS), given.pop("columns", []), **given)

    return make


@pytest.fixture(scope="session")
def sandboxed() -> Callable[[str], RenderResult]:
    """Run a script in the real sandbox; the same script is run once a session."""
    from renderer_app import sandbox

    known: dict[str, RenderResult] = {}

    def render(code: str) -> RenderResult:
        if code not in known:
            known[code] = sandbox.run(RenderJob(job_id="gate", theme="light", code=code))
        return known[code]

    return render
