"""`GET /readyz`: is everything there that the main job needs? (`/healthz` is in `middleware.py`.)"""

import logging
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass

import django_rq
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from renderer_app import beats

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Check:
    """What one look found. `stops` says that without it the site can't serve; `hint` what to do when it is not ok."""

    ok: bool
    value: str
    hint: str = ""
    stops: bool = False


def database() -> Check:
    """Rows can be read."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Check(True, connection.vendor, stops=True)


def migrations() -> Check:
    """The tables are what the code expects."""
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    return Check(waiting == 0, f"{waiting} to apply", "Run manage.py migrate, or start the site anew.", stops=True)


def storage() -> Check:
    """Files can be kept."""
    name = default_storage.save(f"readyz/{uuid.uuid4().hex}", ContentFile(b"ok"))
    default_storage.delete(name)
    return Check(True, "writable", stops=True)


def key_value_server() -> Check:
    """Runs are carried and news is pushed; without it both wait, and nothing is lost."""
    django_rq.get_connection("run").ping()
    return Check(True, "answers")


def run_worker() -> Check:
    """Somebody runs turns."""
    count = beats.alive("run")
    return Check(count > 0, f"{count} alive", "Start manage.py run_worker; under make run it comes back by itself.")


def render_worker() -> Check:
    """Somebody draws pictures."""
    count = beats.alive("render")
    return Check(count > 0, f"{count} alive", "Start manage.py render_worker; under make run it comes back by itself.")


def sandbox() -> Check:
    """Pictures can be drawn safely (RE14)."""
    from renderer_app.backends import backend

    status = backend().status()
    value = ", ".join(str(status[key]) for key in ("backend", "sandbox", "tier") if status.get(key))
    return Check(bool(status.get("available")), value, str(status.get("detail") or ""))


CHECKS: dict[str, tuple[Callable[[], Check], Check]] = {
    # What a check is when it raises: nothing of the reason is shown, the log has it.
    "database": (database, Check(False, "no answer", "Is the database up, and DATABASE_URL right?", stops=True)),
    "migrations": (migrations, Check(False, "unknown", "Look at the database first.", stops=True)),
    "storage": (
        storage,
        Check(False, "not writable", "Look at the disk's space and the rights of the home.", stops=True),
    ),
    "key_value_server": (key_value_server, Check(False, "no answer", "Is the server up, and REDIS_URL right?")),
    "run_worker": (run_worker, Check(False, "unknown", "Look at the database first.")),
    "render_worker": (render_worker, Check(False, "unknown", "Look at the database first.")),
    "sandbox": (sandbox, Check(False, "unknown", "Look at the render worker's log.")),
}


def look(name: str) -> Check:
    """The outcome of one check; one that raises has failed."""
    check, otherwise = CHECKS[name]
    try:
        return check()
    except Exception:
        log.warning("readyz: %s", name, exc_info=True)
        return otherwise


def readyz(request: HttpRequest) -> JsonResponse:
    """Each check with value and hint; 503 only for what stops serving."""
    found = {name: look(name) for name in CHECKS}
    stopped = any(check.stops and not check.ok for check in found.values())
    body = {
        "serves": not stopped,
        "ready": all(check.ok for check in found.values()),
        "checks": {name: asdict(check) | {"hint": "" if check.ok else check.hint} for name, check in found.items()},
    }
    return JsonResponse(body, status=503 if stopped else 200, headers={"Cache-Control": "no-store"})
