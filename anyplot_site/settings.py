"""Environment in, plain names out. A bad value names its variable and stops the start."""

import os
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from anyplot_site import bounds

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# --- profile and home -----------------------------------------------------------------------
PROFILE = env.str("ANYPLOT_PROFILE", default="embedded")
if PROFILE not in ("embedded", "production"):
    raise ImproperlyConfigured(f"ANYPLOT_PROFILE is {PROFILE!r}; use embedded or production.")
EMBEDDED = PROFILE == "embedded"
DEBUG = False

HOME = Path(env.str("ANYPLOT_HOME", default=str(BASE_DIR / ".anyplot"))).resolve()
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)


def _secret(name: str, file: Path) -> str:
    """A secret from the variable `name`, from the file that `<name>_FILE` names, or, embedded, made once in the home."""
    if value := env.str(name, default=""):
        return value
    if path := env.str(f"{name}_FILE", default=""):
        return Path(path).read_text().strip()
    if not EMBEDDED:
        raise ImproperlyConfigured(f"{name} is not set; the production profile needs it (or {name}_FILE).")
    if not file.exists():
        import secrets

        file.parent.mkdir(parents=True, exist_ok=True)
        # O_EXCL: of several processes that start together, one writes; the others read what it wrote.
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        else:
            with os.fdopen(descriptor, "w") as handle:
                handle.write(secrets.token_urlsafe(50))
    return file.read_text().strip()


SECRET_KEY = _secret("SECRET_KEY", HOME / "secret_key")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]", "testserver"] if EMBEDDED else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

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
    "renderer_app",
    "agents_app",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "anyplot_site.middleware.RequestId",
    "csp.middleware.CSPMiddleware",
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
            ],
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
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DATABASES["default"]["CONN_MAX_AGE"] = 0 if DATABASES["default"]["ENGINE"].endswith("sqlite3") else 60
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- key-value server: carrier and nudge, nothing of value is in it -----------------------------
REDIS_URL = env.str("REDIS_URL", default="")
if not REDIS_URL:
    # `serve.py` starts a private server on this socket and passes its address on.
    REDIS_URL = f"unix://{HOME / 'run' / 'kv.sock'}"
RQ_QUEUES = {
    name: {"URL": REDIS_URL, "DEFAULT_TIMEOUT": bounds.TURN_MAX_CEILING_S} for name in ("run", "render")
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
FILE_UPLOAD_MAX_MEMORY_SIZE = bounds.BODY_BYTES
DATA_UPLOAD_MAX_MEMORY_SIZE = bounds.BODY_BYTES

# --- people ---------------------------------------------------------------------------------
ANYPLOT_GUESTS = env.bool("ANYPLOT_GUESTS", default=EMBEDDED)
ANYPLOT_GUESTS_PER_HOUR = env.int("ANYPLOT_GUESTS_PER_HOUR", default=0 if EMBEDDED else bounds.GUESTS_PER_HOUR)
LOGIN_URL = "/admin/login/"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# --- agents ---------------------------------------------------------------------------------
ANYPLOT_CATALOGUE_FOLDERS = env.list("ANYPLOT_CATALOGUE_FOLDERS", default=[])  # beside ours (EL4)
AGENT_ENABLED = env.bool("AGENT_ENABLED", default=True)
AGENT_RENDERER = env.str("AGENT_RENDERER", default="queue")
AGENT_SANDBOX = env.str("AGENT_SANDBOX", default="bwrap")
AGENT_RUN_CONCURRENCY = env.int("AGENT_RUN_CONCURRENCY", default=bounds.RUN_CONCURRENCY)
AGENT_RENDER_CONCURRENCY = env.int("AGENT_RENDER_CONCURRENCY", default=bounds.RENDER_CONCURRENCY)
AGENT_RUNS_PER_MINUTE = env.int(
    "AGENT_RUNS_PER_MINUTE",
    default=bounds.RUNS_PER_MINUTE_EMBEDDED if EMBEDDED else bounds.RUNS_PER_MINUTE_PRODUCTION,
)
AGENT_QUEUE_MAX_WAIT_S = env.int("AGENT_QUEUE_MAX_WAIT_S", default=bounds.QUEUE_MAX_WAIT_S)
AGENT_QUEUE_CAPACITY = env.int("AGENT_QUEUE_CAPACITY", default=bounds.QUEUE_CAPACITY_UNLIMITED)
AGENT_REQUEST_DEADLINE_S = env.int("AGENT_REQUEST_DEADLINE_S", default=bounds.REQUEST_DEADLINE_S)
AGENT_REQUEST_TIMEOUT_S = env.int("AGENT_REQUEST_TIMEOUT_S", default=bounds.REQUEST_TIMEOUT_S)
AGENT_HEARTBEAT_S = env.int("AGENT_HEARTBEAT_S", default=bounds.HEARTBEAT_S)
AGENT_TURN_MAX_S = env.int("AGENT_TURN_MAX_S", default=bounds.TURN_MAX_S)
AGENT_DAILY_RUNS = env.int("AGENT_DAILY_RUNS", default=0 if EMBEDDED else bounds.DAILY_RUNS_PRODUCTION)
AGENT_RENDER_WALL_S = env.float("AGENT_RENDER_WALL_S", default=float(bounds.RENDER_WALL_S))

for _name in ("AGENT_RUN_CONCURRENCY", "AGENT_RENDER_CONCURRENCY", "AGENT_QUEUE_MAX_WAIT_S", "AGENT_HEARTBEAT_S"):
    if globals()[_name] < 1:
        raise ImproperlyConfigured(f"{_name} is {globals()[_name]}; use 1 or more.")
if AGENT_RUNS_PER_MINUTE < 0:
    raise ImproperlyConfigured(f"AGENT_RUNS_PER_MINUTE is {AGENT_RUNS_PER_MINUTE}; use 0 (no limit) or more.")
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
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None

# --- words and time -------------------------------------------------------------------------
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
LOGGING_CONFIG = "anyplot_site.logs.configure"
LOGGING = {"level": env.str("LOG_LEVEL", default="INFO"), "json": env.bool("LOG_JSON", default=not EMBEDDED)}
