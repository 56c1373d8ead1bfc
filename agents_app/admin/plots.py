"""Sessions, versions, their pictures, and data sets."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.html import format_html

from agents_app.admin import formats, pictures
from agents_app.admin.readonly import ShownAdmin, ShownInline
from agents_app.models import Artifact, Dataset, Session, Version


def gates_table(version: Version) -> Any:
    """The verdicts of a version, measured against their limits."""
    return formats.table(
        ("gate", "verdict", "blocking", "measured", "limit", "words"),
        (
            (
                gate.get("id"),
                "passed" if gate.get("passed") else "not passed",
                "yes" if gate.get("blocking") else "no",
                gate.get("measured"),
                gate.get("limit"),
                gate.get("text"),
            )
            for gate in version.gates
        ),
    )


class VersionInline(ShownInline):
    """A session's versions, newest first."""

    model = Version
    fields = ("number", "status", "theme", "shown", "created_at")
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        """With their pictures."""
        return super().get_queryset(request).prefetch_related("artifacts")

    @admin.display(description="pictures")
    def shown(self, version: Version) -> Any:
        """Thumbnails in both themes."""
        return pictures.thumbnails(version)


@admin.register(Session)
class SessionAdmin(ShownAdmin):
    """What people work on."""

    list_display = ("__str__", "owner", "spec", "library", "dataset", "created_at", "updated_at")
    list_filter = ("spec", "library", "created_at")
    list_select_related = ("owner", "dataset")
    search_fields = ("=id", "name", "owner__username")
    date_hierarchy = "created_at"
    fields = (
        "id",
        "owner",
        "name",
        "spec",
        "library",
        "language",
        "dataset",
        "bound",
        "theme",
        "created_at",
        "updated_at",
    )
    inlines = (VersionInline,)

    @admin.display(description="bindings")
    def bound(self, session: Session) -> Any:
        """Which column plays which role."""
        return formats.table(("role", "column"), session.bindings.items())


@admin.register(Version)
class VersionAdmin(ShownAdmin):
    """What runs made."""

    list_display = ("__str__", "status", "theme", "shown", "owner", "attempts", "created_at")
    list_filter = ("status", "theme", "spec", "library", "created_at")
    list_select_related = ("session__owner",)
    list_per_page = 25
    search_fields = ("=id", "=session__id", "session__owner__username")
    date_hierarchy = "created_at"
    fields = (
        "id", "session", "turn", "number", "parent", "status", "theme", "shown", "alt_text", "attempts",
        "verdicts", "said", "changed", "operations_", "recipe_", "rows_", "timings_", "usage_",
        "plot_py", "created_at",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        """With their pictures."""
        return super().get_queryset(request).prefetch_related("artifacts")

    @admin.display(ordering="session__owner")
    def owner(self, version: Version) -> Any:
        """Whose it is."""
        return version.session.owner

    @admin.display(description="pictures")
    def shown(self, version: Version) -> Any:
        """Thumbnails in both themes."""
        return pictures.thumbnails(version)

    @admin.display(description="gates")
    def verdicts(self, version: Version) -> Any:
        """The verdicts, measured against their limits."""
        return gates_table(version)

    @admin.display(description="notes")
    def said(self, version: Version) -> Any:
        """What still falls short, in words."""
        return formats.sentences(version.notes)

    @admin.display(description="changes")
    def changed(self, version: Version) -> Any:
        """What was changed, in words."""
        return formats.sentences(version.changes)

    @admin.display(description="operations")
    def operations_(self, version: Version) -> Any:
        """What the turn asked for."""
        return formats.pretty(version.operations)

    @admin.display(description="recipe")
    def recipe_(self, version: Version) -> Any:
        """The whole plot as data."""
        return formats.pretty(version.recipe)

    @admin.display(description="rows")
    def rows_(self, version: Version) -> Any:
        """How many rows were used and dropped, and why."""
        return formats.pretty(version.rows)

    @admin.display(description="timings")
    def timings_(self, version: Version) -> Any:
        """Milliseconds by step."""
        return formats.table(("step", "ms"), ((name, round(ms)) for name, ms in version.timings.items()))

    @admin.display(description="usage")
    def usage_(self, version: Version) -> Any:
        """Model calls and their cost."""
        return formats.pretty(version.usage)

    @admin.display(description="plot.py")
    def plot_py(self, version: Version) -> Any:
        """The script that was drawn."""
        try:
            with version.script.open("r") as script:
                return format_html("<pre>{}</pre>", script.read())
        except FileNotFoundError:
            return formats.EMPTY


@admin.register(Artifact)
class ArtifactAdmin(ShownAdmin):
    """Every picture there is; serves them to staff."""

    list_display = ("version", "theme", "format", "status", "code", "shown", "size", "tries", "created_at")
    list_filter = ("status", "theme", "format", "code", "created_at")
    list_select_related = ("version",)
    list_per_page = 25
    search_fields = ("=id", "=version__id", "=version__session__id")
    fields = (
        "id", "version", "theme", "format", "status", "code", "detail", "shown", "bytes", "width", "height",
        "verdicts_", "tries", "created_at",
    )  # fmt: skip

    def get_urls(self) -> list[URLPattern]:
        """The pictures' own addresses."""
        view = self.admin_site.admin_view
        return [
            path("<uuid:artifact_id>/picture", view(pictures.picture), name="agents_app_artifact_picture"),
            path("<uuid:artifact_id>/thumbnail", view(pictures.thumbnail), name="agents_app_artifact_thumbnail"),
            *super().get_urls(),
        ]

    @admin.display(description="picture")
    def shown(self, artifact: Artifact) -> Any:
        """The thumbnail."""
        return pictures.shown(artifact)

    @admin.display(ordering="bytes")
    def size(self, artifact: Artifact) -> str:
        """The file's size."""
        return formats.size(artifact.bytes)

    @admin.display(description="verdicts")
    def verdicts_(self, artifact: Artifact) -> Any:
        """The host gates' verdicts and, as notes, the probe's."""
        return formats.pretty(artifact.verdicts)


@admin.register(Dataset)
class DatasetAdmin(ShownAdmin):
    """How tables were read; never what is in them."""

    list_display = ("name", "owner", "how", "file_name", "rows", "column_count", "size", "note_count", "created_at")
    list_filter = ("how", "created_at")
    list_select_related = ("owner",)
    search_fields = ("=id", "name", "owner__username")
    date_hierarchy = "created_at"
    fields = (
        "id", "owner", "name", "how", "file_name", "size", "rows", "read_as", "changed", "typed", "said",
        "created_at", "updated_at", "used_at",
    )  # fmt: skip

    @admin.display(description="columns")
    def column_count(self, dataset: Dataset) -> int:
        """How many columns."""
        return len(dataset.columns)

    @admin.display(description="notes")
    def note_count(self, dataset: Dataset) -> int:
        """How many notes the reading left."""
        return len(dataset.notes)

    @admin.display(ordering="bytes")
    def size(self, dataset: Dataset) -> str:
        """The size of what was brought."""
        return formats.size(dataset.bytes)

    @admin.display(description="reading")
    def read_as(self, dataset: Dataset) -> Any:
        """The receipt."""
        return formats.table(("part", "found"), dataset.reading.items())

    @admin.display(description="overrides")
    def changed(self, dataset: Dataset) -> Any:
        """What the person changed of the reading."""
        return formats.pretty(dataset.overrides)

    @admin.display(description="columns")
    def typed(self, dataset: Dataset) -> Any:
        """Names, types and counts; no values."""
        keys = ("name", "source_name", "type", "kind", "unit", "format", "missing", "distinct")
        return formats.table(keys, ([column.get(key) for key in keys] for column in dataset.columns))

    @admin.display(description="notes")
    def said(self, dataset: Dataset) -> Any:
        """What intake did or could not decide."""
        return formats.sentences(f"{note.get('code')}: {note.get('text')}" for note in dataset.notes)
