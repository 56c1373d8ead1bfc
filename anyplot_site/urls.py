"""Routes of the site."""

from django.contrib import admin
from django.urls import include, path

from anyplot_site.health import healthz, readyz

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("admin/rq/", include("django_rq.urls")),
    path("admin/", admin.site.urls),
    path("v1/", include("agents_app.api.urls")),
    path("", include("agents_app.web.urls")),
]
