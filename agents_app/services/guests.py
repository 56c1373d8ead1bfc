"""A guest: somebody who writes without ever having signed up (EX5)."""

import hashlib
import hmac
import ipaddress
import uuid
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from agents_app.models import Guest
from agents_app.refusals import Forbidden, TooOften, Unauthenticated

BACKEND = "django.contrib.auth.backends.ModelBackend"
HOUR = timedelta(hours=1)


def become_guest(address: str) -> User:
    """Make a guest for a caller at `address`.

    Raises Forbidden where guests are not allowed, TooOften beyond the hourly number of new guests of an
    address (0 = no limit). The address itself is not stored, only a keyed hash of it.
    """
    if not settings.ANYPLOT_GUESTS:
        raise Forbidden("This site has no guests. Sign in, or use a token that its operator gave you.")
    digest = address_hash(address)
    with transaction.atomic():
        _check_rate(digest)
        user = get_user_model().objects.create_user(f"guest-{uuid.uuid4().hex[:20]}")  # without a usable password
        Guest.objects.create(user=user, address_hash=digest)
    return user


def sign_in_guest(request: HttpRequest) -> User:
    """Make the browser that asks a guest, signed in by its session cookie.

    Raises Unauthenticated where guests are not allowed (a person at a browser can sign in), TooOften as
    `become_guest` does.
    """
    if not settings.ANYPLOT_GUESTS:
        raise Unauthenticated("This site has no guests. Sign in to go on.")
    guest = become_guest(request.META.get("REMOTE_ADDR", ""))
    token = request.META.get("CSRF_COOKIE")
    login(request, guest, backend=BACKEND)
    if token:
        # Signing in gives a new form token. A guest has just been made, so nothing of theirs was open to the old
        # one, and the form in their other tab, or behind the Back button, must still be accepted.
        request.META["CSRF_COOKIE"] = token
    return guest


def is_guest(user: User) -> bool:
    """True for somebody who never signed up."""
    return Guest.objects.filter(user_id=user.pk).exists()


def address_hash(address: str) -> str:
    """A keyed hash that guests of one address share; an IPv6 address counts by its /64, which is one household."""
    try:
        parsed = ipaddress.ip_address(address.strip())
    except ValueError:
        network = address.strip()
    else:
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
            parsed = parsed.ipv4_mapped
        network = str(ipaddress.ip_network(f"{parsed}/{64 if parsed.version == 6 else 32}", strict=False))
    return hmac.new(settings.SECRET_KEY.encode(), b"guest address " + network.encode(), hashlib.sha256).hexdigest()


def _check_rate(digest: str) -> None:
    limit = settings.ANYPLOT_GUESTS_PER_HOUR
    if not limit:
        return
    recent = Guest.objects.filter(address_hash=digest, created_at__gt=timezone.now() - HOUR).order_by("created_at")
    # Two requests at once queue up on the oldest row (PostgreSQL; SQLite has one writer anyway).
    oldest = recent.select_for_update().first()
    if oldest is None or recent.count() < limit:
        return
    # The limit frees up when the one that is `limit` back from the newest is an hour old.
    frees = recent[recent.count() - limit].created_at + HOUR
    wait_s = max(1.0, (frees - timezone.now()).total_seconds())
    raise TooOften(
        f"{limit} new guests came from your network within the hour, which is the limit. "
        f"Try again in {max(1, round(wait_s / 60))} minutes, or sign in.",
        retry_after_s=wait_s,
    )
