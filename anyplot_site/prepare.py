"""What must be true before the site serves: the database is migrated, the pages' files are collected.

Doing it takes a second or two, so a mark in the home says for what it was done; `is_current` compares
without Django. `python -m anyplot_site.prepare` does it.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from anyplot_site import home

MARK = Path("run") / "prepared"


def _sources() -> Iterator[Path]:
    """The files that decide: the lock (Django's own migrations and pages), our migrations, our static files."""
    yield home.CHECKOUT / "requirements.lock"
    for app in ("agents_app", "renderer_app"):
        yield from sorted((home.CHECKOUT / app / "migrations").glob("*.py"))
    for root in ("static", "agents_app/static", "renderer_app/static"):
        yield from sorted(path for path in (home.CHECKOUT / root).rglob("*") if path.is_file())


def fingerprint(folder: Path) -> str:
    """A hash of the sources and of which database file the home holds."""
    summary = hashlib.sha256()
    for path in _sources():
        found = path.stat()
        summary.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    try:
        summary.update(str((folder / "db.sqlite3").stat().st_ino).encode())
    except FileNotFoundError:
        summary.update(b"no database")
    return summary.hexdigest()


def is_current(folder: Path, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the home was prepared for these sources. Never for a database elsewhere: others may have changed it."""
    if environment.get("DATABASE_URL"):
        return False
    try:
        return (folder / MARK).read_text() == fingerprint(folder)
    except FileNotFoundError:
        return False


def main() -> None:
    """Migrate, collect the pages' files, and leave the mark."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "anyplot_site.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=1)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    folder = home.folder()
    (folder / MARK).parent.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(fingerprint(folder))


if __name__ == "__main__":
    main()
