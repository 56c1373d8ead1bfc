"""Things go: rows first, then their files."""

import time

from django.db import transaction

from agents_app.models import Artifact, Dataset, Session, Turn, Version
from agents_app.queue.cancel import cancel_turn
from agents_app.refusals import RunActive
from agents_app.services import stored
from agents_app.services.in_use import refuse_while_used, toggle_active
from anyplot_site import bounds


def delete_dataset(dataset: Dataset) -> None:
    """Remove a data set and its files; versions keep their own data. Raises RunActive while a turn will read it."""
    with transaction.atomic():
        refuse_while_used(dataset)
        stored.remove_after_commit([dataset.original, dataset.canonical])
        dataset.delete()


def delete_session(session: Session) -> None:
    """Remove a session with its turns, versions and their files.

    A waiting turn is withdrawn (QU10); a running one is stopped and awaited for a few seconds, so that no run
    goes on that no row stands for. Raises RunActive when it does not stop in time, or while a toggle draws.
    """
    for turn in Turn.objects.filter(session=session, state__in=Turn.ACTIVE):
        cancel_turn(turn)
    _await_end(session)
    with transaction.atomic():
        if Turn.objects.filter(session=session, state__in=Turn.ACTIVE).exists():
            raise RunActive("A new run of this session has just been asked for. Stop it first.")
        if toggle_active(session):
            raise RunActive("This plot is being drawn in its other theme. Try again in a moment.", retry_after_s=2)
        versions = list(Version.objects.filter(session=session))
        files = [file for version in versions for file in (version.script, version.data)]
        files += [artifact.file for artifact in Artifact.objects.filter(version__session=session)]
        stored.remove_after_commit(files)
        session.delete()


def _await_end(session: Session) -> None:
    """Wait until no turn of the session is active. Raises RunActive after the bound."""
    until = time.monotonic() + bounds.CANCEL_WAIT_S
    while Turn.objects.filter(session=session, state__in=Turn.ACTIVE).exists():
        if time.monotonic() > until:
            raise RunActive("The run of this session is being stopped. Try again in a moment.", retry_after_s=2)
        time.sleep(bounds.CANCEL_POLL_S)
