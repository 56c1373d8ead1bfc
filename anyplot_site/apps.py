"""The site as an app, so that its system checks are found."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Registers the checks; has no models."""

    name = "anyplot_site"

    def ready(self) -> None:
        """Import what registers itself."""
        from anyplot_site import checks  # noqa: F401
