"""Where a table begins and ends: titles above it, notes and totals below it."""

import re

from agents_app.intake.looks import is_typed
from agents_app.intake.numbers import Marks, number, take_apart

_TITLE_ROWS = 40  # a header further down is none
_FOOTER_ROWS = 60
_TOTAL = re.compile(
    r"(?:grand |sub|sub-|overall )?totals?|sum|summe|gesamt(?:summe|ergebnis)?|insgesamt|zusammen|total général|totaux|"
    r"ensemble|totale|totali|suma|total general|razem|ogółem|итого|всего|totaal|totalt|summa|összesen|celkem|"
    r"合计|合計|총계|σύνολο",
    re.IGNORECASE,
)
_MEAN = re.compile(
    r"average|avg\.?|mean|durchschnitt|mittel(?:wert)?|moyenne|media|promedio|gemiddelde|среднее", re.IGNORECASE
)
_MEAN_SLACK = 0.02  # a mean is often rounded
_SOURCE = re.compile(
    r"(?:data )?sources?\b|quellen?\b|notes?\b|anmerkung|hinweis|fuente|fonte|remarques?\b|updated|last update|stand\b|"
    r"generated|created|exported|copyright|licen[cs]e|\*|†|\[?\d\]?\)? |\(c\)|©|--+$|end of",
    re.IGNORECASE,
)


def filled_cells(row: list[str]) -> int:
    """How many cells of a row are not empty."""
    return sum(1 for cell in row if cell)


def without_titles(rows: list[list[str]], filled: list[int], width: int) -> list[int]:
    """The rows from the header on: the first one that is as wide as the table and at least half filled."""
    if width == 1:
        return filled
    enough = max(2, (width + 1) // 2)
    for place, index in enumerate(filled[:_TITLE_ROWS]):
        row = rows[index]
        if (
            len(row) >= width - 1
            and filled_cells(row) >= enough
            and (len(row) >= width or _one_short(rows, filled, place, width))
        ):
            return _after_gap(rows, filled, place, width)
    return filled


def _one_short(rows: list[list[str]], filled: list[int], place: int, width: int) -> bool:
    """A header one cell short of its rows (row names without a name) is followed by a full row at once."""
    return place + 1 < len(filled) and len(rows[filled[place + 1]]) >= width


def _after_gap(rows: list[list[str]], filled: list[int], place: int, width: int) -> list[int]:
    """Skips what looks like a header but is a title with commas: a blank row, then words over values, follow it."""
    for step in range(place, min(place + 4, len(filled) - 2)):
        gap = filled[step + 1] - filled[step] > 1
        above = filled[place : step + 1]
        if gap and not any(is_typed(cell) for index in above for cell in rows[index]):
            head, first = rows[filled[step + 1]], rows[filled[step + 2]]
            words = len(head) >= width and filled_cells(head) > width / 2 and not any(is_typed(cell) for cell in head)
            if words and any(is_typed(cell) for cell in first):
                return filled[step + 1 :]
    return filled[place:]


def without_notes(rows: list[list[str]], filled: list[int], width: int) -> tuple[list[int], list[int]]:
    """The rows without notes at the end, and the notes."""
    if width == 1:
        return _without_source_lines(rows, filled)
    end = len(filled)
    cut = end
    for place in range(end - 1, max(0, end - _FOOTER_ROWS), -1):
        index = filled[place]
        row = rows[index]
        alone = filled_cells(row) == 1 or (len(row) < width and not any(is_typed(cell) for cell in row))
        if not alone:
            break
        text = next(cell for cell in row if cell)
        gap = index - filled[place - 1] > 1
        first_only = bool(row[0])
        if len(row) < min(width, 3) or gap or _SOURCE.match(text) or (first_only and len(text) > 40) or len(row) == 1:
            cut = place
        elif not first_only:
            break
    # A table is more than half of what was brought: ragged data is not a footnote.
    if cut < 2 or cut < end / 2:
        return filled, []
    return filled[:cut], filled[cut:]


def _without_source_lines(rows: list[list[str]], filled: list[int]) -> tuple[list[int], list[int]]:
    """A single column ends where a blank line is followed by a source or a note."""
    for place in range(len(filled) - 1, max(1, len(filled) - 6), -1):
        text = rows[filled[place]][0]
        if filled[place] - filled[place - 1] > 1 and _SOURCE.match(text) and not is_typed(text):
            return filled[:place], filled[place:]
    return filled, []


def without_total(rows: list[list[str]], body: list[int], width: int) -> tuple[list[int], list[int]]:
    """The rows without totals at the end: by their word, or without one because they are the sums."""
    if width < 2:
        return body, []
    end = len(body)
    while end > 2 and end > len(body) - 3 and _is_total(rows, body[:end]):
        end -= 1
    return body[:end], body[end:]


def _is_total(rows: list[list[str]], body: list[int]) -> bool:
    """True for a last row that is called a total, or that has no name and adds up."""
    row = rows[body[-1]]
    labels = [cell.rstrip(":").strip() for cell in row if cell and not is_typed(cell)]
    if any(_TOTAL.fullmatch(label) for label in labels[:2]):
        return True
    if any(_MEAN.fullmatch(label) for label in labels[:1]):
        return bool(totals(rows, body, mean=True))
    first = row[0] if row else ""
    return not first and any(rows[index][:1] != [""] for index in body[:-1]) and bool(totals(rows, body))


def totals(rows: list[list[str]], body: list[int], mean: bool = False) -> list[int]:
    """The columns whose last cell is the sum (or about the mean) of those above it."""
    found = []
    for j, cell in enumerate(rows[body[-1]]):
        if not cell:
            continue
        for marks in (Marks(".", "*"), Marks(",", "*")):
            values = [_value(rows[index][j], marks) for index in body if j < len(rows[index])]
            known = [value for value in values[:-1] if value is not None]
            last = values[-1] if values else None
            if not last or len(known) < 2:
                continue
            due = sum(known) / len(known) if mean else sum(known)
            if abs(due - last) <= (_MEAN_SLACK if mean else 1e-6) * abs(last) + 1e-9:
                found.append(j)
                break
    return found


def _value(cell: str, marks: Marks) -> float | None:
    piece = take_apart(cell)
    return number(piece, marks) if piece else None
