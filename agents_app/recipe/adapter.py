"""Recipe + catalogue script -> `plot.py`, by edits that leave everything else as it was written.

Three forms of one script (`docs/recipe.md`): the catalogue's, with an example; the run form, whose data block
is the one line `df = load_user_data()`; and `plot.py`, where that line is the loader.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import libcst as cst
import libcst.matchers as m

from agents_app.catalogue.sections import section
from agents_app.catalogue.spec import Option, Spec
from agents_app.recipe import words
from agents_app.recipe.labels import axis_texts, unit_of
from agents_app.recipe.literals import literal
from agents_app.recipe.loader import loader_lines
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid

PLACEHOLDER = "df = load_user_data()"
LABELS = ("title", "label:x", "label:y", "label:legend", "label:size")


@dataclass(frozen=True)
class Adapted:
    """The person's script, and in words what was done to their rows."""

    plot_py: str
    changes: list[str] = field(default_factory=list)


def run_form(script: str) -> str:
    """The script with its data block replaced by the placeholder. Raises Invalid when it has no data section."""
    data = section(script, "data")
    if data is None:
        raise Invalid("The script has no data section, so your table has no place in it.")
    lines = script.splitlines()
    end = data.end
    while end > data.start + 1 and not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[: data.start + 1], PLACEHOLDER, *lines[end:]]) + "\n"


def adapt(recipe: Recipe, script: str, spec: Spec, columns: list[dict[str, Any]]) -> Adapted:
    """Write options, labels, theme and loader into the script. Raises Invalid when an option can't be set."""
    module = _parsed(run_form(script))
    edits = _Edits(constants(recipe, spec, columns), recipe.theme)
    module = module.visit(edits)
    loader = cst.parse_module(loader_lines(recipe, columns))
    # What stands above the first statement of a module is its header.
    first = loader.body[0].with_changes(leading_lines=[*loader.header, *loader.body[0].leading_lines])
    body = _with_loader(module.body, [first, *loader.body[1:]], _docstring(recipe, spec))
    module = module.with_changes(body=body)
    module = _without_unused_imports(module)
    return Adapted(module.code, words.changes(recipe, spec))


def constants(recipe: Recipe, spec: Spec, columns: list[dict[str, Any]]) -> dict[str, str]:
    """The value of each option constant that differs from the script's own, as Python source."""
    texts = axis_texts(recipe, spec, columns)
    values: dict[str, str] = {}
    for option in spec.options:
        if option.effect in LABELS:
            values[option.name] = literal(texts[option.effect.removeprefix("label:")])
        elif option.effect.startswith("unit:"):
            values[option.name] = literal(unit_of(option.effect.removeprefix("unit:"), recipe, columns))
    for name, value in recipe.options.items():
        declared = spec.option(name)
        if declared is None:
            raise Invalid(f"“{spec.title}” has no option {name}.")
        values[name] = literal(checked(declared, value))
    return values


def checked(option: Option, value: Any) -> Any:
    """The value, if the option can have it. Raises Invalid with the sentence."""
    fits = {
        "text": isinstance(value, str),
        "number": isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf"),
        "boolean": isinstance(value, bool),
        "choice": value in option.choices,
        "list": isinstance(value, list | tuple) and all(isinstance(item, str | int | float) for item in value),
    }[option.type]
    if not fits:
        allowed = f" one of {', '.join(map(str, option.choices))}" if option.choices else f" a {option.type}"
        raise Invalid(f"{option.name} can't be {value!r}; it is{allowed}.")
    return value


@lru_cache(maxsize=256)
def _parsed(run_script: str) -> cst.Module:
    # Trees are immutable, so one parse serves every run of a pair.
    return cst.parse_module(run_script)


class _Edits(cst.CSTTransformer):
    """Sets option constants, and the theme that the script draws when nobody names one."""

    def __init__(self, values: dict[str, str], theme: str) -> None:
        super().__init__()
        self.values = {name: cst.parse_expression(source) for name, source in values.items()}
        self.theme = theme
        self.depth = 0

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        return False

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        if len(updated_node.targets) != 1 or not isinstance(updated_node.targets[0].target, cst.Name):
            return updated_node
        name = updated_node.targets[0].target.value
        if name in self.values and m.matches(original_node.value, _CONSTANT):
            return updated_node.with_changes(value=self.values[name])
        return updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        if m.matches(original_node, _THEME_CALL):
            default = updated_node.args[1].with_changes(value=cst.SimpleString(literal(self.theme)))
            return updated_node.with_changes(args=(updated_node.args[0], default))
        return updated_node


_CONSTANT = (
    m.SimpleString()
    | m.ConcatenatedString()
    | m.Integer()
    | m.Float()
    | m.UnaryOperation()
    | m.Name("True")
    | m.Name("False")
    | m.Name("None")
    | m.List()
    | m.Tuple()
)
_THEME_CALL = m.Call(
    func=m.Attribute(attr=m.Name("getenv")) | m.Attribute(attr=m.Name("get")),
    args=[m.Arg(m.SimpleString('"ANYPLOT_THEME"') | m.SimpleString("'ANYPLOT_THEME'")), m.Arg(m.SimpleString())],
)
_PLACEHOLDER_LINE = m.SimpleStatementLine(
    body=[m.Assign(targets=[m.AssignTarget(m.Name("df"))], value=m.Call(m.Name("load_user_data"), args=[]))]
)

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def _with_loader(body: Sequence[Statement], loader: Sequence[Statement], docstring: str) -> list[Statement]:
    statements: list[Statement] = []
    for statement in body:
        if not m.matches(statement, _PLACEHOLDER_LINE):
            statements.append(statement)
            continue
        first, *rest = loader
        # The comments above the placeholder (the section's heading) stay above the first line of the loader.
        statements.append(first.with_changes(leading_lines=[*statement.leading_lines, *first.leading_lines]))
        statements += rest
    if statements and m.matches(statements[0], m.SimpleStatementLine(body=[m.Expr(m.SimpleString())])):
        statements[0] = cst.ensure_type(statements[0], cst.SimpleStatementLine).with_changes(
            body=[cst.Expr(cst.SimpleString(docstring))]
        )
    return statements


def _docstring(recipe: Recipe, spec: Spec) -> str:
    other = "dark" if recipe.theme == "light" else "light"
    plain = recipe.library.replace("\\", "").replace('"', "")
    return "\n".join(
        (
            f'"""{_safe(spec.title)} of data.csv, drawn with {plain}.',
            "",
            "Keep data.csv beside this file; matplotlib, seaborn, pandas and numpy are all it needs.",
            "",
            f"    python plot.py                        # writes plot-{recipe.theme}.png",
            f"    ANYPLOT_THEME={other} python plot.py".ljust(42) + f"# writes plot-{other}.png",
            '"""',
        )
    )


def _safe(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")


def _without_unused_imports(module: cst.Module) -> cst.Module:
    """The module without imports whose name is used nowhere: the example may have needed more than the table does."""
    used = {node.value for node in _names_used(module)}
    body: list[Statement] = []
    waiting: list[cst.EmptyLine] = []
    for statement in module.body:
        kept = _kept_import(statement, used)
        if kept is None:
            # Its heading and blank lines belong to the section: they move to the next statement.
            waiting += cst.ensure_type(statement, cst.SimpleStatementLine).leading_lines
            continue
        if waiting:
            kept = kept.with_changes(leading_lines=[*waiting, *kept.leading_lines])
            waiting = []
        body.append(kept)
    return module.with_changes(body=body)


def _names_used(module: cst.Module) -> list[cst.Name]:
    found: list[cst.Name] = []

    class Collector(cst.CSTVisitor):
        def visit_Import(self, node: cst.Import) -> bool:
            return False

        def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
            return False

        def visit_Attribute(self, node: cst.Attribute) -> bool:
            node.value.visit(self)
            return False

        def visit_Name(self, node: cst.Name) -> None:
            found.append(node)

    module.visit(Collector())
    return found


def _kept_import(statement: Statement, used: set[str]) -> Statement | None:
    """The statement without the names that nobody uses; None when nothing is left of it."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return statement
    line = statement.body[0]
    if not isinstance(line, cst.Import | cst.ImportFrom) or isinstance(line.names, cst.ImportStar):
        return statement
    kept = [alias for alias in line.names if _bound_name(alias) in used]
    if not kept:
        return None
    if len(kept) == len(line.names):
        return statement
    kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return statement.with_changes(body=[line.with_changes(names=kept)])


def _bound_name(alias: cst.ImportAlias) -> str:
    if alias.asname is not None:
        return cst.ensure_type(alias.asname.name, cst.Name).value
    name: cst.BaseExpression = alias.name
    while isinstance(name, cst.Attribute):
        name = name.value
    return cst.ensure_type(name, cst.Name).value
