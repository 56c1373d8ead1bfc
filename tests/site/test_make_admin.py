"""`make admin` makes a staff user in a home, also in a new one, and again."""

import os
import subprocess
import sys

from tests.family.family import CHECKOUT


def admin(folder, *what: str, **environment: str) -> str:
    """Run a module in a home; what it said."""
    clean = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [sys.executable, *what],
        cwd=CHECKOUT,
        env={**clean, "ANYPLOT_HOME": str(folder), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_staff_user_is_made_with_a_password_that_works_and_can_be_set_anew(tmp_path):
    folder = tmp_path / "home"
    said = admin(folder, "-m", "anyplot_site.make_admin", USERNAME="boss")
    password = said.rsplit(": ", 1)[1].strip()
    assert len(password) >= 12

    look = (
        "import django; django.setup(); from django.contrib.auth import authenticate as a; "
        "u = a(username='boss', password={!r}); print(bool(u and u.is_staff and u.is_superuser))"
    )
    with_settings = {"DJANGO_SETTINGS_MODULE": "anyplot_site.settings"}
    assert admin(folder, "-c", look.format(password), **with_settings).strip() == "True"

    said = admin(folder, "-m", "anyplot_site.make_admin", USERNAME="boss", PASSWORD="sesame-street")
    assert "sesame-street" not in said
    assert admin(folder, "-c", look.format("sesame-street"), **with_settings).strip() == "True"
    assert admin(folder, "-c", look.format(password), **with_settings).strip() == "False"
