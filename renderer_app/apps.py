"""The renderer as a Django app."""

from django.apps import AppConfig


class RendererConfig(AppConfig):
    """Runs plot code; knows neither users nor models."""

    name = "renderer_app"
    verbose_name = "Renderer"
    default_auto_field = "django.db.models.BigAutoField"
