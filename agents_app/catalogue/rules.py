"""What a script may contain, found by reading it: early refusal and quality. The wall is the sandbox.

Each rule is a function of the syntax tree that yields `Finding`s; the codes are those of EL1.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

ALLOWED_MODULES = frozenset(
    (
        *("math", "datetime", "itertools", "collections", "string", "textwrap", "statistics", "calendar", "random"),
        *("functools", "operator", "re", "fractions", "decimal", "typing", "colorsys", "warnings", "os", "sys"),
        *("numpy", "pandas", "matplotlib", "mpl_toolkits", "seaborn", "scipy", "sklearn", "statsmodels", "squarify"),
    )
)
# Of these modules only the named attributes may be used.
NARROW_MODULES = {"os": ("getenv", "environ"), "sys": ("path",)}
FORBIDDEN_CALLS = frozenset(
    (
        *("eval", "exec", "compile", "open", "input", "breakpoint", "__import__", "globals", "locals", "vars"),
        *("getattr", "setattr", "delattr", "memoryview", "exit", "quit"),
    )
)
# Methods and functions of the allowed libraries that read or write files, or run text as code.
FORBIDDEN_ATTRIBUTES = frozenset(
    (
        *(
            "read_pickle",
            "read_sql",
            "read_html",
            "read_excel",
            "read_parquet",
            "read_feather",
            "read_hdf",
            "read_json",
        ),
        *("read_xml", "read_orc", "read_sas", "read_spss", "read_stata", "read_table", "read_fwf", "read_clipboard"),
        *(
            "to_pickle",
            "to_sql",
            "to_excel",
            "to_parquet",
            "to_feather",
            "to_hdf",
            "to_stata",
            "to_clipboard",
            "to_csv",
        ),
        *("to_json", "to_html", "to_xml", "to_latex", "to_orc", "eval", "load", "save", "savez", "savez_compressed"),
        *("savetxt", "loadtxt", "genfromtxt", "fromfile", "tofile", "memmap", "load_dataset", "imread", "imsave"),
        *("ctypeslib", "f2py", "get_sample_data", "system", "popen"),
    )
)
DATA_FILE = "data.csv"
PLACEHOLDER = "load_user_data"
THEME_VARIABLE = "ANYPLOT_THEME"


@dataclass(frozen=True)
class Finding:
    """A rule that a script breaks: its code, the 1-based line where there is one, and a sentence."""

    code: str
    line: int | None
    text: str


def parse(script: str) -> ast.Module | Finding:
    """The syntax tree, or the finding that there is none."""
    try:
        return ast.parse(script)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return Finding("syntax", line, f"This is not Python 3.11: {getattr(error, 'msg', None) or error}.")


def security(tree: ast.Module) -> Iterator[Finding]:
    """Imports, calls and attributes that no plot needs."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield from _module(alias.name, node.lineno)
            case ast.ImportFrom():
                yield from _imported(node)
            case ast.Call():
                yield from _call(node)
            case ast.Attribute():
                yield from _attribute(node)
            case ast.Name(id=name) if name.startswith("__") and name.endswith("__") and name != "__name__":
                yield Finding("security", node.lineno, f"{name} may not be used.")


def _imported(node: ast.ImportFrom) -> Iterator[Finding]:
    module = node.module or ""
    root = module.split(".", maxsplit=1)[0]
    yield from _module(module, node.lineno, relative=node.level > 0)
    for alias in node.names:
        allowed = NARROW_MODULES.get(root)
        if alias.name not in allowed if allowed is not None else alias.name in FORBIDDEN_ATTRIBUTES:
            yield Finding("security", node.lineno, f"{root}.{alias.name} may not be used.")


def _call(node: ast.Call) -> Iterator[Finding]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in FORBIDDEN_CALLS:
            yield Finding("security", node.lineno, f"{name}() may not be called.")
        case ast.Call(func=ast.Attribute(attr="read_csv"), args=args):
            if not (args and isinstance(args[0], ast.Constant) and args[0].value == DATA_FILE):
                yield Finding("security", node.lineno, f"read_csv may read {DATA_FILE} only.")


def _attribute(node: ast.Attribute) -> Iterator[Finding]:
    allowed = NARROW_MODULES.get(node.value.id) if isinstance(node.value, ast.Name) else None
    if allowed is not None:
        if node.attr not in allowed:
            yield Finding("security", node.lineno, f"{ast.unparse(node)} may not be used.")
    elif node.attr in FORBIDDEN_ATTRIBUTES or (node.attr.startswith("__") and node.attr.endswith("__")):
        yield Finding("security", node.lineno, f".{node.attr} may not be used.")


def _module(name: str, line: int, relative: bool = False) -> Iterator[Finding]:
    if relative or name.split(".", maxsplit=1)[0] not in ALLOWED_MODULES:
        yield Finding("security", line, f"{name or 'A relative module'} may not be imported.")


def theme_block(tree: ast.Module) -> Iterator[Finding]:
    """The theme is asked of the environment, once, at the margin: `THEME = os.getenv("ANYPLOT_THEME", "light")`."""
    found = [
        node
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "THEME" for target in node.targets)
        and any(isinstance(part, ast.Constant) and part.value == THEME_VARIABLE for part in ast.walk(node.value))
    ]
    if not found:
        yield Finding("theme_block", None, f"No line THEME = os.getenv(“{THEME_VARIABLE}”, “light”).")
    elif len(found) > 1:
        yield Finding("theme_block", found[1].lineno, "The theme is asked for twice.")


def save_target(tree: ast.Module) -> Iterator[Finding]:
    """The picture is saved once, as `plot-{THEME}.png`, on its exact canvas."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "savefig"
    ]
    if not calls:
        yield Finding("save_target", None, "The script saves no picture.")
        return
    for call in calls[1:]:
        yield Finding("save_target", call.lineno, "The picture is saved more than once.")
    call = calls[0]
    if not (call.args and _target(call.args[0]) == "plot-{THEME}.png"):
        yield Finding("save_target", call.lineno, "The picture must be saved as f“plot-{THEME}.png”.")
    for keyword in call.keywords:
        loose = keyword.arg == "bbox_inches" and not (
            isinstance(keyword.value, ast.Constant) and keyword.value.value is None
        )
        if loose:
            yield Finding("save_target", call.lineno, "bbox_inches changes the size of the canvas.")


def _target(node: ast.expr) -> str:
    """The text of an f-string with its names in braces, or of a plain string."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.JoinedStr):
        return ""
    return "".join(
        str(part.value)
        if isinstance(part, ast.Constant)
        else "{" + ast.unparse(part.value) + "}"
        if isinstance(part, ast.FormattedValue)
        else ""
        for part in node.values
    )


def placeholder_count(tree: ast.Module) -> int:
    """How often `df = load_user_data()` stands at the margin; -1 when it is called anywhere else."""
    lines = [
        node
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node) == f"df = {PLACEHOLDER}()" and len(node.targets) == 1
    ]
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == PLACEHOLDER]
    return len(lines) if len(named) == len(lines) else -1
