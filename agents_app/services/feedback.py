"""A person's quick word on a version."""

from django.contrib.auth.models import User

from agents_app.models import Feedback, Version


def feedback(version: Version, owner: User, reaction: str, message: str = "") -> Feedback:
    """Keep what `owner` thinks of a version; said again, the later word replaces the earlier one."""
    said, _ = Feedback.objects.update_or_create(
        version=version, owner=owner, defaults={"reaction": reaction, "message": message}
    )
    return said
