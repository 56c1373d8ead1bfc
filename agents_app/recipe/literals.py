"""Values as Python source: what a person would type, safe for any text."""

from typing import Any

WIDTH = 110  # a longer line is broken into one item a line
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(value: Any) -> str:
    """A value of JSON's types as a Python literal on one line. Raises TypeError for anything else.

    Texts stand in double quotes and keep every character that can be seen; the others (controls, joiners,
    direction marks, lone surrogates) are escaped, so that source and text never differ in what they show.
    """
    if isinstance(value, str):
        return '"' + "".join(_character(character) for character in value) + '"'
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    raise TypeError(f"{type(value).__name__} has no literal")


def call(head: str, arguments: list[str], tail: str = ")") -> str:
    """`head(argument, ...)` on one line, or with an argument a line where that would be too long."""
    line = head + "(" + ", ".join(arguments) + tail
    if len(line) <= WIDTH:
        return line
    return head + "(\n" + "".join(f"    {argument},\n" for argument in arguments) + tail


def _character(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
