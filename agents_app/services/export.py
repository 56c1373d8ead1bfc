"""A version as SVG or PDF, drawn on request under the rules of a toggle (CA2a)."""

from django.contrib.auth.models import User

from agents_app.models import Artifact, Version
from agents_app.pipeline.render import Render
from agents_app.pipeline.rerender import vector
from agents_app.selectors import file_bytes
from agents_app.services.drawing import Drawn, drawn


def export(version: Version, theme: str, file_format: str, owner: User) -> Artifact | Drawn:
    """Draw a version's stored script as `svg` or `pdf` in `theme`, or answer from the record.

    The answer's `status` is ok or failed, its `code` render, error or empty, its `detail` a sentence. Raises
    NotFound (its files were swept), RunActive, OverCapacity.
    """

    def draw(job_id: str, render: Render) -> Drawn:
        code, data = file_bytes(version.script).decode(), file_bytes(version.data)
        made = vector(code, data, theme, file_format, render, job_id=job_id)
        return Drawn(made.status, made.code, made.detail, made.content)

    return drawn(version, theme, file_format, owner, draw)
