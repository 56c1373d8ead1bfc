"""A version's pictures for staff, in full and as thumbnails."""

import io
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from PIL import Image

from agents_app.admin.formats import EMPTY
from agents_app.models import Artifact, Version
from anyplot_site import bounds

KINDS = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}


def picture(request: HttpRequest, artifact_id: Any) -> HttpResponse | FileResponse:
    """The artifact's file as it is (404 without one); SVG and PDF are downloads, since they can hold scripts."""
    artifact = _artifact(request, artifact_id)
    return FileResponse(
        artifact.file.open("rb"),
        as_attachment=artifact.format != "png",
        filename=f"plot-{artifact.theme}.{artifact.format}",
        content_type=KINDS[artifact.format],
        headers={"Cache-Control": "private, max-age=3600"},
    )


def thumbnail(request: HttpRequest, artifact_id: Any) -> HttpResponse:
    """A small PNG of the artifact (404 when it has no picture that can be made small)."""
    artifact = _artifact(request, artifact_id)
    if artifact.format != "png":
        raise Http404
    with artifact.file.open("rb") as file, Image.open(file) as image:
        image.thumbnail((bounds.ADMIN_THUMBNAIL_PX, bounds.ADMIN_THUMBNAIL_PX))
        small = io.BytesIO()
        image.convert("RGB").save(small, "PNG")
    return HttpResponse(small.getvalue(), content_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


def _artifact(request: HttpRequest, artifact_id: Any) -> Artifact:
    if not request.user.has_perm("agents_app.view_artifact"):  # type: ignore[union-attr]
        raise PermissionDenied
    artifact = Artifact.objects.filter(pk=artifact_id).exclude(file="").first()
    if artifact is None:
        raise Http404
    return artifact


def thumbnails(version: Version | None) -> str | SafeString:
    """The version's pictures, each linked to the full size; a failed theme as words."""
    artifacts = list(version.artifacts.all()) if version else []
    return format_html_join(" ", "{}", ((shown(artifact),) for artifact in artifacts)) or EMPTY


def shown(artifact: Artifact) -> str | SafeString:
    """One picture as a linked thumbnail, a link, or the words of its failure."""
    name = f"{artifact.theme} {artifact.format}"
    if not artifact.file:
        return f"{name}: {artifact.get_status_display()} {artifact.detail}"
    address = reverse(f"{admin.site.name}:agents_app_artifact_picture", args=[artifact.pk])
    if artifact.format != "png":
        return format_html('<a href="{}">{}</a>', address, name)
    return format_html(
        '<a href="{}"><img class="anyplot-thumbnail" loading="lazy" src="{}" alt="{}"></a>',
        address,
        reverse(f"{admin.site.name}:agents_app_artifact_thumbnail", args=[artifact.pk]),
        name,
    )
