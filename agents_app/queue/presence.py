"""Whether somebody still waits for a turn (QU10).

A turn whose client never attached waits its whole wait. Once a stream, a socket or a polling page was
there, `present_until` says how long it counts as there; a living process renews it for its open
connections, so that a dead one's turns are withdrawn too.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import Q

from agents_app.models import Turn
from agents_app.queue import clock
from anyplot_site import bounds


def attached(turn_id: Any) -> None:
    """A stream or socket of this process looks at the turn; renew it every `PRESENCE_BEAT_S`."""
    renew([turn_id])


def renew(turn_ids: Iterable[Any]) -> None:
    """The connections are still open; counts for the waiting among them, long enough to survive a busy process."""
    _waiting(turn_ids).update(present_until=clock.now() + timedelta(seconds=bounds.WORKER_GONE_S))


def detached(turn_id: Any) -> None:
    """The last connection of this process left; a reload has a grace, and another process's beat overrules it."""
    _waiting([turn_id]).update(present_until=clock.now() + timedelta(seconds=bounds.PRESENCE_GRACE_S))


def polled(turn_id: Any, page: bool = False) -> None:
    """The turn was asked for: present for another 30 s.

    A `page` that polls is a client like a socket: when it stops, nobody waits. A program that asks now and
    then was promised its whole wait (202), so for it this only lengthens a presence that began otherwise.
    """
    until = clock.now() + timedelta(seconds=bounds.PRESENCE_POLL_S)
    shorter = Q(present_until__lt=until) | (Q(present_until__isnull=True) if page else Q())
    _waiting([turn_id]).filter(shorter).update(present_until=until)


def _waiting(turn_ids: Iterable[Any]) -> Any:
    return Turn.objects.filter(id__in=list(turn_ids), state=Turn.State.QUEUED)
