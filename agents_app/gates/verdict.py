"""A gate's verdict."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """What one gate found: `measured` against `limit`, and a sentence that a person can use.

    `asked`: the person asked for it by an operation, so it is a note and never blocks. `details` is for the
    repair: which texts, by how many pixels.
    """

    id: str
    passed: bool
    blocking: bool
    text: str
    measured: Any = None
    limit: Any = None
    asked: bool = False
    details: Any = None

    @property
    def blocks(self) -> bool:
        """True when this verdict keeps the plot from being `ok`."""
        return self.blocking and not self.passed and not self.asked

    def as_json(self) -> dict[str, Any]:
        """The API's shape (without `details`)."""
        data = asdict(self)
        del data["details"]
        return data
