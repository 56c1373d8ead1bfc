"""RQ carries: a message that a turn was started, so that a worker takes it up at once.

A lost message is sent again (`dispatch`), a doubled one is refused at the claim (`lease.claim`). It holds the
turn's id and token, nothing of a person.
"""

import logging
from functools import lru_cache

from django.conf import settings
from django.db import transaction
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from agents_app.models import Turn
from anyplot_site import bounds

log = logging.getLogger(__name__)

QUEUE = "run"
JOB = "agents_app.jobs.run_turn"
_RESULT_S = 60
_FAILURE_S = 3_600


def connect(url: str, timeout_s: float = bounds.KV_TIMEOUT_S) -> Redis:
    """A connection that gives up soon: one more try at once (the server may have been restarted), no back-off."""
    return Redis.from_url(
        url, socket_timeout=timeout_s, socket_connect_timeout=bounds.KV_TIMEOUT_S, retry=Retry(NoBackoff(), 1)
    )


@lru_cache(maxsize=1)
def _queue(url: str) -> Queue:
    return Queue(QUEUE, connection=connect(url), serializer=JSONSerializer)


def send_later(turn: Turn) -> None:
    """Send the turn to the workers once the present transaction is committed."""
    turn_id, token, deadline_s = str(turn.id), turn.token, settings.AGENT_REQUEST_DEADLINE_S
    transaction.on_commit(lambda: _send(turn_id, token, deadline_s), robust=True)


def _send(turn_id: str, token: int, deadline_s: int) -> None:
    try:
        _queue(settings.REDIS_URL).enqueue_call(
            JOB,
            args=(turn_id, token),
            description="run",
            # The alarm behind the run's own deadline, for code that hangs without looking.
            timeout=deadline_s + bounds.RUN_OVERRUN_S + bounds.LEASE_BEAT_S,
            result_ttl=_RESULT_S,
            failure_ttl=_FAILURE_S,
        )
    except (RedisError, OSError) as error:
        log.warning("the key-value server takes no turn: %s", type(error).__name__)
