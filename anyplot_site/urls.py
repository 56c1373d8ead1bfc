"""Routes of the site. `/healthz` is answered before routing, by `middleware.Healthz`."""

from django.contrib import admin
from django.urls import include, path

from anyplot_site.health import readyz

urlpatterns = [
    path("readyz", readyz),
    path("admin/rq/", include("django_rq.urls")),
    path("admin/", admin.site.urls),
    path("v1/", include("agents_app.api.urls")),
    path("", include("agents_app.web.urls")),
]
