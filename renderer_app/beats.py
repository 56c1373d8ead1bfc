"""Signs of life of the processes of the family, as rows: who is there, and since when not any more."""

from datetime import timedelta
from typing import Any

from anyplot_site import bounds
from renderer_app import clock, identity
from renderer_app.models import WorkerBeat


def beat(kind: str, detail: dict[str, Any] | None = None) -> None:
    """Say that this process lives; `kind` is `web`, `run` or `render`, `detail` anything plain that others may show."""
    name = identity.me()
    WorkerBeat.objects.update_or_create(
        name=name,
        defaults={
            "kind": kind,
            "host": name.split(":", 1)[0],
            "detail": {} if detail is None else detail,
            "beat_at": clock.now(),
        },
    )


def living(kind: str) -> list[WorkerBeat]:
    """The processes of a kind that gave a sign within `WORKER_GONE_S` and are not provably gone; newest first."""
    since = clock.now() - timedelta(seconds=bounds.WORKER_GONE_S)
    beats = WorkerBeat.objects.filter(kind=kind, beat_at__gte=since).order_by("-beat_at")
    return [one for one in beats if not identity.gone(one.name)]


def alive(kind: str) -> int:
    """How many processes of a kind live."""
    return len(living(kind))


def leave() -> None:
    """Say that this process ends in good order."""
    WorkerBeat.objects.filter(name=identity.me()).delete()


def forget() -> int:
    """Delete the signs of processes that are long gone; how many."""
    before = clock.now() - timedelta(seconds=10 * bounds.WORKER_GONE_S)
    gone, _ = WorkerBeat.objects.filter(beat_at__lt=before).delete()
    return gone
