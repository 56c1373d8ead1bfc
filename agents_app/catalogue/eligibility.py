"""Can a pair (spec, library) be adapted? Found by reading its script, without running it (EL1)."""

import ast
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from agents_app.catalogue import rules
from agents_app.catalogue.sections import Section, section
from agents_app.catalogue.spec import Spec

CODES = ("syntax", "security", "theme_block", "save_target", "placeholder", "map_spec", "structured_role")


@dataclass(frozen=True)
class IneligibleReason:
    """Why a script can't be adapted: a code of `CODES`, the 1-based line where there is one, a sentence."""

    code: str
    line: int | None
    text: str

    def as_json(self) -> dict[str, Any]:
        """The API's shape."""
        return {"code": self.code, "line": self.line, "text": self.text}


def reasons(spec: Spec, library: str, language: str = "python") -> list[IneligibleReason]:
    """Everything that keeps the pair from being adapted; empty when it is eligible."""
    path = spec.script_path(library, language)
    if language != "python" or library not in spec.libraries:
        return [IneligibleReason("placeholder", None, f"There is no {language} script for {library}.")]
    return list(_reasons(spec, path, path.stat().st_mtime_ns))


def check_script(script: str) -> list[IneligibleReason]:
    """What a script breaks by itself, whatever its plot: a catalogue script with its data section, or a run form.

    A script that names the placeholder is a run form and must have it exactly once.
    """
    tree = rules.parse(script)
    if isinstance(tree, rules.Finding):
        return [_reason(tree)]
    found = [*rules.security(tree), *rules.theme_block(tree), *rules.save_target(tree)]
    if rules.PLACEHOLDER in script:
        if (count := rules.placeholder_count(tree)) != 1:
            text = (
                "The data comes in by the one line “df = load_user_data()”, at the margin; here it is called elsewhere."
                if count < 0
                else f"The line “df = load_user_data()” must be there exactly once; it is there {count} times."
            )
            found.append(rules.Finding("placeholder", None, text))
    else:
        found += _data_section(tree, script)
    return [_reason(finding) for finding in found]


@lru_cache(maxsize=4096)
def _reasons(spec: Spec, path: Path, _stamp: int) -> tuple[IneligibleReason, ...]:
    try:
        script = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return (IneligibleReason("syntax", None, f"The script can't be read: {error}."),)
    found = check_script(script)
    found += _roles(spec)
    if not found:
        found += _unmapped(spec, script)
    return tuple(found)


def _reason(finding: rules.Finding) -> IneligibleReason:
    return IneligibleReason(finding.code, finding.line, finding.text)


def _roles(spec: Spec) -> list[IneligibleReason]:
    """What is in the way in the specification itself."""
    found = [
        IneligibleReason("structured_role", None, f"The role {name} needs more structure than a column has.")
        for name in spec.structured
    ]
    found += [IneligibleReason("map_spec", None, f"This role can't be read: {line}") for line in spec.unread]
    if not spec.roles and not found:
        found.append(IneligibleReason("map_spec", None, "The specification names no roles."))
    return found


def _data_section(tree: ast.Module, script: str) -> list[rules.Finding]:
    """The example must be a block of its own that leaves a frame `df`, so that a table can take its place."""
    data = section(script, "data")
    if data is None:
        return [rules.Finding("placeholder", None, "The script has no data section that a table could replace.")]
    inside, straddling = _statements(tree, data)
    if straddling is not None:
        return [rules.Finding("placeholder", straddling, "The data section begins or ends inside a statement.")]
    frames = [
        node
        for node in inside
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "df" for target in node.targets)
    ]
    if not frames:
        return [rules.Finding("placeholder", data.start + 1, "The data section leaves no frame df.")]
    later = [node for node in tree.body if node.lineno > data.end]
    made = _names_stored(inside) - {"df"} - _names_stored(later)
    for node in later:
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and name.id in made:
                text = f"{name.id} comes from the example's data; only df survives when a table replaces it."
                return [rules.Finding("placeholder", name.lineno, text)]
    return []


def _names_stored(statements: list[ast.stmt]) -> set[str]:
    nodes = [node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, ast.Store)}


def _statements(tree: ast.Module, data: Section) -> tuple[list[ast.stmt], int | None]:
    """The statements inside a section, and the line of one that crosses its border."""
    inside = []
    for node in tree.body:
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if data.start < first and last < data.end:
            inside.append(node)
        elif first < data.start < last or first < data.end <= last:
            return inside, node.lineno
    return inside, None


def _unmapped(spec: Spec, script: str) -> list[IneligibleReason]:
    """Every required role must be a column of the frame that the script reads: `df["x"]` or `"x"` in a call."""
    tree = ast.parse(script)
    data = section(script, "data")
    end = data.end if data else 0
    texts = {
        node.value
        for part in tree.body
        if part.lineno > end
        for node in ast.walk(part)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return [
        IneligibleReason("map_spec", None, f"The script never uses the column {role.name}.")
        for role in spec.roles
        if role.required and not role.family and role.name not in texts | attributes
    ]
