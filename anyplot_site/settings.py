"""Environment in, plain names out. A bad value names its variable and stops the start."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from anyplot_site import bounds, home

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent


def _number(name: str, default: float, least: float, most: float = float("inf")) -> float:
    """The number in the variable `name`; a bad one names its variable."""
    text = env.str(name, default="") or str(default)
    try:
        value = float(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {text!r}; use a number.") from None
    if not least <= value <= most:
        upper = "or more" if most == float("inf") else f"to {most:g}"
        raise ImproperlyConfigured(f"{name} is {text}; use {least:g} {upper}.")
    return value


def _whole(name: str, default: int, least: int, most: float = float("inf")) -> int:
    """The whole number in the variable `name`; a bad one names its variable."""
    value = _number(name, default, least, most)
    if value != int(value):
        raise ImproperlyConfigured(f"{name} is {value:g}; use a whole number.")
    return int(value)


def _flag(name: str, default: bool) -> bool:
    """The yes or no in the variable `name`; a bad one names its variable."""
    text = env.str(name, default="").lower()
    if text in ("", "1", "true", "yes", "on", "0", "false", "no", "off"):
        return default if text == "" else text in ("1", "true", "yes", "on")
    raise ImproperlyConfigured(f"{name} is {text!r}; use true or false.")


# --- profile and home -----------------------------------------------------------------------
PROFILE = env.str("ANYPLOT_PROFILE", default="embedded")
if PROFILE not in ("embedded", "production"):
    raise ImproperlyConfigured(f"ANYPLOT_PROFILE is {PROFILE!r}; use embedded or production.")
EMBEDDED = PROFILE == "embedded"
DEBUG = False

HOME = home.folder()
HOST = env.str("HOST", default="127.0.0.1")
PORT = _whole("PORT", 8000, 0, 65_535)


def _secret(name: str, file: Path) -> str:
    """A secret from the variable `name`, from the file of `<name>_FILE`, or, embedded, made once in the home."""
    if value := env.str(name, default=""):
        return value
    if path := env.str(f"{name}_FILE", default=""):
        try:
            return Path(path).read_text().strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {path}, which cannot be read ({error.strerror}).") from None
    if not EMBEDDED:
        raise ImproperlyConfigured(f"{name} is not set; the production profile needs it (or {name}_FILE).")
    try:
        if not file.exists():
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Written aside and linked into place: of several processes that start together one succeeds, and
            # nobody ever reads half of it.
            descriptor, part = tempfile.mkstemp(dir=file.parent)
            with os.fdopen(descriptor, "w") as handle:
                handle.write(secrets.token_urlsafe(50))
            with contextlib.suppress(FileExistsError):
                os.link(part, file)
            os.unlink(part)
        return file.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{error.filename} cannot be used ({error.strerror}); set ANYPLOT_HOME to a folder of your own."
        ) from None


SECRET_KEY = _secret("SECRET_KEY", HOME / "secret_key")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]", HOST] if EMBEDDED else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
BEHIND_PROXY = _flag("BEHIND_PROXY", False)  # a proxy of ours sets X-Forwarded-For and X-Forwarded-Proto anew

# --- apps -----------------------------------------------------------------------------------
INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_rq",
    "ninja",  # for the script and style of /v1/docs: none from elsewhere
    "anyplot_site",
    "renderer_app",
    "agents_app",
]
MIDDLEWARE = [
    "anyplot_site.middleware.Healthz",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "anyplot_site.middleware.RequestId",
    "agents_app.api.middleware.JsonErrors",
    "csp.middleware.CSPMiddleware",
    "anyplot_site.middleware.Utf8Bodies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "anyplot_site.urls"
ASGI_APPLICATION = "anyplot_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "agents_app.web.appearance.site",
            ],
            "builtins": ["agents_app.web.said"],
        },
    }
]

# --- database -------------------------------------------------------------------------------
if env.str("DATABASE_URL", default=""):
    DATABASES: dict[str, Any] = {"default": env.db("DATABASE_URL")}
elif EMBEDDED:
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HOME / "db.sqlite3"}}
else:
    raise ImproperlyConfigured("DATABASE_URL is not set; the production profile needs a PostgreSQL database.")
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE: a transaction that will write takes the lock at its start, so it never fails in the middle.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
    }
    # A file, so that tests meet the locks that people meet.
    DATABASES["default"]["TEST"] = {"NAME": str(HOME / "test.sqlite3")}
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DATABASES["default"]["CONN_MAX_AGE"] = 0 if DATABASES["default"]["ENGINE"].endswith("sqlite3") else 60
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- key-value server: carrier and nudge, nothing of value is in it -----------------------------
REDIS_URL = env.str("REDIS_URL", default="")
if not REDIS_URL:
    # `serve.py` starts a private server on this socket and passes its address on.
    REDIS_URL = home.key_value_url(HOME)
RQ_QUEUES = {
    name: {
        "URL": REDIS_URL,
        "DEFAULT_TIMEOUT": bounds.TURN_MAX_CEILING_S,
        "SERIALIZER": "rq.serializers.JSONSerializer",  # never pickle
    }
    for name in ("run", "render")
}
RQ = {"SHOW_ADMIN_LINK": False}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "anyplot"},
    }
}

# --- files ----------------------------------------------------------------------------------
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": HOME / "files"}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_MANIFEST_STRICT = False  # a file that is missing is a broken picture, not a broken page
FILE_UPLOAD_MAX_MEMORY_SIZE = bounds.BODY_BYTES
DATA_UPLOAD_MAX_MEMORY_SIZE = bounds.BODY_BYTES

# --- people ---------------------------------------------------------------------------------
ANYPLOT_GUESTS = _flag("ANYPLOT_GUESTS", EMBEDDED)
ANYPLOT_GUESTS_PER_HOUR = _whole("ANYPLOT_GUESTS_PER_HOUR", 0 if EMBEDDED else bounds.GUESTS_PER_HOUR, 0)
LOGIN_URL = "/admin/login/"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# --- agents ---------------------------------------------------------------------------------
ANYPLOT_CATALOGUE_FOLDERS = env.list("ANYPLOT_CATALOGUE_FOLDERS", default=[])  # beside ours (EL4)
AGENT_ENABLED = _flag("AGENT_ENABLED", True)
AGENT_RENDERER = env.str("AGENT_RENDERER", default="queue")
AGENT_SANDBOX = env.str("AGENT_SANDBOX", default="bwrap")
AGENT_RUN_CONCURRENCY = _whole("AGENT_RUN_CONCURRENCY", bounds.RUN_CONCURRENCY, 1)
AGENT_RENDER_CONCURRENCY = _whole("AGENT_RENDER_CONCURRENCY", bounds.RENDER_CONCURRENCY, 1)
AGENT_RUNS_PER_MINUTE = _whole(  # 0 is no limit
    "AGENT_RUNS_PER_MINUTE", bounds.RUNS_PER_MINUTE_EMBEDDED if EMBEDDED else bounds.RUNS_PER_MINUTE_PRODUCTION, 0
)
AGENT_QUEUE_MAX_WAIT_S = _whole("AGENT_QUEUE_MAX_WAIT_S", bounds.QUEUE_MAX_WAIT_S, 1)
AGENT_QUEUE_CAPACITY = _whole("AGENT_QUEUE_CAPACITY", bounds.QUEUE_CAPACITY_UNLIMITED, 1)
AGENT_BATCH_MAX = _whole("AGENT_BATCH_MAX", bounds.BATCH_MAX, 1)
AGENT_REQUEST_DEADLINE_S = _whole("AGENT_REQUEST_DEADLINE_S", bounds.REQUEST_DEADLINE_S, 1)
AGENT_REQUEST_TIMEOUT_S = _whole("AGENT_REQUEST_TIMEOUT_S", bounds.REQUEST_TIMEOUT_S, 1)
AGENT_HEARTBEAT_S = _whole("AGENT_HEARTBEAT_S", bounds.HEARTBEAT_S, 1)
AGENT_TURN_MAX_S = _whole("AGENT_TURN_MAX_S", bounds.TURN_MAX_S, 1)
AGENT_DAILY_RUNS = _whole("AGENT_DAILY_RUNS", 0 if EMBEDDED else bounds.DAILY_RUNS_PRODUCTION, 0)  # 0 is no limit
AGENT_RENDER_WALL_S = _number("AGENT_RENDER_WALL_S", bounds.RENDER_WALL_S, 0.1)

if AGENT_TURN_MAX_S > bounds.TURN_MAX_CEILING_S:
    raise ImproperlyConfigured(
        f"AGENT_TURN_MAX_S is {AGENT_TURN_MAX_S}; at most {bounds.TURN_MAX_CEILING_S}, the HTTP time-out."
    )
if AGENT_QUEUE_MAX_WAIT_S + AGENT_REQUEST_DEADLINE_S > AGENT_TURN_MAX_S:
    raise ImproperlyConfigured(
        f"AGENT_QUEUE_MAX_WAIT_S ({AGENT_QUEUE_MAX_WAIT_S}) and AGENT_REQUEST_DEADLINE_S "
        f"({AGENT_REQUEST_DEADLINE_S}) together exceed AGENT_TURN_MAX_S ({AGENT_TURN_MAX_S})."
    )
if AGENT_TURN_MAX_S - AGENT_REQUEST_TIMEOUT_S - AGENT_HEARTBEAT_S < AGENT_QUEUE_MAX_WAIT_S:
    raise ImproperlyConfigured(
        f"AGENT_TURN_MAX_S ({AGENT_TURN_MAX_S}) less AGENT_REQUEST_TIMEOUT_S ({AGENT_REQUEST_TIMEOUT_S}) and "
        f"AGENT_HEARTBEAT_S ({AGENT_HEARTBEAT_S}) leaves no room for AGENT_QUEUE_MAX_WAIT_S ({AGENT_QUEUE_MAX_WAIT_S})."
    )
if AGENT_RENDERER not in ("queue", "local", "fake"):
    raise ImproperlyConfigured(f"AGENT_RENDERER is {AGENT_RENDERER!r}; use queue, local or fake.")

# --- security -------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    },
}
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
if not EMBEDDED:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = _flag("SECURE_SSL_REDIRECT", True)
    SECURE_HSTS_SECONDS = _whole("SECURE_HSTS_SECONDS", bounds.HSTS_S, 0)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked from inside, without TLS
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None

# --- words and time -------------------------------------------------------------------------
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
LOGGING_CONFIG = "anyplot_site.logs.configure"
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
    raise ImproperlyConfigured(f"LOG_LEVEL is {LOG_LEVEL!r}; use DEBUG, INFO, WARNING, ERROR or CRITICAL.")
LOGGING = {"level": LOG_LEVEL, "json": _flag("LOG_JSON", not EMBEDDED)}
