"""The key-value server as renders use it: RQ carries a nudge there, lists carry one back. Rows are the truth.

Nothing here raises and nothing blocks for long: without the server everything goes on by looking at rows.
"""

import time
from functools import lru_cache

import structlog
from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from anyplot_site import bounds

log = structlog.get_logger(__name__)

QUEUE = "render"
JOB = "renderer_app.jobs.render_next"
RESULT_S = 60
FAILURE_S = 3_600
NEWS_S = 60  # a finished render's nudge that nobody fetched


def connect() -> Redis:
    """A connection that gives up soon: a server that is silent holds nobody up for longer than a poll."""
    return _connect(settings.REDIS_URL)


def connect_fresh() -> Redis:
    """The same, not shared: RQ's worker sets time-outs of its own on it."""
    return _open(settings.REDIS_URL)


def _open(url: str) -> Redis:
    # One more try at once, since the server may have been restarted under an idle connection; no back-off.
    return Redis.from_url(
        url, socket_timeout=bounds.KV_TIMEOUT_S, socket_connect_timeout=bounds.KV_TIMEOUT_S, retry=Retry(NoBackoff(), 1)
    )


_connect = lru_cache(maxsize=2)(_open)


def send(request_id: str) -> bool:
    """Nudge the render workers through RQ: the row's id only. False when the server takes nothing."""
    try:
        Queue(QUEUE, connection=connect(), serializer=JSONSerializer).enqueue_call(
            JOB,
            args=(request_id,),
            description="render",
            timeout=-1,  # the watchdog ends renders; RQ's alarm would hit whichever is in the slot by then
            result_ttl=RESULT_S,
            failure_ttl=FAILURE_S,
        )
    except (RedisError, OSError) as error:
        log.warning("render.nudge_lost", error=type(error).__name__)
        return False
    return True


def tell(request_id: str) -> None:
    """Tell the one who waits for a render that its row has changed."""
    try:
        with connect().pipeline() as pipe:
            pipe.rpush(_news(request_id), "1")
            pipe.expire(_news(request_id), NEWS_S)
            pipe.execute()
    except (RedisError, OSError) as error:
        log.warning("render.news_lost", error=type(error).__name__)


def listen(request_id: str, timeout_s: float) -> None:
    """Wait until there is news of a render, or `timeout_s` have passed."""
    end = time.monotonic() + timeout_s
    try:
        if connect().blpop([_news(request_id)], timeout=timeout_s):
            return
    except (RedisError, OSError):
        pass
    # Without a server the wait is a plain one; else rows would be asked as fast as errors come.
    time.sleep(max(0.0, end - time.monotonic()))


def _news(request_id: str) -> str:
    return f"anyplot:render:{request_id}"
