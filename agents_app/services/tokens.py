"""Bearer tokens for programs: shown once, stored as a hash."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from agents_app.models import ApiToken
from agents_app.services.names import clean_name

PREFIX = "anyplot_"  # so that a token that leaked into a text can be recognised for what it is
USED_EVERY = timedelta(minutes=1)  # `used_at` is for people: no write at every call


def issue(user: User, name: str, days: int | None = None) -> tuple[ApiToken, str]:
    """Make a token for `user`, good for `days` (None: until revoked). Its text is returned here and never again."""
    text = PREFIX + secrets.token_urlsafe(32)
    expires = timezone.now() + timedelta(days=days) if days is not None else None
    token = ApiToken.objects.create(
        user=user, name=clean_name(name, otherwise="token"), digest=digest(text), expires_at=expires
    )
    return token, text


def user_of(text: str) -> User | None:
    """Whose token this is; None when it is unknown, ended or revoked, or its owner may not sign in."""
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user")
        .filter(digest=digest(text), revoked_at=None, user__is_active=True)
        .filter(Q(expires_at=None) | Q(expires_at__gt=now))
        .first()
    )
    if token is None:
        return None
    if token.used_at is None or now - token.used_at > USED_EVERY:
        ApiToken.objects.filter(id=token.id).update(used_at=now)
    return token.user


def revoke(token: ApiToken) -> bool:
    """End a token at once; False when it had ended already."""
    return bool(ApiToken.objects.filter(id=token.id, revoked_at=None).update(revoked_at=timezone.now()))


def digest(text: str) -> str:
    """The SHA-256 that is stored. A token has 256 random bits, so no slow hash is needed."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
