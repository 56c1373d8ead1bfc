"""Read a plot's folder: our exact YAML, or a foreign specification as far as it can be read.

Foreign folders have the same layout without our keys: their roles are bullets in `specification.md`. What can
be read is read; what cannot is kept, word for word, for the eligibility check to name.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from agents_app.catalogue.spec import OPTION_TYPES, ROLE_TYPES, Option, Order, Role, Spec

# Words of foreign specifications for the types of a role.
TYPE_WORDS = {
    "numeric": "numeric",
    "number": "numeric",
    "float": "numeric",
    "int": "numeric",
    "integer": "numeric",
    "continuous": "numeric",
    "quantitative": "numeric",
    "categorical": "categorical",
    "category": "categorical",
    "string": "categorical",
    "str": "categorical",
    "text": "categorical",
    "label": "categorical",
    "labels": "categorical",
    "nominal": "categorical",
    "ordinal": "categorical",
    "datetime": "datetime",
    "date": "datetime",
    "timestamp": "datetime",
    "time": "datetime",
    "boolean": "boolean",
    "bool": "boolean",
    "any": "any",
}
STRUCTURED_WORDS = (
    "matrix",
    "list",
    "array",
    "dict",
    "nested",
    "tree",
    "graph",
    "hierarch",
    "network",
    "geojson",
    "2d",
)
BULLET = re.compile(r"^\s*[-*]\s+`(?P<names>[^`]+)`\s*(?:\((?P<types>[^)]*)\))?\s*(?:[-–—:]+\s*)?(?P<text>.*)$")
# Roles become names of a frame's columns and stand in comments of scripts.
NAME = re.compile(r"^[A-Za-z_]\w*$")
HEADING = re.compile(r"^#\s+`?(?P<id>[a-z0-9][a-z0-9-]*)`?\s*:\s*(?P<title>.+?)\s*$")


class BadSpec(Exception):
    """A folder that is not a plot: the sentence says what is wrong."""


def load(folder: Path) -> Spec:
    """The plot in `folder`. Raises BadSpec when its specification is missing or contradicts itself."""
    try:
        return _load(folder)
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise BadSpec(f"{folder.name}: the specification has another shape than expected ({error}).") from error


def _load(folder: Path) -> Spec:
    try:
        text = (folder / "specification.md").read_text(encoding="utf-8")
    except OSError as error:
        raise BadSpec(f"{folder.name}: specification.md cannot be read ({error.strerror}).") from error
    data = _yaml(folder)
    heading = next((HEADING.match(line) for line in text.splitlines() if line.startswith("# ")), None)
    sections = _sections(text)
    spec_id = str(data.get("spec_id") or (heading and heading["id"]) or folder.name)
    if spec_id != folder.name:
        raise BadSpec(f"{folder.name}: the specification calls itself {spec_id}.")
    unread: tuple[str, ...] = ()
    structured: tuple[str, ...] = ()
    if "roles" in data:
        roles = tuple(_role(spec_id, entry) for entry in data["roles"])
    else:
        roles, unread, structured = _foreign_roles(sections.get("data", []))
    tags: dict[str, Any] = data["tags"] if isinstance(data.get("tags"), dict) else {}
    spec = Spec(
        id=spec_id,
        title=str(data.get("title") or (heading and heading["title"]) or spec_id),
        family=str(data.get("family") or _first(tags.get("plot_type")) or "other"),
        folder=folder,
        description=" ".join(line.strip() for line in sections.get("description", []) if line.strip()),
        applications=_bullets(sections.get("applications", [])),
        notes=_bullets(sections.get("notes", [])),
        tags=tags,
        roles=roles,
        options=tuple(_option(spec_id, entry) for entry in data.get("options", ())),
        libraries=_libraries(folder),
        canvas=str(data.get("canvas", "landscape")),
        grain=tuple(data.get("grain", ())),
        by_time=str(data.get("by_time", "")),
        order=Order(**data["order"]) if data.get("order") else None,
        axes={str(key): str(value) for key, value in data.get("axes", {}).items()},
        title_pattern=str(data.get("title_pattern", "")),
        unread=unread,
        structured=structured,
    )
    _check(spec)
    return spec


def _yaml(folder: Path) -> dict[str, Any]:
    path = folder / "specification.yaml"
    if not path.exists():
        return {}
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise BadSpec(f"{folder.name}: specification.yaml cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise BadSpec(f"{folder.name}: specification.yaml holds no mapping.")
    return data


def _sections(text: str) -> dict[str, list[str]]:
    """The lines below each `## Heading`, by heading in lower case."""
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        if line.startswith("## "):
            current = sections.setdefault(line[3:].strip().lower(), [])
        elif not line.startswith("# "):
            current.append(line)
    return sections


def _bullets(lines: list[str]) -> tuple[str, ...]:
    """The items of a Markdown list; a line that is not a bullet continues the item above it."""
    items: list[str] = []
    for line in lines:
        if match := re.match(r"^\s*[-*]\s+(.*)$", line):
            items.append(match[1].strip())
        elif line.strip() and items:
            items[-1] += " " + line.strip()
    return tuple(items)


def _first(value: Any) -> str:
    if isinstance(value, list):
        return str(value[0]) if value else ""
    return str(value) if value else ""


def _role(spec_id: str, entry: dict[str, Any]) -> Role:
    types = tuple(entry["types"])
    if unknown := [name for name in types if name not in ROLE_TYPES]:
        raise BadSpec(f"{spec_id}: role {entry.get('name')} has unknown types {unknown}.")
    try:
        return Role(**{**entry, "types": types})
    except TypeError as error:
        raise BadSpec(f"{spec_id}: role {entry.get('name')}: {error}") from error


def _option(spec_id: str, entry: dict[str, Any]) -> Option:
    if entry.get("type") not in OPTION_TYPES:
        raise BadSpec(f"{spec_id}: option {entry.get('name')} has the unknown type {entry.get('type')!r}.")
    default = entry.get("default")
    try:
        return Option(
            **{
                **entry,
                "choices": tuple(entry.get("choices", ())),
                "default": tuple(default) if isinstance(default, list) else default,
            }
        )
    except TypeError as error:
        raise BadSpec(f"{spec_id}: option {entry.get('name')}: {error}") from error


def _libraries(folder: Path) -> tuple[str, ...]:
    scripts = sorted(path.stem for path in (folder / "implementations" / "python").glob("*.py"))
    # matplotlib first: seaborn stands on it, and so do the others that may come.
    return tuple(sorted(scripts, key=lambda name: (name != "matplotlib", name)))


def _foreign_roles(lines: list[str]) -> tuple[tuple[Role, ...], tuple[str, ...], tuple[str, ...]]:
    """Roles from bullets ``- `name` (type[, optional]) - text``; then lines not read; then structured roles."""
    roles: list[Role] = []
    unread: list[str] = []
    structured: list[str] = []
    for line in lines:
        if not re.match(r"^\s*[-*]\s+", line):
            continue
        match = BULLET.match(line)
        if match is None:
            unread.append(line.strip())
            continue
        described = (match["types"] or "").lower()
        words = re.findall(r"[a-z0-9]+", described)
        types = tuple(dict.fromkeys(TYPE_WORDS[word] for word in words if word in TYPE_WORDS))
        names = [name for part in re.split(r"[,/]", match["names"]) if (name := part.strip(" `"))]
        family = "..." in names or "…" in names or "multiple" in words or "several" in words
        names = [name for name in names if name not in ("...", "…")]
        if family:
            # `y1, y2, ...` is one family whose members are numbered.
            names = list(dict.fromkeys(re.sub(r"_?\d+$", "", name) or name for name in names))
        if any(word in described for word in STRUCTURED_WORDS):
            structured += names
            continue
        if not types or not names or not all(NAME.match(name) for name in names):
            unread.append(line.strip())
            continue
        for name in names:
            roles.append(
                Role(
                    name=name,
                    types=types,
                    required="optional" not in words,
                    family=family,
                    description=match["text"].strip(),
                    color=name in ("color", "category", "group", "hue") and "categorical" in types,
                )
            )
    return tuple(roles), tuple(unread), tuple(structured)


def _check(spec: Spec) -> None:
    """Refuse what contradicts itself or can't be drawn, so that no later room has to think of it."""
    if not spec.libraries:
        raise BadSpec(f"{spec.id}: there is no Python script in implementations/python.")
    names = [role.name for role in spec.roles]
    if odd := [name for name in names if not NAME.match(name)]:
        raise BadSpec(f"{spec.id}: a role can't be called {odd[0]!r}.")
    if len(set(names)) != len(names):
        raise BadSpec(f"{spec.id}: a role is named twice.")
    named = [*spec.grain, *([spec.by_time] if spec.by_time else [])]
    named += [role for role in spec.axes.values() if role != "count"]
    named += [spec.order.role, spec.order.by] if spec.order else []
    if missing := sorted(set(named) - set(names)):
        raise BadSpec(f"{spec.id}: {', '.join(missing)} is not a role.")
    if spec.canvas not in ("landscape", "square"):
        raise BadSpec(f"{spec.id}: unknown canvas {spec.canvas!r}.")
