"""A person's table comes in: read, stored as it came and in canonical form; and read again with other choices."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import transaction

from agents_app.intake import read
from agents_app.intake.table import Table
from agents_app.models import Dataset
from agents_app.refusals import Invalid
from agents_app.selectors import file_bytes
from agents_app.services import stored
from agents_app.services.in_use import refuse_while_used
from agents_app.services.names import clean_name
from anyplot_site import bounds

FILE_NAME_CHARACTERS = Dataset._meta.get_field("file_name").max_length or 255
Columns = list[dict[str, Any]]


def upload(
    owner: User,
    *,
    data: bytes,
    how: str,
    file_name: str = "",
    name: str = "",
    reading: dict[str, Any] | None = None,
    columns: Columns | None = None,
    accept: Callable[[Columns], None] | None = None,
) -> Dataset:
    """Read `data` (`how`: paste or upload) and keep it for `owner`.

    `reading` and `columns` override what intake finds. `accept` is shown the typed columns before anything is
    stored and may refuse them. Raises TooLarge, Unreadable, Invalid; then nothing is stored.
    """
    file_name = PurePath(file_name.replace("\\", "/")).name[-FILE_NAME_CHARACTERS:]
    table = read(data, file_name=file_name, how=how, reading=reading, columns=columns)
    if accept:
        accept([column.as_json() for column in table.columns])
    dataset = Dataset(
        owner=owner,
        name=clean_name(name or PurePath(file_name).stem, otherwise="Pasted table" if how == "paste" else "Table"),
        how=how,
        file_name=file_name,
        bytes=len(data),
        overrides={"reading": reading or {}, "columns": columns or []},
        **_receipt(table),
    )
    try:
        # The names on disk are ours: a person's file name may hold anything.
        dataset.original.save(f"{dataset.id}.original", ContentFile(data), save=False)
        dataset.canonical.save(f"{dataset.id}.csv", ContentFile(table.data_csv), save=False)
        dataset.save(force_insert=True)
    except BaseException:
        stored.remove([dataset.original, dataset.canonical])
        raise
    return dataset


def reread(
    dataset: Dataset,
    *,
    reading: dict[str, Any] | None = None,
    columns: Columns | None = None,
    name: str | None = None,
) -> Dataset:
    """Read the original bytes again with more overrides, and rename.

    Overrides add to those given before; one that is None goes back to what intake finds. Column overrides
    made before that no longer fit another reading are dropped. Raises Unreadable, Invalid, RunActive (a waiting
    or running turn uses the table); then nothing has changed.
    """
    if name is not None:
        dataset.name = clean_name(name, otherwise=dataset.name)
    if reading is None and columns is None:
        dataset.save(update_fields=["name", "updated_at"])
        return dataset

    refuse_while_used(dataset)
    before = dataset.overrides
    kept = before.get("columns", [])
    new_reading = merge_reading(before.get("reading", {}), reading or {})
    new_columns = merge_columns(kept, columns or [])
    data = file_bytes(dataset.original)

    def again(with_columns: Columns) -> Table:
        return read(
            data,
            file_name=dataset.file_name,
            how=dataset.how,
            reading=new_reading or None,
            columns=with_columns or None,
        )

    try:
        table = again(new_columns)
    except Invalid:
        if not (kept and reading):
            raise
        new_columns = list(columns or [])
        table = again(new_columns)

    old = dataset.canonical.name or ""
    storage = dataset.canonical.storage
    for field, value in _receipt(table).items():
        setattr(dataset, field, value)
    dataset.overrides = {"reading": new_reading, "columns": new_columns}
    dataset.canonical.save(f"{dataset.id}.csv", ContentFile(table.data_csv), save=False)
    try:
        with transaction.atomic():
            refuse_while_used(dataset)
            dataset.save(force_update=True)
            transaction.on_commit(lambda: storage.delete(old), robust=True)
    except BaseException:
        stored.remove([dataset.canonical])
        raise
    return dataset


def merge_reading(before: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The overrides of a reading; None takes one back."""
    return {key: value for key, value in {**before, **more}.items() if value is not None}


def merge_columns(before: Columns, more: Columns) -> Columns:
    """The overrides of columns, one for each source name.

    A later override may name a column as it is called now (renamed) or as intake named it.
    """
    merged = [dict(override) for override in before]
    for override in more:
        for earlier in merged:
            if override.get("name") in (earlier.get("rename"), earlier.get("name")):
                earlier.update({key: value for key, value in override.items() if key != "name"})
                break
        else:
            merged.append(dict(override))
    stripped = [{key: value for key, value in override.items() if value is not None} for override in merged]
    return [override for override in stripped if len(override) > 1]  # a bare name overrides nothing


def _receipt(table: Table) -> dict[str, Any]:
    """What of a table goes into its row."""
    return {
        "rows": table.rows,
        "reading": table.reading.as_json(),
        "columns": [column.as_json() for column in table.columns],
        "notes": [note.as_json() for note in table.notes],
        "preview": table.preview(bounds.PREVIEW_ROWS),
    }
