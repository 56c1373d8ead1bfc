"""Texts that a database and a page can take."""

from typing import Any

from agents_app.refusals import Invalid


def check_texts(value: Any, *, nul: bool = False) -> None:
    """Look at every text in a JSON value; raises Invalid on half a surrogate pair, and on NUL unless it is allowed."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if "\0" in item and not nul:
                raise Invalid("A text has a NUL character. Leave it out.")
            try:
                item.encode()
            except UnicodeEncodeError:
                raise Invalid("A text has half of a surrogate pair. Is it cut in the middle?") from None
        elif isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            stack += item
