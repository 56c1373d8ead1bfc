"""The sections of a script: which lines are its data, its options, its theme.

Ours have the headings of `SECTIONS` in that order, each on a comment line `# --- Data ---`. A foreign script's
headings are comments of one or two of the same words (`# Data`, `# Create plot`, `# === Save ===`).
"""

import re
from dataclasses import dataclass

SECTIONS = ("imports", "theme", "data", "options", "plot", "fit", "save")
# What foreign scripts call the same things; matched against the first words of a comment at the margin.
FOREIGN = {
    "imports": "imports",
    "theme": "theme",
    "theme tokens": "theme",
    "style": "theme",
    "data": "data",
    "sample data": "data",
    "example data": "data",
    "options": "options",
    "plot": "plot",
    "create plot": "plot",
    "create figure": "plot",
    "figure": "plot",
    "layout": "fit",
    "labels": "plot",
    "labels and styling": "plot",
    "styling": "plot",
    "save": "save",
    "save plot": "save",
    "output": "save",
}
OWN = re.compile(r"^# --- (\w+) ---$")


@dataclass(frozen=True)
class Section:
    """One section: `name`, the 0-based line of its heading, and the line after its last one."""

    name: str
    start: int
    end: int


def heading(line: str) -> str | None:
    """The section that a line opens, or None."""
    if match := OWN.match(line):
        name = match[1].lower()
        return name if name in SECTIONS else None
    if not line.startswith("#"):
        return None
    words = re.sub(r"[^a-z ]+", " ", re.split(r"[:(–—-](?![-=])", line.strip("#=-─ \t"))[0].lower()).split()
    return FOREIGN.get(" ".join(words))


def source_lines(script: str) -> list[str]:
    """A script's lines as Python counts them: form feeds and Unicode's own separators don't end one."""
    return script.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def sections(script: str) -> list[Section]:
    """The sections of a script in order; lines before the first heading belong to none."""
    lines = source_lines(script)
    starts = [(number, name) for number, line in enumerate(lines) if (name := heading(line))]
    ends = [*(number for number, _ in starts[1:]), len(lines)][: len(starts)]
    return [Section(name, start, end) for (start, name), end in zip(starts, ends, strict=True)]


def section(script: str, name: str) -> Section | None:
    """The first section of that name, or None."""
    return next((found for found in sections(script) if found.name == name), None)
