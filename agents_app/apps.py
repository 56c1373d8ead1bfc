"""The agents as a Django app."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Everything about a person's plot."""

    name = "agents_app"
    verbose_name = "Plots"
    default_auto_field = "django.db.models.BigAutoField"
