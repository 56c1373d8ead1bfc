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

from agents_app.catalogue.sections import section, source_lines
from agents_app.catalogue.spec import Option, Spec
from agents_app.recipe import words
from agents_app.recipe.labels import axis_texts, unit_of
from agents_app.recipe.literals import literal
from agents_app.recipe.loader import loader_lines
from agents_app.recipe.recipe import Recipe
from agents_app.refusals import Invalid

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
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
    lines = source_lines(script)
    end = data.end
    while end > data.start + 1 and not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[: data.start + 1], PLACEHOLDER, *lines[end:]]) + "\n"


def adapt(recipe: Recipe, script: str, spec: Spec, columns: list[dict[str, Any]]) -> Adapted:
    """Write options, labels, theme and loader into the script. Raises Invalid when an option can't be set."""
    parsed = _parsed(run_form(script))
    values = {name: cst.parse_expression(value) for name, value in constants(recipe, spec, columns).items()}
    body = [_edited(statement, values, recipe.theme) for statement in parsed.module.body]
    loader = cst.parse_module(loader_lines(recipe, columns))
    # What stands above the first statement of a module is its header.
    first = loader.body[0].with_changes(leading_lines=[*loader.header, *loader.body[0].leading_lines])
    body = _with_loader(body, [first, *loader.body[1:]], _docstring(recipe, spec))
    body = _without_unused_imports(body, parsed.names | _names_used(loader))
    return Adapted(parsed.module.with_changes(body=body).code, words.changes(recipe, spec))


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


@dataclass(frozen=True)
class _Parsed:
    """A run form's tree, and the names that it uses outside its imports."""

    module: cst.Module
    names: frozenset[str]


def parse_ahead(script: str) -> None:
    """Parse a catalogue script before its first run, so that a process forked later has its tree already."""
    _parsed(run_form(script))


@lru_cache(maxsize=256)
def _parsed(run_script: str) -> _Parsed:
    # Trees are immutable, so one parse serves every run of a pair.
    module = cst.parse_module(run_script)
    return _Parsed(module, _names_used(module))


def _edited(statement: Statement, values: dict[str, cst.BaseExpression], theme: str) -> Statement:
    """An option's line with its value, the theme's line with the theme that is drawn when nobody names one."""
    if not m.matches(statement, _ASSIGNMENT):
        return statement
    line = cst.ensure_type(statement, cst.SimpleStatementLine)
    assign = cst.ensure_type(line.body[0], cst.Assign)
    name = cst.ensure_type(assign.targets[0].target, cst.Name).value
    if name in values and m.matches(assign.value, _CONSTANT):
        return line.with_changes(body=[assign.with_changes(value=values[name])])
    if m.matches(assign.value, _THEME_CALL):
        call = cst.ensure_type(assign.value, cst.Call)
        default = call.args[1].with_changes(value=cst.SimpleString(literal(theme)))
        return line.with_changes(body=[assign.with_changes(value=call.with_changes(args=(call.args[0], default)))])
    return statement


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
_ASSIGNMENT = m.SimpleStatementLine(body=[m.Assign(targets=[m.AssignTarget(m.Name())])])
_PLACEHOLDER_LINE = m.SimpleStatementLine(
    body=[m.Assign(targets=[m.AssignTarget(m.Name("df"))], value=m.Call(m.Name("load_user_data"), args=[]))]
)


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


def _without_unused_imports(statements: Sequence[Statement], used: frozenset[str]) -> list[Statement]:
    """The statements without imports that nobody uses: the example may have needed more than the table does."""
    body: list[Statement] = []
    waiting: list[cst.EmptyLine] = []
    for statement in statements:
        kept = _kept_import(statement, used)
        if kept is None:
            # Its heading and blank lines belong to the section: they move to the next statement.
            waiting += cst.ensure_type(statement, cst.SimpleStatementLine).leading_lines
            continue
        if waiting:
            kept = kept.with_changes(leading_lines=[*waiting, *kept.leading_lines])
            waiting = []
        body.append(kept)
    return body


class _Names(cst.CSTVisitor):
    """Collects names, but not those of imports and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Name(self, node: cst.Name) -> None:
        self.found.add(node.value)


def _names_used(module: cst.Module) -> frozenset[str]:
    names = _Names()
    module.visit(names)
    return frozenset(names.found)


def _kept_import(statement: Statement, used: frozenset[str]) -> Statement | None:
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
