"""Log lines with a request or turn id, and never a value of a person's data."""

import logging
import logging.config
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

FRAMES = 40  # of a traceback, the innermost: an endless recursion has a thousand
CAUSES = 5


def configure(options: dict[str, Any]) -> None:
    """Set up logging: `options` is {"level": name, "json": bool}."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        tell_exception,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer() if options["json"] else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "lines": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
                    "foreign_pre_chain": shared,
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
            "root": {"handlers": ["stderr"], "level": options["level"]},
            # Its news at every start is no news.
            "loggers": {"daphne": {"level": "WARNING"}},
        }
    )


def tell_exception(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace `exc_info` by `exception`: kinds and places, without the messages, which may quote a person's data."""
    given = event.pop("exc_info", None)
    error = given if isinstance(given, BaseException) else given[1] if isinstance(given, tuple) else None
    if error is None and given and not isinstance(given, tuple):
        error = sys.exc_info()[1]
    if error is not None:
        event["exception"] = where(error)
    return event


def where(error: BaseException) -> str:
    """An exception's kind and frames (`file:line function`), then those of what it came from."""
    lines: list[str] = []
    cause: BaseException | None = error
    for _ in range(CAUSES):
        if cause is None:
            break
        kind = f"{type(cause).__module__}.{type(cause).__qualname__}".removeprefix("builtins.")
        lines.append(f"from {kind}" if lines else kind)
        frames = traceback.StackSummary.extract(traceback.walk_tb(cause.__traceback__), lookup_lines=False)
        lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-FRAMES:]]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(lines)
