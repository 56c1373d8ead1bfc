"""What callers may send. Unknown fields are refused, so that a misspelt one is not silently ignored."""

from typing import Annotated, Any, Literal

from ninja import Body as BodyParam
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from agents_app.selectors import VERSION_MAX
from anyplot_site import bounds

Theme = Literal["light", "dark"]
Name = Annotated[str, Field(min_length=1, max_length=bounds.NAME_CHARACTERS)]
Identifier = Annotated[str, Field(min_length=1, max_length=bounds.NAME_CHARACTERS)]
Object = dict[str, Any]
Bindings = Annotated[
    dict[str, str | list[str] | None],
    Field(description="{role: column name}, for a family {role: [names]}; null leaves a role unbound"),
]


def _base(value: str | int) -> str | int:
    if value in ("previous", "original") or (isinstance(value, int) and 1 <= value <= VERSION_MAX):
        return value
    if isinstance(value, str) and value.isdecimal() and 1 <= int(value) <= VERSION_MAX:
        return value
    raise ValueError("use previous, original, or a version number.")


Base = Annotated[str | int, AfterValidator(_base), Field(description="previous, original, or a version number")]


class Body(BaseModel):
    """A JSON object with known fields."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Body):
    """An empty object, or no body at all."""


NO_BODY = BodyParam(Nothing())


class DatasetIn(Body):
    """A table: pasted `text`, or (multipart) a `file` beside the same fields, each as JSON."""

    text: str | None = None
    name: Annotated[str, Field(max_length=bounds.NAME_CHARACTERS)] | None = None
    reading: Object | None = None
    columns: Annotated[list[Object], Field(max_length=bounds.TABLE_COLUMNS)] | None = None
    spec: Identifier | None = None
    library: Identifier | None = None
    bindings: Bindings | None = None


class DatasetPatch(Body):
    """Another name, other choices of reading; an override that is null goes back to what intake finds."""

    name: Name | None = None
    reading: Object | None = None
    columns: Annotated[list[Object], Field(max_length=bounds.TABLE_COLUMNS)] | None = None


class CheckIn(Body):
    """Do these columns fit these roles?"""

    spec: Identifier
    library: Identifier | None = None
    bindings: Bindings | None = None


class SessionIn(Body):
    """A new session."""

    spec: Identifier
    library: Identifier
    language: Identifier = "python"
    dataset: Identifier
    bindings: Bindings | None = None
    theme: Theme = "light"
    name: Annotated[str, Field(max_length=bounds.NAME_CHARACTERS)] = ""


class SessionPatch(Body):
    """Another name, other bindings (exactly these)."""

    name: Name | None = None
    bindings: Bindings | None = None


class MessageIn(Body):
    """Plain words, or operations; neither: create the plot, or draw it again from the session's bindings."""

    text: Annotated[str, Field(max_length=bounds.TEXT_CHARACTERS)] = ""
    operations: Annotated[list[Object], Field(max_length=bounds.OPERATIONS)] = []
    theme: Theme | None = None
    base: Base = "previous"


class InterpretIn(Body):
    """Plain words or operations that are looked at and not run."""

    text: Annotated[str, Field(max_length=bounds.TEXT_CHARACTERS)] = ""
    operations: Annotated[list[Object], Field(max_length=bounds.OPERATIONS)] = []
    base: Base = "previous"


class RenderIn(Body):
    """The theme to draw a version in."""

    theme: Theme


class ExportIn(Body):
    """The theme and format to draw a version in; its PNG is had by `render`."""

    theme: Theme
    format: Literal["svg", "pdf"]


class FeedbackIn(Body):
    """A quick word on a version."""

    reaction: Literal["up", "down"]
    message: Annotated[str, Field(max_length=bounds.TEXT_CHARACTERS)] = ""
