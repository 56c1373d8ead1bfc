"""The catalogue: our plots, and the folders that the settings name beside them (EL4)."""

import logging
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from agents_app.catalogue import loader
from agents_app.catalogue.spec import Spec
from agents_app.refusals import NotFound
from anyplot_site import bounds

HERE = Path(__file__).parent
PLOTS = HERE / "plots"
PREVIEWS = HERE / "previews"
# Families in the order of the gallery; others follow by name.
FAMILIES = ("scatter", "line", "bar", "area", "distribution", "part of whole", "matrix", "polar")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Known:
    """What the folders held when they were last looked at, in seconds of the monotonic clock."""

    folders: tuple[Path, ...]
    at: float
    specs: tuple[Spec, ...]


_known: _Known | None = None


def specs() -> list[Spec]:
    """All plots in catalogue order: by family, ours before foreign ones, then by id. An id that is taken is skipped.

    A change in a folder is seen within `CATALOGUE_LOOK_S`; `forget` makes the next call look.
    """
    global _known  # noqa: PLW0603 - what was seen last is the process's
    folders = (PLOTS, *(Path(folder) for folder in settings.ANYPLOT_CATALOGUE_FOLDERS))
    known, now = _known, time.monotonic()
    if known is None or known.folders != folders or now - known.at >= bounds.CATALOGUE_LOOK_S:
        _known = known = _Known(folders, now, _load(tuple((folder, _stamp(folder)) for folder in folders)))
    return list(known.specs)


def forget() -> None:
    """Look at the folders again at the next call."""
    global _known  # noqa: PLW0603
    _known = None


def get_spec(spec_id: str) -> Spec:
    """The plot of that id. Raises NotFound with a sentence."""
    for spec in specs():
        if spec.id == spec_id:
            return spec
    raise NotFound(f"There is no plot called “{spec_id}” in the catalogue.")


def search(q: str = "", family: str = "", library: str = "") -> list[Spec]:
    """Plots of which every word of `q` is found in title, id, family, description, tags or applications."""
    words = q.casefold().split()
    found = []
    for spec in specs():
        if (family and spec.family != family) or (library and library not in spec.libraries):
            continue
        text = " ".join(
            (spec.id, spec.title, spec.family, spec.description, *spec.applications, _flat(spec.tags))
        ).casefold()
        if all(word in text for word in words):
            found.append(spec)
    return found


def script(spec: Spec, library: str, language: str = "python") -> str:
    """The catalogue script of a pair. Raises NotFound with a sentence."""
    path = spec.script_path(library, language)
    if language != "python" or library not in spec.libraries:
        raise NotFound(f"“{spec.title}” has no {language} script for {library}.")
    return path.read_text(encoding="utf-8")


def preview_path(spec: Spec, library: str, theme: str, width: int = bounds.PREVIEW_WIDTHS_PX[0]) -> Path | None:
    """The committed WebP of a script's example, or None where there is none (a foreign plot)."""
    path = PREVIEWS / spec.id / f"{library}-{theme}-{width}.webp"
    return path if path.is_file() else None


def _flat(tags: dict[str, Any]) -> str:
    return " ".join(str(word) for value in tags.values() for word in (value if isinstance(value, list) else [value]))


def _stamp(folder: Path) -> int:
    """Changes when a specification or a script in `folder` is added, removed or written."""
    if not folder.is_dir():
        return 0
    newest = folder.stat().st_mtime_ns
    for pattern in ("*", "*/specification.*", "*/implementations/*", "*/implementations/*/*.py"):
        for path in folder.glob(pattern):
            newest = max(newest, path.stat().st_mtime_ns)
    return newest


@lru_cache(maxsize=8)
def _load(folders: tuple[tuple[Path, int], ...]) -> tuple[Spec, ...]:
    found: dict[str, Spec] = {}
    for folder, _ in folders:
        for plot in sorted(path for path in folder.glob("*") if (path / "specification.md").is_file()):
            try:
                spec = loader.load(plot)
            except loader.BadSpec as error:
                # One bad folder of a foreign catalogue must not hide the rest.
                log.warning("Plot left out: %s", error)
                continue
            found.setdefault(spec.id, spec)
    return tuple(sorted(found.values(), key=_place))


def _place(spec: Spec) -> tuple[int, str, bool, str]:
    place = FAMILIES.index(spec.family) if spec.family in FAMILIES else len(FAMILIES)
    return (place, spec.family, spec.folder.parent != PLOTS, spec.id)
