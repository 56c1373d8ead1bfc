"""The environment becomes plain names; a bad value names its variable; secrets are kept well."""

import os
import stat
import subprocess
import sys

import pytest

from tests.family.family import CHECKOUT


def read(tmp_path, what: str, **environment: str) -> str:
    """An expression over the settings of a process with this environment; its error's last line if it fails."""
    kept = {"PATH": os.environ["PATH"], "ANYPLOT_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", f"from anyplot_site import settings; print({what})"],
        cwd=CHECKOUT,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return (done.stdout or done.stderr).strip().splitlines()[-1]


def test_the_secret_of_an_embedded_copy_is_made_once_and_for_its_owner_only(tmp_path):
    first = read(tmp_path, "settings.SECRET_KEY")
    assert len(first) > 50
    assert read(tmp_path, "settings.SECRET_KEY") == first
    file = tmp_path / "home" / "secret_key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_secret_may_be_in_a_file(tmp_path):
    (tmp_path / "key").write_text("from-a-file\n")
    assert read(tmp_path, "settings.SECRET_KEY", SECRET_KEY_FILE=str(tmp_path / "key")) == "from-a-file"
    gone = read(tmp_path, "settings.SECRET_KEY", SECRET_KEY_FILE=str(tmp_path / "gone"))
    assert "SECRET_KEY_FILE" in gone
    assert "cannot be read" in gone


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "eighty", "use a number"),
        ("PORT", "80.5", "whole number"),
        ("PORT", "-1", "use 0 to 65535"),
        ("AGENT_RUNS_PER_MINUTE", "-1", "use 0 or more"),
        ("AGENT_HEARTBEAT_S", "0", "use 1 or more"),
        ("ANYPLOT_GUESTS", "perhaps", "true or false"),
        ("LOG_LEVEL", "loud", "DEBUG"),
        ("AGENT_RENDERER", "magic", "queue, local or fake"),
        ("AGENT_TURN_MAX_S", "901", "900"),
        ("AGENT_REQUEST_TIMEOUT_S", "300", "leaves no room"),
    ],
)
def test_a_bad_value_names_its_variable_and_the_way_out(tmp_path, name, value, words):
    said = read(tmp_path, "1", **{name: value})
    assert "ImproperlyConfigured" in said
    assert name in said
    assert words in said


def test_production_demands_what_it_needs(tmp_path):
    production = {"ANYPLOT_PROFILE": "production"}
    assert "SECRET_KEY is not set" in read(tmp_path, "1", **production)
    assert "DATABASE_URL is not set" in read(tmp_path, "1", **production, SECRET_KEY="x" * 60)


def test_production_has_its_own_defaults(tmp_path):
    production = {"ANYPLOT_PROFILE": "production", "SECRET_KEY": "x" * 60, "DATABASE_URL": "postgres://u:p@db/plots"}
    names = (
        "AGENT_RUNS_PER_MINUTE",
        "ANYPLOT_GUESTS",
        "ANYPLOT_GUESTS_PER_HOUR",
        "AGENT_DAILY_RUNS",
        "SESSION_COOKIE_SECURE",
    )
    expression = ", ".join(f"settings.{name}" for name in names)
    assert read(tmp_path, expression, **production) == "1 False 20 200 True"
    assert read(tmp_path, "settings.DATABASES['default']['ENGINE']", **production).endswith("postgresql")
    assert read(tmp_path, "settings.DEBUG", **production) == "False"


def test_embedded_has_its_own_defaults(tmp_path):
    names = "AGENT_RUNS_PER_MINUTE", "ANYPLOT_GUESTS", "ANYPLOT_GUESTS_PER_HOUR", "AGENT_DAILY_RUNS", "HOST", "PORT"
    assert read(tmp_path, ", ".join(f"settings.{name}" for name in names)) == "60 True 0 0 127.0.0.1 8000"
