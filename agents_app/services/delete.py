"""Things go: rows first, then their files."""

from django.db import transaction

from agents_app.models import Artifact, Dataset, Session, Turn, Version
from agents_app.queue.cancel import cancel_session
from agents_app.refusals import RunActive
from agents_app.services import stored
from agents_app.services.in_use import refuse_while_used, toggle_active


def delete_dataset(dataset: Dataset) -> None:
    """Remove a data set and its files; versions keep their own data. Raises RunActive while a turn will read it."""
    with transaction.atomic():
        refuse_while_used(dataset)
        stored.remove_after_commit([dataset.original, dataset.canonical])
        dataset.delete()


def delete_session(session: Session) -> None:
    """Remove a session with its turns, versions and their files; a waiting or running turn is stopped first (QU10).

    Raises RunActive while a toggle draws one of its versions.
    """
    cancel_session(session)
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
