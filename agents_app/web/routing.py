"""Socket routes."""

websocket_urlpatterns: list = []
