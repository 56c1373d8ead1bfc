"""Makes a staff user in the home of this copy: `python -m anyplot_site.make_admin`.

USERNAME and PASSWORD come from the environment, else from the person at the terminal; an empty password
is made up and printed once. For a name that exists the password is set anew.
"""

import getpass
import os
import secrets
import sys

from anyplot_site import ground, home, prepare


def answers() -> tuple[str, str, bool]:
    """Name, password, and whether the password was made up here."""
    asks = sys.stdin.isatty()
    name = os.environ.get("USERNAME") or (input("Name [admin]: ").strip() if asks else "") or "admin"
    password = os.environ.get("PASSWORD") or (getpass.getpass("Password (empty: one is made up): ") if asks else "")
    return (name, password, False) if password else (name, secrets.token_urlsafe(12), True)


def main() -> None:
    """Migrate if the home is new, then make or change the user."""
    folder = home.folder()
    try:
        ground.make_home(folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "anyplot_site.settings")
        import django
        from django.core.exceptions import ImproperlyConfigured

        try:
            django.setup()
        except ImproperlyConfigured as error:
            raise ground.CannotStart(str(error)) from None
    except ground.CannotStart as reason:
        ground.stop(str(reason))

    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    if not prepare.is_current(folder):
        call_command("migrate", interactive=False, verbosity=0)
    name, password, made_up = answers()
    user, is_new = get_user_model().objects.get_or_create(username=name)
    user.is_staff = user.is_superuser = user.is_active = True
    user.set_password(password)
    user.save()
    print(f"anyplot: {name} is {'a new' if is_new else 'now a'} staff user with all rights; sign in at /admin/")
    if made_up:
        print(f"anyplot: password (shown this once): {password}")


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, EOFError):
        sys.exit("\nanyplot: stopped; nothing was changed.")
