"""Measurements of a drawn figure: what stands where, and which values the marks show.

Runs inside the sandbox, in the same process as the script: it imports matplotlib, numpy and the standard
library only, changes nothing in the figure, and answers plain JSON. See `docs/gates.md` for the shape.
"""

from renderer_app.probe.figure import measure

__all__ = ["measure"]
