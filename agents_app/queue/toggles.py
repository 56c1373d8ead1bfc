"""The registry of theme toggles: one per person, and never beside a turn (EX2)."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from agents_app.models import Toggle, Version
from agents_app.queue import admission, clock
from agents_app.queue.gate import gate
from agents_app.refusals import RunActive
from anyplot_site import bounds


def begin(owner: User, version: Version, theme: str, format: str = "png") -> Toggle:
    """Enter a toggle; RunActive while a turn or another toggle of the owner is active."""
    try:
        with gate() as held:
            # One whose process died keeps nobody out for longer than its lease.
            Toggle.objects.filter(active=True, lease_until__lt=held.now).update(active=False)
            if (active := admission.busy(owner)) is not None:
                raise active
            with transaction.atomic():
                return Toggle.objects.create(
                    owner=owner,
                    version=version,
                    theme=theme,
                    format=format,
                    created_at=held.now,
                    lease_until=held.now + timedelta(seconds=bounds.LEASE_S),
                )
    except IntegrityError:
        # The constraint behind the check, should two gates ever be open at once: one toggle a person.
        raise RunActive(admission.DRAWING) from None


def beat(toggle: Toggle) -> bool:
    """Keep it; False when it is over (its version deleted, its lease run out)."""
    lease = clock.now() + timedelta(seconds=bounds.LEASE_S)
    return Toggle.objects.filter(id=toggle.id, active=True).update(lease_until=lease) == 1


def end(toggle: Toggle) -> None:
    """Leave the registry; may be called twice."""
    Toggle.objects.filter(id=toggle.id).update(active=False)
