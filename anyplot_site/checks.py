"""System checks: a misconfiguration becomes a sentence with a hint, before somebody meets it."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from anyplot_site import bounds

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@register()
def renderer(**_: Any) -> list[CheckMessage]:
    """Plots are drawn for real, and in a sandbox, where people other than a developer use the site."""
    found: list[CheckMessage] = []
    if not settings.EMBEDDED and settings.AGENT_RENDERER in ("fake", "local"):
        found.append(
            Error(
                f"AGENT_RENDERER is {settings.AGENT_RENDERER} in the production profile.",
                hint="Leave it out (queue): fake draws nothing real, and local draws inside the run worker.",
                id="anyplot.E001",
            )
        )
    if not settings.EMBEDDED and settings.AGENT_SANDBOX != "bwrap":
        found.append(
            Error(
                f"AGENT_SANDBOX is {settings.AGENT_SANDBOX} in the production profile.",
                hint="Set it to bwrap: production needs the strict sandbox.",
                id="anyplot.E002",
            )
        )
    return found


@register()
def reach(**_: Any) -> list[CheckMessage]:
    """The embedded profile, where everybody may be a guest, stays on this machine."""
    if settings.EMBEDDED and settings.HOST not in LOOPBACK:
        return [
            Warning(
                f"HOST is {settings.HOST} in the embedded profile: whoever reaches this machine may use the site.",
                hint="Use ANYPLOT_PROFILE=production for other people, or HOST=127.0.0.1 for yourself. "
                "ALLOWED_HOSTS must name the host that browsers use.",
                id="anyplot.W001",
            )
        ]
    return []


@register()
def guests(**_: Any) -> list[CheckMessage]:
    """Guests of a public site are limited by address (EX5)."""
    if not settings.EMBEDDED and settings.ANYPLOT_GUESTS and settings.ANYPLOT_GUESTS_PER_HOUR == 0:
        return [
            Warning(
                "ANYPLOT_GUESTS is on in the production profile without a limit by address.",
                hint=f"Set ANYPLOT_GUESTS_PER_HOUR, for example to {bounds.GUESTS_PER_HOUR}.",
                id="anyplot.W002",
            )
        ]
    return []


@register()
def rate(**_: Any) -> list[CheckMessage]:
    """A rate of 0 is for benchmarks and tests (QU3)."""
    if not settings.EMBEDDED and settings.AGENT_RUNS_PER_MINUTE == 0:
        return [
            Warning(
                "AGENT_RUNS_PER_MINUTE is 0 in the production profile: runs start as fast as they can.",
                hint=f"Set it, for example to {bounds.RUNS_PER_MINUTE_PRODUCTION}.",
                id="anyplot.W003",
            )
        ]
    return []
