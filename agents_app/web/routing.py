"""Socket routes."""

from django.urls import path

from agents_app.web.consumers import TurnConsumer

websocket_urlpatterns = [path("ws/turns/<uuid:turn>/", TurnConsumer.as_asgi())]
