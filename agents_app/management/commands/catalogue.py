"""`manage.py catalogue check | stamp | previews`: look after the catalogue."""

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents_app.catalogue import catalogue, eligibility, preview, stamp
from agents_app.catalogue.spec import Spec


class Command(BaseCommand):
    """Three verbs on the catalogue; each prints what it found or did."""

    help = "check: which scripts can be adapted; stamp: write the shared blocks; previews: draw the gallery's pictures."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("check", help="count the scripts by why they can't be adapted")
        verbs.add_parser("stamp", help="write the theme and fit blocks into our scripts")
        previews = verbs.add_parser("previews", help="draw the previews that are behind their scripts")
        previews.add_argument("--spec", default="", help="only this plot, whether or not it is behind")
        previews.add_argument("--all", action="store_true", help="every plot of ours")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['verb']}")(options)

    def _check(self, options: dict[str, Any]) -> None:
        """Print each ineligible pair with its reasons, then counts."""
        counts: Counter[str] = Counter()
        total = eligible = 0
        for spec in catalogue.specs():
            for library in spec.libraries:
                total += 1
                reasons = eligibility.reasons(spec, library)
                eligible += not reasons
                counts.update({reason.code for reason in reasons})
                for reason in reasons:
                    line = f" line {reason.line}" if reason.line else ""
                    self.stdout.write(f"{spec.id} {library}{line}: {reason.code}: {reason.text}")
        self.stdout.write(f"{eligible} of {total} scripts can be adapted.")
        for code in eligibility.CODES:
            if counts[code]:
                self.stdout.write(f"{counts[code]:5d}  {code}")

    def _stamp(self, options: dict[str, Any]) -> None:
        """Write the shared blocks; print what changed."""
        for spec in self._ours():
            for library in spec.libraries:
                path = spec.script_path(library)
                old = path.read_text(encoding="utf-8")
                new = stamp.stamped(old, library)
                if new != old:
                    path.write_text(new, encoding="utf-8")
                    self.stdout.write(f"stamped {spec.id} {library}")

    def _previews(self, options: dict[str, Any]) -> None:
        """Draw what is behind; print each picture with its size."""
        ours = self._ours()
        if options["spec"]:
            ours = [spec for spec in ours if spec.id == options["spec"]]
            if not ours:
                raise CommandError(f"There is no plot of ours called {options['spec']}.")
        every = [(spec, library) for spec in ours for library in spec.libraries]
        for spec, library in every if options["all"] or options["spec"] else preview.behind(ours):
            try:
                for path in preview.draw(spec, library):
                    self.stdout.write(f"{path.parent.name}/{path.name}  {path.stat().st_size / 1000:.1f} kB")
            except preview.PreviewFailed as error:
                raise CommandError(str(error)) from error

    @staticmethod
    def _ours() -> list[Spec]:
        return [spec for spec in catalogue.specs() if spec.folder.parent == catalogue.PLOTS]
