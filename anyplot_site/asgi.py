"""HTTP and sockets; a socket's origin must be one of the allowed hosts."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "anyplot_site.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.urls import re_path  # noqa: E402

from agents_app.web.routing import websocket_urlpatterns  # noqa: E402
from anyplot_site.sockets import nothing_here  # noqa: E402

# Channels routes ASGI applications by Django's paths, whose types speak of views.
sockets = URLRouter([*websocket_urlpatterns, re_path("", nothing_here)])  # type: ignore[arg-type]

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(sockets)),
    }
)
