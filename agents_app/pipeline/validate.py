"""Step 2: the script is checked before it runs (GA2).

Early refusal and quality, never the wall: that is the sandbox.
"""

from functools import lru_cache

from agents_app.catalogue import eligibility
from agents_app.catalogue.eligibility import IneligibleReason
from agents_app.pipeline.adapt import Adapted
from agents_app.pipeline.outcome import Failure
from agents_app.recipe import adapter

LINES_NAMED = 5


def validate(adapted: Adapted) -> None:
    """Check the run form by the catalogue's own rules, and that `plot.py` parses. Raises Failure with the reasons.

    The run form has the data placeholder exactly once; `plot.py` is the run form with the loader in its place.
    """
    reasons = _broken_rules(adapted.script)
    try:
        compile(adapted.plot_py, "plot.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = f"Line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        raise Failure("validation", "The adapted script can't be read.", (f"{line}{error.args[0]}",)) from error
    if reasons:
        named = tuple(f"Line {r.line}: {r.text}" if r.line else r.text for r in reasons[:LINES_NAMED])
        raise Failure("validation", "The script breaks the rules of the catalogue.", named)


@lru_cache(maxsize=256)
def _broken_rules(script: str) -> tuple[IneligibleReason, ...]:
    """What the run form of a script breaks; the scripts of a catalogue are few, and read once."""
    return tuple(eligibility.check_script(adapter.run_form(script)))
