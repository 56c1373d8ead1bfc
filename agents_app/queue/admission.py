"""Who gets a place in the queue (QU1, QU5, QU6, QU17, EX1)."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from agents_app.models import Session, Toggle, Turn
from agents_app.queue import events, nudge, positions, starting
from agents_app.queue.dispatch import decide
from agents_app.queue.events import PROTOCOL, Line
from agents_app.queue.gate import Gate, gate
from agents_app.refusals import Invalid, NotFound, OverCapacity, Refusal, RunActive
from anyplot_site import bounds

RANKS = {Turn.Lane.PREMIUM: 0, Turn.Lane.STANDARD: 1, Turn.Lane.BATCH: 2}
ACTIVE = "Your last plot is still being made. Wait for it, or stop it first."
DRAWING = "A picture of yours is being drawn in another theme or format. It takes a moment; then try again."
FULL = "The queue is full: {waiting} plots are waiting. Please try again in about {seconds} seconds."


def admit(
    *,
    session: Session,
    owner: User,
    text: str = "",
    operations: Sequence[dict[str, Any]] = (),
    theme: str = "",
    base: str = "previous",
    lane: str = Turn.Lane.STANDARD,
    idempotency_key: str = "",
) -> Turn:
    """Give the turn a place, with its first event, and start what may start.

    A repeated `idempotency_key` of the session gives the turn it gave before, whatever became of it. Raises
    RunActive while another turn or toggle of the owner is active (batch runs are nobody's), OverCapacity with
    `retry_after_s` when too many wait; then nothing is stored.
    """
    _check_key(idempotency_key)
    refusal: Refusal | None = None
    try:
        with gate() as held:
            if (joined := known(session, idempotency_key)) is not None:
                return joined
            decide(held)
            # Kept aside, so that what was just decided about others is committed.
            refusal = _refusal(held, owner, lane)
            if refusal is None:
                turn = _insert(
                    held,
                    session=session,
                    owner=owner,
                    text=text,
                    operations=list(operations),
                    theme=theme,
                    base=str(base),
                    lane=lane,
                    lane_rank=RANKS[Turn.Lane(lane)],
                    idempotency_key=idempotency_key,
                    wait_until=held.now + timedelta(seconds=_wait_s(held, lane)),
                )
                decide(held)
                nudge.queue_changed()
    except IntegrityError:
        # The constraint behind the check, should two gates ever be open at once.
        if (joined := known(session, idempotency_key)) is not None:
            return joined
        raise RunActive(ACTIVE) from None
    if refusal is not None:
        raise refusal
    turn.refresh_from_db()
    return turn


def answer(
    *,
    session: Session,
    owner: User,
    text: str,
    message: dict[str, Any],
    outcome: str,
    idempotency_key: str = "",
) -> Turn:
    """Store a turn that needs no run: `ready, message, done{outcome}` at once; it takes no place, budget or slot."""
    _check_key(idempotency_key)
    with gate() as held:
        if (joined := known(session, idempotency_key)) is not None:
            return joined
        return _insert(
            held,
            session=session,
            owner=owner,
            text=text,
            idempotency_key=idempotency_key,
            wait_until=held.now,
            finished_at=held.now,
            state=Turn.State.FINISHED,
            outcome=outcome,
            lines=[("message", message), events.done(outcome)],
        )


def known(session: Session, key: str) -> Turn | None:
    """The turn that an idempotency key of this session made before (QU17), or None."""
    return Turn.objects.filter(session=session, idempotency_key=key).first() if key else None


def busy(owner: User) -> RunActive | None:
    """The refusal while a turn or a toggle of the owner is active (EX1, EX2), or None; the caller holds the gate.

    Only a turn can be stopped, so each has a sentence of its own.
    """
    if Turn.objects.filter(owner=owner, state__in=Turn.ACTIVE).exclude(lane=Turn.Lane.BATCH).exists():
        return RunActive(ACTIVE)
    return RunActive(DRAWING) if Toggle.objects.filter(owner=owner, active=True).exists() else None


def _check_key(key: str) -> None:
    limit = Turn._meta.get_field("idempotency_key").max_length or 0
    if len(key) > limit:
        raise Invalid(f"The Idempotency-Key has {len(key)} characters; at most {limit} are allowed.")


def _refusal(held: Gate, owner: User, lane: str) -> Refusal | None:
    """Why the turn gets no place, or None. A turn that can start at once needs no waiting place."""
    waiting = Turn.objects.filter(state=Turn.State.QUEUED)
    if lane == Turn.Lane.BATCH:
        count, limit = waiting.filter(lane=Turn.Lane.BATCH).count(), held.policy.batch_max
    else:
        Toggle.objects.filter(active=True, lease_until__lt=held.now).update(active=False)
        if (active := busy(owner)) is not None:
            return active
        count, limit = waiting.filter(lane__in=starting.PEOPLE).count(), held.policy.capacity
    if count < limit:
        return None
    wait_s = positions.forecast().next_start_s
    seconds = max(1, math.ceil(wait_s)) if wait_s is not None else held.policy.heartbeat_s
    return OverCapacity(FULL.format(waiting=count, seconds=seconds), retry_after_s=seconds)


def _wait_s(held: Gate, lane: str) -> int:
    return bounds.BATCH_WAIT_S if lane == Turn.Lane.BATCH else held.policy.max_wait_s


def _insert(held: Gate, *, session: Session, lines: Sequence[Line] = (), **fields: Any) -> Turn:
    # Its own savepoint: on PostgreSQL a refused insert would spoil the decision's transaction.
    with transaction.atomic():
        if not Session.objects.filter(id=session.id).exists():
            raise NotFound("This session was deleted.")
        turn = Turn.objects.create(session=session, arrival=held.take_arrival(), created_at=held.now, **fields)
    ready: Line = ("ready", {"protocol": PROTOCOL, "session": str(session.id), "turn": str(turn.id)})
    events.append(turn, [ready, *lines])
    return turn
