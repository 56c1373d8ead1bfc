"""What a person may use on a day (BU1): counted by UTC days, checked before a queue place is taken."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Sum

from agents_app.models import Guest, Usage
from agents_app.queue import clock
from agents_app.refusals import OverBudget

SPENT = "You have made {runs} plots today, which is all for a day. The count starts anew at {resets:%H:%M} UTC."


def check_runs(user: User) -> None:
    """Raises OverBudget, with when it resets, when today's runs are spent; guests of one address share (EX5)."""
    limit = settings.AGENT_DAILY_RUNS
    if not limit:
        return
    now = clock.now()
    runs = runs_today(user, now)
    if runs >= limit:
        resets = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
        raise OverBudget(
            SPENT.format(runs=runs, resets=resets),
            retry_after_s=(resets - now).total_seconds(),
            resets_at=resets.isoformat().replace("+00:00", "Z"),
            limit=limit,
        )


def runs_today(user: User, now: datetime) -> int:
    """Today's runs of a person, or of all guests of a guest's address."""
    address = Guest.objects.filter(user=user).values_list("address_hash", flat=True).first()
    whose = {"user__guest__address_hash": address} if address else {"user": user}
    return Usage.objects.filter(day=now.date(), **whose).aggregate(runs=Sum("runs"))["runs"] or 0


def count_run(user: User) -> None:
    """One more run of a person today."""
    with transaction.atomic():
        usage, _ = Usage.objects.get_or_create(user=user, day=clock.now().date())
        Usage.objects.filter(id=usage.id).update(runs=F("runs") + 1)
