"""`manage.py run_worker`: makes people's plots, one run at a time."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

# Before numpy is imported: one thread, so that a fork is safe.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from django.conf import settings  # noqa: E402
from django.core.management.base import BaseCommand  # noqa: E402
from django.db import DatabaseError  # noqa: E402

from agents_app import jobs  # noqa: E402
from agents_app.catalogue import catalogue  # noqa: E402
from agents_app.catalogue.eligibility import reasons  # noqa: E402
from agents_app.catalogue.spec import Spec  # noqa: E402
from agents_app.queue.worker import RunWorker, connect  # noqa: E402
from agents_app.recipe import adapter  # noqa: E402
from renderer_app import beats  # noqa: E402


class Command(BaseCommand):
    """An RQ worker on the queue `run`; start as many as runs may be in flight."""

    help = "Makes people's plots, one run at a time; start as many as AGENT_RUN_CONCURRENCY."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until a signal comes: the first lets the present run end, the second does not."""
        # Whatever a run needs is in memory before the first fork: each run's process starts with it.
        catalogue.specs()
        gc.collect()
        gc.freeze()
        worker = RunWorker(connect(settings.REDIS_URL), run=jobs.run_turn, prepare=_prepare, ahead=_scripts())
        try:
            worker.work(logging_level=None)
        finally:
            with suppress(DatabaseError):
                beats.leave()


def _scripts() -> Iterator[Callable[[], object]]:
    """Every script of the catalogue, to be parsed while nothing waits."""
    for spec in catalogue.specs():
        for library in spec.libraries:
            yield partial(_parse, spec, library)


def _parse(spec: Spec, library: str) -> None:
    script = catalogue.script(spec, library)
    if not reasons(spec, library):
        adapter.parse_ahead(script)
    gc.freeze()


def _prepare() -> None:
    jobs.alone = True
