"""Tokens for programs: made, listed, revoked."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from agents_app.models import ApiToken
from agents_app.services import tokens


class Command(BaseCommand):
    """`token create NAME --user USERNAME`, `token list`, `token revoke NAME`."""

    help = "Makes, lists and revokes bearer tokens of the JSON API."

    def add_arguments(self, parser: CommandParser) -> None:
        """The three actions."""
        actions = parser.add_subparsers(dest="action", required=True)
        create = actions.add_parser("create", help="Make a token and print it, once.")
        create.add_argument("name", help="What the token is for.")
        create.add_argument("--user", help="Whose it is; may be left out where there is just one staff user.")
        create.add_argument("--days", type=int, help="How long it is good for; without it, until it is revoked.")
        listing = actions.add_parser("list", help="Tokens that are good, newest first.")
        listing.add_argument("--user", help="Only this user's.")
        listing.add_argument("--all", action="store_true", help="Ended and revoked ones too.")
        revoke = actions.add_parser("revoke", help="End a token at once.")
        revoke.add_argument("name", help="Its name or id.")
        revoke.add_argument("--user", help="Whose it is, where several have one of that name.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the action."""
        getattr(self, "do_" + options["action"])(options)

    def do_create(self, options: dict[str, Any]) -> None:
        """Print the new token's text, alone on standard output so that a script can take it."""
        if options["days"] is not None and options["days"] < 1:
            raise CommandError(f"--days is {options['days']}; use 1 or more.")
        user = self._user(options["user"])
        _, text = tokens.issue(user, options["name"], days=options["days"])
        self.stderr.write(f"Token {options['name']!r} of {user.get_username()}; it is shown only this once:")
        self.stdout.write(text)

    def do_list(self, options: dict[str, Any]) -> None:
        """One line a token: id, user, name, state, when it was used."""
        found = ApiToken.objects.select_related("user")
        if options["user"]:
            found = found.filter(user=self._user(options["user"]))
        shown = 0
        for token in found:
            state = self._state(token)
            if state == "good" or options["all"]:
                used = f"used {token.used_at:%Y-%m-%d %H:%M}" if token.used_at else "never used"
                self.stdout.write(f"{token.id}  {token.user.get_username()}  {token.name}  {state}  {used}")
                shown += 1
        if not shown:
            self.stderr.write("No tokens. Make one with: manage.py token create NAME --user USERNAME")

    def do_revoke(self, options: dict[str, Any]) -> None:
        """End the one token that is meant; refuse to guess between several."""
        found = [token for token in ApiToken.objects.select_related("user") if self._state(token) == "good"]
        found = [token for token in found if options["name"] in (token.name, str(token.id))]
        if options["user"]:
            found = [token for token in found if token.user.get_username() == options["user"]]
        if not found:
            raise CommandError(f"There is no good token {options['name']!r}. See: manage.py token list")
        if len(found) > 1:
            raise CommandError(
                f"{len(found)} tokens are named {options['name']!r}. Give the id; see: manage.py token list"
            )
        tokens.revoke(found[0])
        self.stderr.write(f"Revoked {found[0].name!r} of {found[0].user.get_username()}.")

    def _user(self, name: str | None) -> User:
        people = get_user_model().objects
        if name:
            user = people.filter(username=name).first()
            if user is None:
                raise CommandError(f"There is no user {name!r}. Make a staff user with: make admin")
            return user
        staff = list(people.filter(is_staff=True, is_active=True)[:2])
        if len(staff) != 1:
            raise CommandError("Say whose token it is: --user USERNAME.")
        return staff[0]

    def _state(self, token: ApiToken) -> str:
        if token.revoked_at:
            return "revoked"
        return "ended" if token.expires_at and token.expires_at <= timezone.now() else "good"
