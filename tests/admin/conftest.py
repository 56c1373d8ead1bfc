"""Rows of every kind, and an operator who looks at them."""

import io
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.files.base import ContentFile
from django.utils import timezone
from PIL import Image

from agents_app.models import Artifact, Dataset, Event, Session, Turn, Version
from agents_app.queue.admission import admit


@pytest.fixture
def operator(db):
    """A staff user with all rights."""
    return get_user_model().objects.create_superuser("operator", password="operator-password")


@pytest.fixture
def staff(client, operator):
    """The operator's browser."""
    client.force_login(operator)
    return client


@pytest.fixture
def dataset(alice):
    """alice's table, with a value that no operator should meet by looking at lists."""
    return Dataset.objects.create(
        owner=alice,
        name="salaries",
        how="paste",
        original=ContentFile(b"name,pay\nZaphod,42\n", "original.csv"),
        canonical=ContentFile(b"name,pay\nZaphod,42\n", "data.csv"),
        bytes=19,
        rows=1,
        reading={"format": "csv", "delimiter": ","},
        columns=[
            {"name": "name", "type": "category", "sample": ["Zaphod"], "missing": 0, "distinct": 1},
            {"name": "pay", "type": "number", "sample": [42], "min": 42, "max": 42, "missing": 0, "distinct": 1},
        ],
        notes=[{"code": "no_header", "text": "The first row was read as names."}],
        preview={"columns": ["name", "pay"], "rows": [["Zaphod", 42]]},
    )


@pytest.fixture
def session(alice, dataset):
    """alice's session."""
    return Session.objects.create(
        owner=alice,
        name="Pay by name",
        spec="bar-basic",
        library="matplotlib",
        dataset=dataset,
        bindings={"category": "name", "value": "pay"},
    )


@pytest.fixture
def waiting(session, alice):
    """A turn that waits, or runs if nothing is in the way."""
    return admit(session=session, owner=alice)


@pytest.fixture
def version(session, alice):
    """A finished version with a picture, from a turn whose events are known."""
    now = timezone.now()
    turn = Turn.objects.create(
        session=session,
        owner=alice,
        arrival=900,
        state=Turn.State.FINISHED,
        outcome="ok",
        wait_until=now,
        created_at=now - timedelta(seconds=10),
        started_at=now - timedelta(seconds=4),
        finished_at=now,
    )
    for number, (kind, data, ago) in enumerate(
        [
            ("ready", {}, 10),
            ("status", {"step": "started"}, 4),
            ("status", {"step": "render"}, 3.5),
            ("done", {"outcome": "ok"}, 0),
        ],
        start=1,
    ):
        Event.objects.create(turn=turn, number=number, type=kind, data=data, at=now - timedelta(seconds=ago))
    version = Version.objects.create(
        session=session,
        turn=turn,
        number=1,
        status="ok",
        theme="light",
        spec="bar-basic",
        library="matplotlib",
        recipe={"spec": "bar-basic"},
        gates=[{"id": "G3", "passed": True, "blocking": True, "measured": 0, "limit": 0, "text": "All texts fit."}],
        notes=["The legend is long."],
        script=ContentFile(b"print()", "plot.py"),
        data=ContentFile(b"a\n1\n", "data.csv"),
    )
    Turn.objects.filter(id=turn.id).update(version=version)
    picture = io.BytesIO()
    Image.new("RGB", (3200, 1800), "#FAF8F1").save(picture, "PNG")
    Artifact.objects.create(
        version=version,
        theme="light",
        status="ok",
        file=ContentFile(picture.getvalue(), "plot.png"),
        bytes=len(picture.getvalue()),
        width=3200,
        height=1800,
    )
    return version
