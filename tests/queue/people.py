"""Rows for the queue's tests, made without the rooms that make them in the product."""

from typing import Any

from django.contrib.auth.models import User
from django.core.files.base import ContentFile

from agents_app.models import Session, Version


def crowd(count: int) -> list[User]:
    """That many people."""
    return [User.objects.create(username=f"person-{number}") for number in range(count)]


def version_of(session: Session, **fields: Any) -> Version:
    """A finished version of a session."""
    number = session.versions.count() + 1
    version = Version(
        session=session,
        **{
            "number": number,
            "status": "ok",
            "theme": "light",
            "spec": session.spec,
            "library": session.library,
            "recipe": {"spec": session.spec, "library": session.library, "bindings": {}},
            **fields,
        },
    )
    version.script.save("s.py", ContentFile(b"print()\n"), save=False)
    version.data.save("d.csv", ContentFile(b"a\n1\n"), save=False)
    version.save()
    return version
