"""HTML tables: the largest one of the text; nothing of it is ever rendered.

The standard library's parser takes hours for some megabytes of broken markup. This reading looks at every character a
fixed number of times; what a browser would swallow to the end of the text (an open comment, tag or quote) ends it here.
"""

import html
import re

from agents_app.intake.grid import Grid
from agents_app.intake.table import Note
from agents_app.refusals import TooLarge, Unreadable
from anyplot_site import bounds

_SILENT = frozenset({"script", "style", "template", "noscript", "sup"})
_RAW = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}
_NESTING = 20
_MARKUP = re.compile(r"<(!--|[!?]|/?[a-zA-Z][^\s/>]*|/)")
_QUOTE_OR_END = re.compile(r"=\s*([\"'])|>")
_ATTRIBUTE = re.compile(r"([^\s=/>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")
_ATTRIBUTES_CHARACTERS = 2_000  # of a tag; a span stands in its first few


def looks_like_html(text: str) -> bool:
    """True when the text begins like markup and has a table."""
    head = text[:200_000].lower()
    return head.lstrip().startswith("<") and "<table" in head


class _Tables:
    """Collects the tables; spans are spread out, nested tables stand by themselves."""

    def __init__(self) -> None:
        self.tables: list[list[list[str]]] = []
        self._open: list[list[list[str]]] = []
        self._cell: list[str] | None = None
        self._span = (1, 1)
        self._carried: dict[int, tuple[int, str]] = {}
        self._silent = 0
        self._cells = 0

    def feed(self, text: str) -> None:
        """Goes through the text once."""
        place = 0
        while found := _MARKUP.search(text, place):
            start = found.start()
            if start > place:
                self._text(text[place:start])
            word = found[1]
            if word == "!--":
                place = _after(text, "-->", start + 2)
            elif word in ("!", "?", "/"):
                place = _after(text, ">", found.end())
            else:
                end = _tag_end(text, found.end())
                if end is None:
                    return
                place = end
                if word[0] == "/":
                    self._end(word[1:].lower())
                else:
                    name = word.lower()
                    self._start(name, text[found.end() : min(end - 1, found.end() + _ATTRIBUTES_CHARACTERS)])
                    if name in _RAW:
                        close = _RAW[name].search(text, place)
                        place = close.start() if close else len(text)
        self._text(text[place:])

    def _start(self, tag: str, attributes: str) -> None:
        if tag == "sup" and "class" not in _attributes(attributes):
            return  # m<sup>2</sup> stays; a reference mark has a class
        if tag in _SILENT:
            self._silent += 1
        elif tag == "table" and len(self._open) < _NESTING:
            self._open.append([])
            self._carried = {}
        elif tag == "tr" and self._open:
            self._finish_cell()
            self._open[-1].append([])
            self._carry()
        elif tag in ("td", "th") and self._open:
            self._finish_cell()
            if not self._open[-1]:
                self._open[-1].append([])
            self._cell = []
            self._span = (1, 1)
            if attributes:
                spans = _attributes(attributes)
                self._span = (_span_of(spans.get("colspan")), _span_of(spans.get("rowspan")))
        elif tag in ("br", "p", "div", "li") and self._cell is not None:
            self._cell.append(" ")

    def _end(self, tag: str) -> None:
        if tag in _SILENT and self._silent:
            self._silent -= 1
        elif tag in ("td", "th", "tr"):
            self._finish_cell()
        elif tag == "table" and self._open:
            self._finish_cell()
            self.tables.append(self._open.pop())

    def _text(self, text: str) -> None:
        if self._cell is not None and not self._silent:
            self._cell.append(html.unescape(text))

    def finish(self) -> None:
        """Closes what the text left open."""
        self._finish_cell()
        while self._open:
            self.tables.append(self._open.pop())

    def _count(self) -> None:
        """Counts a cell; TooLarge when spans make too many of them."""
        self._cells += 1
        if self._cells > bounds.HTML_CELLS:
            raise TooLarge(
                f"The tables of this HTML have more than {bounds.HTML_CELLS:,} cells. Save the table as CSV.",
                limit=bounds.HTML_CELLS,
                value=None,
            )

    def _finish_cell(self) -> None:
        if self._cell is None or not self._open or not self._open[-1]:
            self._cell = None
            return
        text = " ".join("".join(self._cell).split())
        row = self._open[-1][-1]
        if self._span == (1, 1) and not self._carried:
            row.append(text)
            self._count()
            self._cell = None
            return
        columns, rows = self._span
        for index in range(columns):
            self._carry()
            if rows > 1:
                self._carried[len(row)] = (rows - 1, text)
            row.append(text if index == 0 else "")
            self._count()
        self._cell = None
        self._carry()

    def _carry(self) -> None:
        """Cells that reach down from a row above."""
        row = self._open[-1][-1]
        while len(row) in self._carried and len(row) < 4 * bounds.TABLE_COLUMNS:
            left, text = self._carried.pop(len(row))
            if left > 1:
                self._carried[len(row)] = (left - 1, text)
            row.append(text)
            self._count()


def _after(text: str, mark: str, place: int) -> int:
    """Where the text goes on after the next mark; its end when there is none."""
    found = text.find(mark, place)
    return len(text) if found < 0 else found + len(mark)


def _tag_end(text: str, place: int) -> int | None:
    """Where the text goes on after a tag's `>`, None when the tag or a quote in it never ends."""
    if text.startswith(">", place):  # most tags have no attributes
        return place + 1
    while found := _QUOTE_OR_END.search(text, place):
        if found[1] is None:
            return found.end()
        place = text.find(found[1], found.end()) + 1
        if not place:
            return None
    return None


def _attributes(text: str) -> dict[str, str]:
    """The attributes of a tag, the first of each name."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), html.unescape(double or single or bare))
    return found


def _span_of(text: str | None) -> int:
    """A span of 1 to the greatest number of columns."""
    return min(max(int(text), 1), bounds.TABLE_COLUMNS) if text and text.isdecimal() and len(text) < 7 else 1


def read_html(text: str) -> Grid:
    """The rows of the largest table; Unreadable when there is none, TooLarge beyond characters or cells."""
    if len(text) > bounds.HTML_CHARACTERS:
        raise TooLarge(
            f"The HTML has {len(text):,} characters; at most {bounds.HTML_CHARACTERS:,} can be read. "
            "Save the table as CSV, or copy it in the browser and paste it.",
            limit=bounds.HTML_CHARACTERS,
            value=len(text),
        )
    parser = _Tables()
    parser.feed(text)
    parser.finish()
    tables = [[row for row in table if row] for table in parser.tables]
    tables = [table for table in tables if table]
    if not tables:
        raise Unreadable(
            "There is no table with rows in this HTML. Copy the table in the browser and paste it.", lines=[]
        )
    largest = max(tables, key=lambda table: sum(len(row) for row in table))
    grid = Grid("html", largest, list(range(1, len(largest) + 1)), lines_total=len(largest))
    if len(tables) > 1:
        detail = f"The largest of {len(tables)} tables was read (table {tables.index(largest) + 1})."
        grid.notes.append(Note("table_chosen", "info", detail))
    return grid
