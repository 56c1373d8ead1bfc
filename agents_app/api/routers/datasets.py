"""The tables that people bring."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from agents_app import selectors
from agents_app.api.answers import file_answer
from agents_app.api.auth import CREDENTIALS, person
from agents_app.api.bodies import CheckIn, DatasetIn, DatasetPatch
from agents_app.api.forms import brought_table
from agents_app.api.paging import Limit, Offset, page
from agents_app.binding import check, propose
from agents_app.catalogue.catalogue import get_spec, script
from agents_app.catalogue.spec import Spec
from agents_app.refusals import Invalid
from agents_app.services.delete import delete_dataset
from agents_app.services.suggest import suggest
from agents_app.services.upload import reread, upload
from agents_app.shapes import dataset_json

router = Router(tags=["data sets"], auth=CREDENTIALS)

TABLE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": DatasetIn.model_json_schema()},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}}
                    | {
                        name: {"type": "string", "description": "as JSON"}
                        for name in DatasetIn.model_fields
                        if name != "text"
                    },
                }
            },
        },
    }
}


@router.post("", response={201: Any}, summary="Bring a table", openapi_extra=TABLE_BODY)
def create(request: HttpRequest) -> Status:
    """Read pasted text or a file; with `spec`, also propose bindings or check those that come along."""
    table = brought_table(request)
    fields = table.fields
    spec = _spec(fields)
    bindings: dict[str, Any] | None = None

    def accept(columns: list[dict[str, Any]]) -> None:
        nonlocal bindings
        if spec and fields.bindings is not None:
            bindings = check(spec, columns, given(fields.bindings)).bindings
        elif spec:
            bindings = propose(spec, columns)

    dataset = upload(
        person(request),
        data=table.data,
        how=table.how,
        file_name=table.file_name,
        name=fields.name or "",
        reading=fields.reading,
        columns=fields.columns,
        accept=accept,
    )
    more = {"roles": [role.as_json() for role in spec.roles], "bindings": bindings} if spec else {}
    return Status(201, dataset_json(dataset) | more)


@router.get("", summary="Your tables")
def index(request: HttpRequest, limit: Limit, offset: Offset) -> dict[str, Any]:
    """Your data sets, newest first."""
    return page(selectors.datasets(person(request)), dataset_json, limit, offset)


@router.get("/{dataset}", summary="One table")
def one(request: HttpRequest, dataset: str) -> dict[str, Any]:
    """A data set with its receipt."""
    return dataset_json(selectors.dataset(person(request), dataset))


@router.patch("/{dataset}", summary="Read a table again")
def change(request: HttpRequest, dataset: str, payload: DatasetPatch) -> dict[str, Any]:
    """Rename, or read the original bytes again with other choices."""
    found = selectors.dataset(person(request), dataset)
    return dataset_json(reread(found, reading=payload.reading, columns=payload.columns, name=payload.name))


@router.delete("/{dataset}", response={204: None}, summary="Delete a table")
def remove(request: HttpRequest, dataset: str) -> Status:
    """The table and its files; plots made from it keep their own data."""
    delete_dataset(selectors.dataset(person(request), dataset))
    return Status(204, None)


@router.get("/{dataset}/data.csv", summary="The canonical table")
def data_csv(request: HttpRequest, dataset: str) -> HttpResponse:
    """UTF-8, comma, point, ISO dates, final names, all rows read."""
    found = selectors.dataset(person(request), dataset)
    return file_answer(request, selectors.file_bytes(found.canonical), "data.csv")


@router.get("/{dataset}/rows", summary="A table's typed rows")
def rows(request: HttpRequest, dataset: str, limit: Limit, offset: Offset) -> dict[str, Any]:
    """Numbers as numbers, dates ISO, missing null."""
    return selectors.dataset_rows(selectors.dataset(person(request), dataset), limit, offset)


@router.get("/{dataset}/suggestions", summary="Plots that fit a table")
def suggested(request: HttpRequest, dataset: str) -> list[dict[str, Any]]:
    """The plots whose roles these columns can play, best first."""
    return suggest(selectors.dataset(person(request), dataset).columns)


@router.post("/{dataset}/check", summary="Do columns fit roles?")
def check_bindings(request: HttpRequest, dataset: str, payload: CheckIn) -> dict[str, Any]:
    """The bindings as they would be used, or 422 `binding_refused` with a line for each that does not fit."""
    found = selectors.dataset(person(request), dataset)
    spec = get_spec(payload.spec)
    if payload.library:
        script(spec, payload.library)
    checked = check(spec, found.columns, given(payload.bindings))
    return {"ok": True, "bindings": checked.bindings, "notes": checked.notes}


def given(bindings: dict[str, Any] | None) -> dict[str, Any] | None:
    """Bindings without the roles that were left unbound by null."""
    return None if bindings is None else {role: column for role, column in bindings.items() if column is not None}


def _spec(fields: DatasetIn) -> Spec | None:
    if fields.spec is None:
        if fields.library is not None or fields.bindings is not None:
            raise Invalid("spec is missing: library and bindings need it.")
        return None
    spec = get_spec(fields.spec)
    if fields.library:
        script(spec, fields.library)
    return spec
