"""What every test file may use: files of its own, and three people. (Its home is chosen in `settings.py`.)

alice owns, bob has his own, charlie is the stranger.
"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from tests.family.family import Family, start

DATA = Path(__file__).parent / "data"


@pytest.fixture
def data_dir() -> Path:
    """The folder of committed tables."""
    return DATA


@pytest.fixture
def alice(db):
    """The owner of what a test makes."""
    return get_user_model().objects.create_user("alice", password="alice-password")


@pytest.fixture
def bob(db):
    """A second person with things of their own."""
    return get_user_model().objects.create_user("bob", password="bob-password")


@pytest.fixture
def charlie(db):
    """The stranger: owns nothing and must see nothing."""
    return get_user_model().objects.create_user("charlie", password="charlie-password")


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """Hashing a password as for production takes longer than most tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    """Stored files of a test go to its own folder."""
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "files"},
        },
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(scope="session")
def family() -> Iterator[Family]:
    """The real process family on a free port, shared by all tests that look at it from outside.

    Has `base_url`, `home`, and `child(word)`; a test that kills a part of it leaves it healthy again.
    """
    home = Path(tempfile.mkdtemp(prefix="anyplot-family-"))
    running = start(home)
    yield running
    running.stop()
    shutil.rmtree(home)
