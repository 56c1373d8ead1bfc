"""Who renders when: the render slot as leased rows (SL1-SL3).

Every decision is one short transaction that takes the gate row first and reads the clock after it. A render
row is leased to a worker with a fencing token, and every write that ends it is conditional on that token: a
worker that was given up for dead can't end what another does now. Files are written before, and removed after,
never inside a transaction.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from anyplot_site import bounds
from renderer_app import clock, identity
from renderer_app.contract import PURPOSE_ORDER, Purpose
from renderer_app.models import RenderGate, RenderRequest

State = RenderRequest.State


@dataclass(frozen=True)
class Beat:
    """The answer to a beat: is the lease still ours, and did somebody ask to cancel?"""

    confirmed: bool
    cancel: bool


def admit(row: RenderRequest, *, purpose: Purpose, wait_s: float, waiter: str) -> RenderRequest:
    """Store `row` as waiting for at most `wait_s` seconds, for the process `waiter`.

    A row with a script is for the render workers. One without is rendered by its waiter itself (backend
    `local`): it only takes its place in the line.
    """
    now = clock.now()
    row.state = State.WAITING
    row.purpose, row.rank = purpose.value, PURPOSE_ORDER.index(purpose)
    row.created_at, row.wait_until = now, now + timedelta(seconds=wait_s)
    row.waiter = waiter
    row.save(force_insert=True)
    return row


def claim(worker: str, *, only: uuid.UUID | None = None) -> RenderRequest | None:
    """Lease the next waiting row to `worker`, or None when there is none or no slot is free.

    Pipeline before toggle before idle, then in order of arrival (SL2). With `only`, the row that its own process
    renders: it is claimed when it is the next among those.
    """
    with transaction.atomic():
        gate = _gate()
        now = clock.now()
        _recover(now)
        if RenderRequest.objects.filter(state=State.RENDERING).count() >= settings.AGENT_RENDER_CONCURRENCY:
            return None
        rows = RenderRequest.objects.filter(state=State.WAITING, wait_until__gt=now)
        rows = rows.filter(script="") if only else rows.filter(script__gt="")
        row = rows.order_by("rank", "created_at", "id").first()
        if row is None or (only is not None and row.pk != only):
            return None
        row.state, row.token, row.worker = State.RENDERING, gate.next_token, worker
        row.attempts += 1
        row.started_at, row.lease_until = now, now + timedelta(seconds=bounds.LEASE_S)
        row.save(update_fields=["state", "token", "worker", "attempts", "started_at", "lease_until"])
        gate.next_token += 1
        gate.save(update_fields=["next_token"])
        return row


def beat(request_id: uuid.UUID, token: int) -> Beat:
    """Lengthen the lease. Not confirmed: somebody else has the row, or it has ended."""
    lease_until = clock.now() + timedelta(seconds=bounds.LEASE_S)
    mine = RenderRequest.objects.filter(pk=request_id, token=token, state=State.RENDERING)
    confirmed = mine.update(lease_until=lease_until) == 1
    return Beat(confirmed, cancel=confirmed and look(request_id, token).cancel)


def look(request_id: uuid.UUID, token: int) -> Beat:
    """The same question without lengthening the lease: one read."""
    found = (
        RenderRequest.objects.filter(pk=request_id, token=token, state=State.RENDERING)
        .values_list("cancel_requested", flat=True)
        .first()
    )
    return Beat(confirmed=found is not None, cancel=bool(found))


def finish(
    request_id: uuid.UUID, token: int, *, result: dict[str, Any], picture: str = "", canceled: bool = False
) -> bool:
    """End a render with its result; False when the token is stale, and then nothing is written.

    `picture` is the name of the stored file; the caller removes it when the answer is False.
    """
    state = State.CANCELED if canceled else State.DONE
    with transaction.atomic():
        _gate()
        mine = RenderRequest.objects.filter(pk=request_id, token=token, state=State.RENDERING)
        now = clock.now()
        return mine.update(state=state, result=result, picture=picture, finished_at=now, lease_until=None) == 1


def release(request_id: uuid.UUID, token: int) -> bool:
    """Give a leased row back to its place, as if it had not been claimed: its worker leaves in good order."""
    with transaction.atomic():
        _gate()
        row = RenderRequest.objects.filter(pk=request_id, token=token, state=State.RENDERING).first()
        if row is None:
            return False
        row.attempts -= 1
        _put_back(row, clock.now())
        return True


def cancel(request_id: uuid.UUID) -> bool:
    """Cancel a render: at once while it waits, by its worker while it runs. False when it has ended."""
    with transaction.atomic():
        _gate()
        row = RenderRequest.objects.filter(pk=request_id)
        ended = row.filter(state=State.WAITING).update(state=State.CANCELED, finished_at=clock.now())
        asked = 0 if ended else row.filter(state=State.RENDERING).update(cancel_requested=True)
        return bool(ended or asked)


def recover() -> list[RenderRequest]:
    """Deal with rows whose time ran out or whose process is gone; those that changed.

    Anyone may call it at any time. The gate is taken only when there is something to decide.
    """
    if not any(_lapsed(row, clock.now()) or _orphaned(row) for row in _active()):
        return []
    with transaction.atomic():
        _gate()
        return _recover(clock.now())


def sweep() -> int:
    """Remove the files of renders that ended a while ago and were never taken; how many renders."""
    before = clock.now() - timedelta(seconds=bounds.RENDER_FILES_KEEP_S)
    held = Q(script__gt="") | Q(data__gt="") | Q(picture__gt="")
    rows = list(RenderRequest.objects.filter(held, finished_at__lt=before)[:100])
    for row in rows:
        drop_files(row)
    return len(rows)


def drop_files(row: RenderRequest) -> None:
    """Remove a finished render's files, and from its result everything that shows the person's data."""
    names = [str(file.name) for file in (row.script, row.data, row.picture) if file]
    storage = row.script.storage
    kept = {key: value for key, value in row.result.items() if key not in ("probe", "output")}
    RenderRequest.objects.filter(pk=row.pk).update(script="", data="", picture="", result=kept)
    for name in names:
        storage.delete(name)


def _gate() -> RenderGate:
    """The row that every decision takes first; made when it is not there yet."""
    gate = RenderGate.objects.select_for_update().filter(pk=1).first()
    if gate is None:
        RenderGate.objects.get_or_create(pk=1)
        gate = RenderGate.objects.select_for_update().get(pk=1)
    return gate


def _active() -> Iterable[RenderRequest]:
    return RenderRequest.objects.filter(state__in=RenderRequest.ACTIVE).defer("result", "limits")


def _lapsed(row: RenderRequest, now: datetime) -> bool:
    """Whether a row's time ran out, or its worker is gone."""
    if row.state == State.WAITING:
        return row.wait_until <= now
    return row.lease_until is None or row.lease_until <= now or identity.gone(row.worker)


def _orphaned(row: RenderRequest) -> bool:
    """Whether nobody wants a render any more: the process that waited for it is gone."""
    return not row.cancel_requested and identity.gone(row.waiter)


def _recover(now: datetime) -> list[RenderRequest]:
    """Inside the gate: back to its place once, then lost; a wait that ran out expires; orphans are canceled."""
    changed = []
    for row in _active():
        if _orphaned(row):
            row.cancel_requested = True
            row.save(update_fields=["cancel_requested"])
            if row.state == State.RENDERING and not _lapsed(row, now):
                continue  # its worker hears of it at its next look
        elif not _lapsed(row, now):
            continue
        changed.append(row)
        if row.state == State.WAITING:
            row.state = State.CANCELED if row.cancel_requested else State.EXPIRED
            row.finished_at = now
            row.save(update_fields=["state", "finished_at"])
        elif row.cancel_requested or row.attempts >= bounds.RENDER_ATTEMPTS or not row.script:
            row.state = State.CANCELED if row.cancel_requested else State.LOST
            row.finished_at, row.lease_until = now, None
            row.save(update_fields=["state", "finished_at", "lease_until"])
        else:
            _put_back(row, now)
    return changed


def _put_back(row: RenderRequest, now: datetime) -> None:
    # A new token would do as well; none at all shows that nobody holds the row. Its place is its old one.
    row.state, row.token, row.lease_until, row.started_at = State.WAITING, 0, None, None
    row.wait_until = max(row.wait_until, now + timedelta(seconds=bounds.LEASE_S))
    row.worker = ""
    row.save(update_fields=["state", "token", "lease_until", "started_at", "wait_until", "worker", "attempts"])


def waiting() -> bool:
    """True when a render worker has something to claim; a look without the gate."""
    rows = RenderRequest.objects.filter(state=State.WAITING, script__gt="", wait_until__gt=clock.now())
    return rows.exists()
