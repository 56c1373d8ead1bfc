"""A table by plain form: pasted text, a file, or an example."""

from django.http import HttpRequest

from agents_app import selectors
from agents_app.models import Dataset
from agents_app.refusals import Invalid, TooLarge
from agents_app.services import upload
from agents_app.web import examples, people
from anyplot_site import bounds


def bring(request: HttpRequest) -> Dataset:
    """Store what the form holds as the person's data set. A chosen file wins over an example, an example over text.

    Raises Invalid on an empty form, TooLarge, Unreadable.
    """
    file = request.FILES.get("file")
    if file:
        size = file.size or 0
        if size > bounds.FILE_BYTES:
            raise TooLarge(f"The file has {size:,} bytes; at most {bounds.FILE_BYTES:,} are read.")
        data, how, name = file.read(), "upload", file.name or ""
    elif key := request.POST.get("example", ""):
        chosen = examples.example(key)
        data, how, name = chosen.read(), "upload", chosen.file
    else:
        # A browser sends a text area's lines with CRLF; the table is what was pasted.
        data, how, name = request.POST.get("text", "").replace("\r\n", "\n").encode(), "paste", ""
        if not data.strip():
            raise Invalid("There is no table yet: paste one, choose a file, or try an example.")
    return upload.upload(people.writer(request), data=data, how=how, file_name=name)


def dataset_of(request: HttpRequest, given: str) -> Dataset | None:
    """The person's data set that the address names; None without one. Raises NotFound for a stranger's."""
    if not given:
        return None
    return selectors.dataset(people.owner(request), given)
