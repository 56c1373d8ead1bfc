"""What a plot of the catalogue is: its roles, its options, and how a table becomes what it draws.

Everything that the rest of the product needs to know about a plot is said here as data, read from the
plot's folder; nothing outside the catalogue knows a plot by its id.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

RoleType = Literal["numeric", "categorical", "datetime", "boolean", "any"]
OptionType = Literal["text", "number", "boolean", "choice", "list"]
ROLE_TYPES = ("numeric", "categorical", "datetime", "boolean", "any")
OPTION_TYPES = ("text", "number", "boolean", "choice", "list")
AXES = ("x", "y", "legend", "size")
COUNT = "count"  # the "role" of an axis that shows how many rows there are


@dataclass(frozen=True)
class Role:
    """A place for a column. `family`: several columns; `color`: its values are told apart by color.

    `aggregate` is how several rows of one mark become one value; `minimum` is the smallest value that can be
    drawn at all (a part of a whole is at least 0).
    """

    name: str
    types: tuple[str, ...]
    required: bool = True
    family: bool = False
    aggregate: str | None = None
    description: str = ""
    color: bool = False
    minimum: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The API's shape."""
        return {
            "name": self.name,
            "types": list(self.types),
            "required": self.required,
            "family": self.family,
            "aggregate": self.aggregate,
            "description": self.description,
            "color": self.color,
        }


@dataclass(frozen=True)
class Option:
    """A constant in the script's options section.

    `effect` says what it means to a person, where an operation changes it: `title`, `label:<axis>`,
    `scale:<axis>`, `unit:<role>` (the unit of its column), `swap_axes`, `layout`, or empty. Axes are those of
    the upright plot, before `swap_axes`.
    """

    name: str
    type: str
    default: Any
    choices: tuple[Any, ...] = ()
    description: str = ""
    effect: str = ""

    def as_json(self) -> dict[str, Any]:
        """The API's shape."""
        return {
            "name": self.name,
            "type": self.type,
            "default": list(self.default) if isinstance(self.default, tuple) else self.default,
            "choices": list(self.choices),
            "description": self.description,
        }


@dataclass(frozen=True)
class Order:
    """What a plot can be sorted and limited by: the categories of `role`, by the values of `by`.

    `func` is how a category's rows become one value when the plot itself keeps all rows (a box); empty when
    the plot has one row per category already. `initial`: a new plot is sorted, largest first.
    """

    role: str
    by: str
    func: str = ""
    initial: bool = False


@dataclass(frozen=True)
class Spec:
    """One plot of the catalogue.

    `grain` names the roles of which each combination is drawn as one mark (empty: every row is one); `by_time`
    the role whose order the rows must have; `axes` says which role an axis shows (`count`: how many rows);
    `title_pattern` makes a title from the columns. `unread` holds lines of a foreign specification that could
    not be read, `structured` roles that no flat column can fill.
    """

    id: str
    title: str
    family: str
    folder: Path
    description: str = ""
    applications: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tags: dict[str, Any] = field(default_factory=dict, hash=False)
    roles: tuple[Role, ...] = ()
    options: tuple[Option, ...] = ()
    libraries: tuple[str, ...] = ()
    canvas: str = "landscape"
    grain: tuple[str, ...] = ()
    by_time: str = ""
    order: Order | None = None
    axes: dict[str, str] = field(default_factory=dict, hash=False)
    title_pattern: str = ""
    unread: tuple[str, ...] = ()
    structured: tuple[str, ...] = ()

    def role(self, name: str) -> Role | None:
        """The role of that name, or None."""
        return next((role for role in self.roles if role.name == name), None)

    def option(self, name: str) -> Option | None:
        """The option of that name, or None."""
        return next((option for option in self.options if option.name == name), None)

    def option_with(self, effect: str) -> Option | None:
        """The option that has this effect, or None."""
        return next((option for option in self.options if option.effect == effect), None)

    def script_path(self, library: str, language: str = "python") -> Path:
        """Where the script of that library lies, whether or not it exists."""
        return self.folder / "implementations" / language / f"{library}{EXTENSIONS.get(language, '.py')}"


EXTENSIONS = {"python": ".py"}
