"""Reads of people's things. Each begins with whose they are: absent and somebody else's are the same 404 (EX3)."""

import uuid
from typing import Any

import pandas as pd
from django.contrib.auth.models import User
from django.db.models import Prefetch, QuerySet
from django.db.models.fields.files import FieldFile

from agents_app.intake import read_canonical
from agents_app.intake.table import json_rows
from agents_app.models import Artifact, Dataset, Session, Turn, Version
from agents_app.recipe.recipe import Recipe
from agents_app.recipe.transforms import apply_transforms
from agents_app.refusals import Invalid, NotFound, NotRendered

VERSION_MAX = 999  # TO1
# What a list of sessions does not show of a version; some of it is large.
_HEAVY = ("recipe", "operations", "gates", "columns", "rows", "timings", "usage", "alt_text")


def _id(value: Any, what: str) -> uuid.UUID:
    """`value` as a UUID; a malformed one is as absent as an unknown one."""
    try:
        return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))
    except ValueError:
        raise NotFound(f"There is no such {what}.") from None


def datasets(user: User) -> QuerySet[Dataset]:
    """A person's data sets, newest first."""
    return Dataset.objects.filter(owner=user).order_by("-created_at", "-id")


def dataset(user: User, dataset_id: Any) -> Dataset:
    """One of a person's data sets; NotFound for absent and somebody else's."""
    found = datasets(user).filter(id=_id(dataset_id, "data set")).first()
    if found is None:
        raise NotFound("There is no such data set. It may have been deleted.")
    return found


def sessions(user: User) -> QuerySet[Session]:
    """A person's sessions, newest first, with their versions in order (light: no recipes, no verdicts)."""
    versions = Version.objects.order_by("number").defer(*_HEAVY).prefetch_related("artifacts")
    return (
        Session.objects.filter(owner=user)
        .select_related("dataset")
        .prefetch_related(Prefetch("versions", queryset=versions))
        .order_by("-created_at", "-id")
    )


def session(user: User, session_id: Any) -> Session:
    """One of a person's sessions; NotFound for absent and somebody else's."""
    found = sessions(user).filter(id=_id(session_id, "session")).first()
    if found is None:
        raise NotFound("There is no such session. It may have been deleted.")
    return found


def versions(user: User, session_id: Any) -> QuerySet[Version]:
    """The versions of one of a person's sessions, oldest first, with their pictures."""
    own = Session.objects.filter(owner=user, id=_id(session_id, "session"))
    if not own.exists():
        raise NotFound("There is no such session. It may have been deleted.")
    return (
        Version.objects.filter(session__in=own)
        .select_related("session", "parent")
        .prefetch_related("artifacts")
        .order_by("number")
    )


def version(user: User, session_id: Any, number: int) -> Version:
    """A version by its number, 0 for the latest (TO1); Invalid beyond 0 to 999, NotFound when there is none."""
    if not 0 <= number <= VERSION_MAX:
        raise Invalid(f"version is {number}; use 0 (the latest) to {VERSION_MAX}.")
    found = versions(user, session_id)
    chosen = found.last() if number == 0 else found.filter(number=number).first()
    if chosen is None:
        raise NotFound("This session has no version yet." if number == 0 else f"There is no version {number}.")
    return chosen


def artifact(of: Version, theme: str, file_format: str) -> Artifact:
    """A version's picture that has a file; NotRendered before its render or export, and when that failed."""
    for found in of.artifacts.all():
        if found.theme == theme and found.format == file_format and found.file:
            return found
    way = "Render that theme first." if file_format == "png" else f"Ask for its {file_format.upper()} first."
    raise NotRendered(f"Version {of.number} has no {theme} {file_format.upper()}. {way}")


def turns(user: User) -> QuerySet[Turn]:
    """A person's turns, newest first."""
    return Turn.objects.filter(owner=user).select_related("session", "version").order_by("-arrival")


def turn(user: User, turn_id: Any) -> Turn:
    """One of a person's turns; NotFound for absent and somebody else's."""
    found = turns(user).filter(id=_id(turn_id, "turn")).first()
    if found is None:
        raise NotFound("There is no such turn. Its session may have been deleted.")
    return found


def latest_turn(of: Session) -> Turn | None:
    """The last thing that was asked in a session, in whatever state."""
    return Turn.objects.filter(session=of).select_related("version").order_by("-arrival").first()


def active_turn(user: User) -> Turn | None:
    """The person's waiting or running turn outside the batch lane, if there is one (EX1)."""
    return turns(user).filter(state__in=Turn.ACTIVE).exclude(lane=Turn.Lane.BATCH).first()


# --- tables ---------------------------------------------------------------------------------


def dataset_rows(of: Dataset, limit: int, offset: int) -> dict[str, Any]:
    """A page of a data set's typed rows, with the names of their `columns`."""
    return _rows_page(read_canonical(file_bytes(of.canonical), of.columns), limit, offset)


def plotted_rows(of: Version, limit: int, offset: int) -> dict[str, Any]:
    """A page of the values that a version plots (CA4): bound, filtered and aggregated as its recipe says."""
    frame = read_canonical(file_bytes(of.data), of.columns)
    return _rows_page(apply_transforms(frame, Recipe.from_json(of.recipe)).frame, limit, offset)


def _rows_page(frame: pd.DataFrame, limit: int, offset: int) -> dict[str, Any]:
    rows = json_rows(frame.iloc[offset : offset + limit])
    return {
        "columns": [str(name) for name in frame.columns],
        "items": rows,
        "total": len(frame),
        "limit": limit,
        "offset": offset,
        "has_more": offset + len(rows) < len(frame),
    }


def file_bytes(field: FieldFile) -> bytes:
    """A stored file's bytes; NotFound when it was never made or has been swept."""
    if not field or not field.name:
        raise NotFound("This file was never made.")
    try:
        with field.storage.open(field.name) as handle:
            data: bytes = handle.read()
    except FileNotFoundError:
        raise NotFound("This file is no longer stored.") from None
    return data
