"""The render worker as a process of the family."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from renderer_app import worker


class Command(BaseCommand):
    """Render what waits, one plot at a time, until SIGTERM."""

    help = "Render waiting plots, one at a time, until SIGTERM or Ctrl-C."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit code 1 when a sandbox could not be ended and the process must be started anew."""
        sys.exit(worker.serve())
