"""A table as it comes over HTTP: JSON with `text`, or multipart with `file`."""

from dataclasses import dataclass
from typing import Any

import pydantic
from django.http import HttpRequest

from agents_app.api.bodies import DatasetIn
from agents_app.api.errors import invalid_fields
from agents_app.api.reading import parse_json
from agents_app.refusals import Invalid, TooLarge
from anyplot_site import bounds

PLAIN_FIELDS = ("text", "name", "spec", "library")  # in a form these may come without JSON's quotes


@dataclass(frozen=True)
class BroughtTable:
    """The bytes of a table, how it came (`paste` or `upload`), and the fields beside it."""

    data: bytes
    how: str
    file_name: str
    fields: DatasetIn


def brought_table(request: HttpRequest) -> BroughtTable:
    """The table in a request. Raises Invalid, TooLarge (before a file is read)."""
    if request.content_type == "multipart/form-data":
        return _from_form(request)
    values = parse_json(request.body, nul=True)  # NUL in the text is for intake to name
    fields = _fields(values)
    if fields.text is None:
        raise Invalid("text is missing. Paste the table as text, or send a file as multipart/form-data.")
    return _pasted(fields)


def _from_form(request: HttpRequest) -> BroughtTable:
    fields = _fields({name: _value(name, request.POST.getlist(name)) for name in request.POST})
    files = [(name, file) for name in request.FILES for file in request.FILES.getlist(name)]
    if not files and fields.text is not None:
        return _pasted(fields)
    if len(files) != 1 or files[0][0] != "file":
        raise Invalid(f"file is missing: send exactly one file, in the field `file` ({len(files)} came).")
    if fields.text is not None:
        raise Invalid("text and file came together. Send one of them.")
    file = files[0][1]
    if (file.size or 0) > bounds.FILE_BYTES:
        raise TooLarge(
            f"The file has {file.size:,} bytes; at most {bounds.FILE_BYTES:,} (10 MB) are read. "
            "Leave out columns or rows that the plot does not need.",
            limit=bounds.FILE_BYTES,
            measured=file.size,
        )
    return BroughtTable(file.read(), "upload", file.name or "", fields)


def _pasted(fields: DatasetIn) -> BroughtTable:
    data = (fields.text or "").encode()
    if len(data) > bounds.PASTE_BYTES:
        raise TooLarge(
            f"The text has {len(data):,} bytes; at most {bounds.PASTE_BYTES:,} (200 KB) can be pasted. "
            f"Save it as a file and send that: up to {bounds.FILE_BYTES:,} bytes (10 MB).",
            limit=bounds.PASTE_BYTES,
            measured=len(data),
        )
    return BroughtTable(data, "paste", "", fields)


def _value(name: str, values: list[Any]) -> Any:
    """A form field's JSON value; a plain text stands for itself where a text is meant."""
    if len(values) != 1:
        raise Invalid(f"{name} came {len(values)} times. Send it once.")
    raw = str(values[0])
    try:
        value = parse_json(raw.encode("utf-8", "surrogatepass"), nul=name == "text")
    except Invalid:
        if name not in PLAIN_FIELDS:
            raise Invalid(f"{name} is not valid JSON. In a form, send it as JSON, as in the JSON body.") from None
        value = None
    return raw if name in PLAIN_FIELDS and not isinstance(value, str) else value


def _fields(values: Any) -> DatasetIn:
    try:
        return DatasetIn.model_validate(values)
    except pydantic.ValidationError as error:
        raise invalid_fields([(item, DatasetIn) for item in error.errors(include_url=False)]) from None
