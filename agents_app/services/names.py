"""Names of data sets, sessions and tokens."""

from anyplot_site import bounds


def clean_name(name: str, *, otherwise: str) -> str:
    """`name` as one line of at most 120 characters; `otherwise` when nothing is left of it."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    return " ".join(printable.split())[: bounds.NAME_CHARACTERS].strip() or otherwise
