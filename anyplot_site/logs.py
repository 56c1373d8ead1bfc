"""Log lines with a request or turn id, and never a value of a person's data."""

import logging
import logging.config
from typing import Any

import structlog


def configure(options: dict[str, Any]) -> None:
    """Set up logging: `options` is {"level": name, "json": bool}."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer() if options["json"] else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            *shared,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
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
