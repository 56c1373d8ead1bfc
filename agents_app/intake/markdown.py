"""Markdown tables: bars between cells and a rule of dashes below the header."""

import re

from agents_app.intake.grid import Grid

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_BAR = re.compile(r"(?<!\\)\|")


def _rule_line(lines: list[str]) -> int | None:
    """The index of the rule between header and body, None without one."""
    for index, line in enumerate(lines[1:200], 1):
        if "|" in line and "-" in line and _RULE.fullmatch(line) and "|" in lines[index - 1]:
            return index
    return None


def looks_like_markdown(text: str) -> bool:
    """True when a line with bars is followed by a rule of dashes."""
    return "|" in text and "--" in text and _rule_line(text[:100_000].splitlines()) is not None


def read_markdown(text: str) -> Grid:
    """The rows of the first Markdown table; text around it is left out by its line numbers."""
    lines = text.splitlines()
    rule = _rule_line(lines) or 1
    grid = Grid("markdown", [], [], delimiter="|", lines_total=len(lines))
    for number in range(rule - 1, len(lines)):
        if number == rule:
            continue
        if "|" not in lines[number]:
            break
        grid.rows.append(_cells(lines[number]))
        grid.lines.append(number + 1)
    return grid


def _cells(line: str) -> list[str]:
    body = line.strip()
    body = body.removeprefix("|")
    if body.endswith("|") and not body.endswith("\\|"):
        body = body[:-1]
    return [_bare(cell.replace("\\|", "|").strip()) for cell in _BAR.split(body)]


def _bare(cell: str) -> str:
    """A cell without the marks for bold, italic and code around it."""
    for mark in ("**", "__", "`", "*", "_"):
        if (
            len(cell) > 2 * len(mark)
            and cell.startswith(mark)
            and cell.endswith(mark)
            and mark not in cell[len(mark) : -len(mark)]
        ):
            return cell[len(mark) : -len(mark)]
    return cell
