"""The recipe: a plot as plain data.

spec x library x bindings x transforms x options x labels x theme. Everything a person asks for becomes a
change of it; the adapter turns it and a catalogue script into `plot.py`.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

Bindings = dict[str, Any]  # {role: column name}, for a family role {role: [names]}


@dataclass(frozen=True)
class Recipe:
    """A whole plot, serialisable.

    `transforms` are applied to the bound frame in order, each `{"kind": ..., ...}` (see
    `recipe/transforms.py`). `options` override the script's option constants by name. `labels` holds the
    texts a person set: keys `title`, `x`, `y`, `legend`; an absent key means: from the columns.
    `asked` lists the names of options and transforms that the person asked for by an operation, so that the
    repair leaves them alone and a gate they offend becomes a note.
    """

    spec: str
    library: str
    bindings: Bindings
    language: str = "python"
    theme: str = "light"
    canvas: str = "landscape"
    transforms: tuple[dict[str, Any], ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """A JSON object that `from_json` reads back."""
        data = asdict(self)
        data["transforms"] = list(data["transforms"])
        data["asked"] = list(data["asked"])
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The recipe of `as_json`; unknown keys raise TypeError."""
        return cls(**{**data, "transforms": tuple(data.get("transforms", ())), "asked": tuple(data.get("asked", ()))})

    def with_(self, **changes: Any) -> Self:
        """A copy with some fields replaced."""
        return replace(self, **changes)
