"""Whether something of a person's is in use by a turn or a toggle of theirs."""

from agents_app.models import Dataset, Session, Toggle, Turn
from agents_app.queue import clock
from agents_app.refusals import RunActive


def refuse_while_used(dataset: Dataset) -> None:
    """Raises RunActive while a waiting or running turn is going to read this data set."""
    if Turn.objects.filter(session__dataset=dataset, state__in=Turn.ACTIVE).exists():
        raise RunActive(
            "A plot of this data set is waiting or being made. Stop it, or wait until it is done, and try again."
        )


def toggle_active(session: Session) -> bool:
    """True while one of this session's versions is being drawn in another theme or format."""
    return Toggle.objects.filter(version__session=session, active=True, lease_until__gt=clock.now()).exists()
