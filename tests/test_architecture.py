"""The rooms and their directions, read from the source; and that limits and settings are used and documented."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("anyplot_site", "agents_app", "renderer_app")

# Inside agents_app a room may import itself and what stands on a later line.
LAYERS: list[set[str]] = [
    {"web", "api", "admin", "jobs", "management", "apps"},
    {"services"},
    {"pipeline", "queue"},
    {"language"},
    {"gates", "selectors", "shapes", "binding", "recipe"},
    {"catalogue", "intake"},
    {"models"},
    {"refusals"},
]
# Rooms of one line that may know each other, and the few steps across.
ALLOWED = {
    ("gates", "recipe"),
    ("binding", "recipe"),
    ("shapes", "selectors"),
    ("management", "jobs"),
    ("selectors", "recipe"),
}
# Steps that are forbidden although the line would allow them.
FORBIDDEN = {("queue", "services"), ("pipeline", "models"), ("pipeline", "queue"), ("queue", "pipeline")}


@cache
def modules() -> dict[str, Path]:
    """Every module of the product: dotted name to file; the catalogue's scripts are data, not modules."""
    found = {}
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            relative = path.relative_to(ROOT)
            if "plots" in relative.parts or "migrations" in relative.parts:
                continue
            name = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
            found[name] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    """A parsed file."""
    return ast.parse(path.read_text(), str(path))


def imports(name: str) -> Iterator[tuple[str, int]]:
    """What a module imports of ours, wherever it does: dotted names and their lines."""
    for node in ast.walk(tree(modules()[name])):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name.split(".")[0] in APPS)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: write the whole name"
            base = node.module or ""
            if base.split(".")[0] in APPS:
                for alias in node.names:
                    whole = f"{base}.{alias.name}"
                    yield (whole if whole in modules() else base), node.lineno


def room(name: str) -> str | None:
    """The room of agents_app in which a module is."""
    parts = name.split(".")
    return parts[1] if parts[0] == "agents_app" and len(parts) > 1 else None


def line_of(room_name: str) -> int:
    """How far down a room stands."""
    for number, rooms in enumerate(LAYERS):
        if room_name in rooms:
            return number
    raise AssertionError(f"agents_app/{room_name} stands in no line of design: say where it belongs")


def test_imports_point_from_the_site_to_the_agents_to_the_renderer():
    order = {app: place for place, app in enumerate(APPS)}
    wrong = [
        f"{name}:{line} imports {other}"
        for name in modules()
        for other, line in imports(name)
        if other != "anyplot_site.bounds" and order[other.split(".")[0]] < order[name.split(".")[0]]
    ]
    assert wrong == []


def test_bounds_imports_nothing_but_typing():
    assert list(imports("anyplot_site.bounds")) == []
    names = {
        node.module for node in ast.walk(tree(modules()["anyplot_site.bounds"])) if isinstance(node, ast.ImportFrom)
    }
    assert names == {"typing"}


def test_rooms_of_the_agents_import_only_downwards():
    wrong = []
    for name in modules():
        here = room(name)
        for other, line in imports(name):
            there = room(other)
            if here is None or there is None or here == there:
                continue
            step = (here, there)
            down = line_of(here) < line_of(there) or step in ALLOWED
            if not down or step in FORBIDDEN:
                wrong.append(f"{name}:{line} ({here}) imports {other} ({there})")
    assert wrong == []


def test_the_pipeline_and_the_gates_know_nothing_of_django_but_the_settings():
    wrong = [
        f"{name}:{node.lineno}"
        for name in modules()
        if room(name) in {"pipeline", "gates", "recipe", "binding"}
        for node in ast.walk(tree(modules()[name]))
        # The settings are plain names; rows, requests and files are not.
        if (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("django")
            and node.module != "django.conf"
        )
        or (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "django" for alias in node.names))
    ]
    assert wrong == []


def test_what_runs_inside_the_sandbox_imports_no_django_and_nothing_of_the_site_but_bounds():
    inside = [name for name in modules() if name == "renderer_app.harness" or name.startswith("renderer_app.probe")]
    assert len(inside) > 1
    for name in inside:
        assert {other for other, _ in imports(name)} <= {
            other for other in modules() if other.startswith(("renderer_app.", "anyplot_site.bounds"))
        }, name
        for node in ast.walk(tree(modules()[name])):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] != "django", name
            elif isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] != "django" for alias in node.names), name


# --- who writes rows --------------------------------------------------------------------------

MODELS = {
    "services": {"Dataset", "Session", "Version", "Artifact", "Guest", "ApiToken", "Usage"},
    "queue": {"Turn", "Event", "QueueGate", "QueueStart", "Toggle"},
    "renderer": {"RenderRequest", "RenderGate", "WorkerBeat"},
}
WRITES = {
    "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "save", "acreate",
    "aupdate", "adelete", "asave", "abulk_create", "aget_or_create", "aupdate_or_create",
}  # fmt: skip


def writer(name: str) -> str:
    """Under whose hand a module is: services, queue, renderer or nobody."""
    if name.startswith("renderer_app"):
        return "renderer"
    here = room(name)
    return here if here in ("services", "queue") else "nobody"


def written(node: ast.Call) -> str | None:
    """The model whose manager a call writes through, as in `Turn.objects.filter(…).update(…)`."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr in WRITES):
        return None
    inner: ast.AST = node.func.value
    while isinstance(inner, ast.Call | ast.Attribute):
        if isinstance(inner, ast.Attribute) and inner.attr == "objects" and isinstance(inner.value, ast.Name):
            return inner.value.id
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    return None


def test_only_the_owning_room_writes_a_models_rows():
    wrong = []
    for name, path in modules().items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and (model := written(node)):
                for owner, models in MODELS.items():
                    if model in models and writer(name) != owner:
                        wrong.append(f"{name}:{node.lineno} writes {model}, which belongs to {owner}")
    assert wrong == []


def test_nobody_above_the_services_saves_or_deletes_a_row():
    above = {
        "web",
        "api",
        "jobs",
        "pipeline",
        "gates",
        "recipe",
        "binding",
        "catalogue",
        "intake",
        "selectors",
        "shapes",
    }
    wrong = []
    for name, path in modules().items():
        if room(name) not in above:
            continue
        for node in ast.walk(tree(path)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            # `x.save()` and `x.delete()` on a row take no arguments or update_fields; a figure's or picture's
            # save takes a file.
            row_like = node.func.attr == "delete" or (
                node.func.attr in ("save", "asave")
                and not node.args
                and all(k.arg == "update_fields" for k in node.keywords)
            )
            service = isinstance(node.func.value, ast.Name) and node.func.value.id in imported_modules(path)
            if row_like and not service and not cache_like(node.func.value):
                wrong.append(f"{name}:{node.lineno} .{node.func.attr}()")
    assert wrong == []


def imported_modules(path: Path) -> set[str]:
    """Names that a file binds by imports: `delete.delete(…)` there is a call of a service, not of a row."""
    return {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def cache_like(node: ast.expr) -> bool:
    """Whether it is a session, a cookie jar or a router: `router.delete("/…")` names a method of HTTP."""
    text = ast.unparse(node)
    return text.endswith(("router", "session", "api", "client")) and "plot_session" not in text


# --- limits and settings ----------------------------------------------------------------------


def text_of_the_product() -> str:
    """All source but bounds itself, with the pages and scripts that get numbers handed over."""
    files = [path for name, path in modules().items() if name != "anyplot_site.bounds"]
    files += [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    files += list((ROOT / "bench").glob("*.py"))
    return "\n".join(path.read_text() for path in files)


def test_every_bound_is_used():
    names = re.findall(r"^([A-Z][A-Z0-9_]+): Final", (ROOT / "anyplot_site" / "bounds.py").read_text(), re.M)
    assert len(names) > 60
    text = text_of_the_product()
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


def settings_read() -> set[str]:
    """The names of environment variables that the site and the installation read."""
    source = (ROOT / "anyplot_site" / "settings.py").read_text()
    names = set(re.findall(r'(?:env\.\w+|_whole|_number|_flag|_secret)\((?:\s*#[^\n]*)?\s*"([A-Z_]+)"', source))
    return names | {"ANYPLOT_HOME", "SECRET_KEY_FILE", "USERNAME", "PASSWORD", "PYTHON", "VENV"}


def test_every_setting_is_documented():
    text = (ROOT / "docs" / "operate.md").read_text()
    names = settings_read()
    assert len(names) > 25
    assert sorted(name for name in names if f"`{name}`" not in text) == []


def test_every_documented_setting_exists():
    text = (ROOT / "docs" / "operate.md").read_text()
    named = set(re.findall(r"^\| `([A-Z][A-Z_]+)`", text, re.M))
    assert sorted(named - settings_read()) == []


def test_the_map_names_only_files_that_are_there():
    text = (ROOT / "docs" / "map.md").read_text()
    named = set(re.findall(r"`((?:agents_app|renderer_app|anyplot_site|tests|docs|static|templates)/[\w./-]*)`", text))
    assert len(named) > 20
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


# --- the repository itself ----------------------------------------------------------------------

FOREIGN = ("../" + "shared", "/wor" + "k/", "files.python" + "hosted", "pypi." + "org")


def test_the_repository_names_no_place_outside_itself():
    texts = {".py", ".md", ".toml", ".lock", ".html", ".js", ".css", ".yaml", ".yml", ".txt", ".sh", ""}
    skipped = {".git", ".venv", ".anyplot", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__"}
    wrong = []
    for path in ROOT.rglob("*"):
        if skipped & set(path.relative_to(ROOT).parts) or not path.is_file() or path.suffix not in texts:
            continue
        text = path.read_text(errors="replace")
        wrong += [f"{path.relative_to(ROOT)}: {word}" for word in FOREIGN if word in text]
    assert wrong == []


@pytest.mark.parametrize("name", sorted(modules()))
def test_public_names_say_what_they_are(name):
    module = tree(modules()[name])
    if not module.body:
        return
    silent = [] if ast.get_docstring(module) else ["the module"]
    for node in module.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        # A refusal's or state's name may be its whole meaning.
        plain = isinstance(node, ast.ClassDef) and all(isinstance(line, ast.Assign | ast.Pass) for line in node.body)
        if ast.get_docstring(node) is None and not plain:
            silent.append(node.name)
    assert silent == []
