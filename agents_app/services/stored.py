"""Stored files: written before their row, removed after it."""

import logging
from collections.abc import Iterable

from django.db import transaction
from django.db.models.fields.files import FieldFile

logger = logging.getLogger(__name__)


def remove(files: Iterable[FieldFile]) -> None:
    """Remove stored files now. One that can't be removed is logged and left to the sweep."""
    for file in files:
        if file and file.name:
            try:
                file.storage.delete(file.name)
            except OSError:
                logger.warning("a stored file could not be removed: %s", file.name, exc_info=True)


def remove_after_commit(files: Iterable[FieldFile]) -> None:
    """Remove stored files once their rows are gone for good."""
    names = [(file.storage, file.name) for file in files if file and file.name]

    def run() -> None:
        for storage, name in names:
            try:
                storage.delete(name)
            except OSError:
                logger.warning("a stored file could not be removed: %s", name, exc_info=True)

    transaction.on_commit(run)
