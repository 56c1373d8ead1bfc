"""Deleting: what is in use is not pulled away, and nothing is left behind."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile

from agents_app.models import Artifact, Session, Turn, Version
from agents_app.queue import clock
from agents_app.queue.admission import admit
from agents_app.queue.toggles import begin, end
from agents_app.refusals import RunActive
from agents_app.services.delete import delete_dataset, delete_session
from agents_app.services.upload import upload


@pytest.fixture
def session(alice):
    """A session of alice's with one version."""
    dataset = upload(alice, data=b"a,b\n1,2\n3,4\n", how="paste")
    session = Session.objects.create(owner=alice, spec="scatter-basic", library="matplotlib", dataset=dataset)
    version = Version(session=session, number=1, status="ok", theme="light", spec="s", library="l", recipe={})
    version.script.save("plot.py", ContentFile(b"1"), save=False)
    version.data.save("data.csv", ContentFile(b"2"), save=False)
    version.save()
    Artifact(version=version, theme="light", status="ok").file.save("plot.png", ContentFile(b"3"), save=False)
    return session


def test_a_waiting_turn_keeps_its_table(session, alice):
    turn = admit(session=session, owner=alice)
    with pytest.raises(RunActive, match="Stop it"):
        delete_dataset(session.dataset)
    Turn.objects.filter(id=turn.id).update(state=Turn.State.FINISHED)
    delete_dataset(session.dataset)
    session.refresh_from_db()
    assert session.dataset is None


def test_a_session_is_deleted_with_its_running_turn(session, alice):
    turn = admit(session=session, owner=alice)
    delete_session(session)
    assert not Turn.objects.filter(id=turn.id).exists()
    assert not Version.objects.exists()


def test_a_session_whose_version_is_being_drawn_waits(session, alice):
    toggle = begin(alice, session.versions.get(), "dark")
    with pytest.raises(RunActive, match="other theme") as refused:
        delete_session(session)
    assert refused.value.retry_after_s
    end(toggle)
    delete_session(session)
    assert not Session.objects.exists()


def test_a_toggle_whose_process_died_holds_nothing_for_longer_than_its_lease(session, alice):
    toggle = begin(alice, session.versions.get(), "dark")
    toggle.lease_until = clock.now() - timedelta(seconds=1)
    toggle.save()
    delete_session(session)
    assert not Session.objects.exists()


def test_a_file_that_is_gone_already_is_no_obstacle(session, django_capture_on_commit_callbacks):
    dataset = session.dataset
    dataset.original.storage.delete(dataset.original.name)
    with django_capture_on_commit_callbacks(execute=True):
        delete_dataset(dataset)
    assert not dataset.canonical.storage.exists(dataset.canonical.name)
