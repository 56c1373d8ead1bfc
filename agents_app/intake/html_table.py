"""HTML tables: the largest one of the text; nothing of it is ever rendered."""

from html.parser import HTMLParser

from agents_app.intake.grid import Grid
from agents_app.intake.table import Note
from agents_app.refusals import Unreadable
from anyplot_site import bounds

_SILENT = frozenset({"script", "style", "template", "noscript", "sup"})
_NESTING = 20


def looks_like_html(text: str) -> bool:
    """True when the text begins like markup and has a table."""
    head = text[:200_000].lower()
    return head.lstrip().startswith("<") and "<table" in head


class _Tables(HTMLParser):
    """Collects the tables; spans are spread out, nested tables stand by themselves."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self._open: list[list[list[str]]] = []
        self._cell: list[str] | None = None
        self._span = (1, 1)
        self._carried: dict[int, tuple[int, str]] = {}
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "sup" and not any(name == "class" for name, _ in attrs):
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
            spans = dict(attrs)
            self._span = (_count(spans.get("colspan")), _count(spans.get("rowspan")))
        elif tag in ("br", "p", "div", "li") and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT and self._silent:
            self._silent -= 1
        elif tag in ("td", "th", "tr"):
            self._finish_cell()
        elif tag == "table" and self._open:
            self._finish_cell()
            self.tables.append(self._open.pop())

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._silent:
            self._cell.append(data)

    def finish(self) -> None:
        """Closes what the text left open."""
        self.close()
        self._finish_cell()
        while self._open:
            self.tables.append(self._open.pop())

    def _finish_cell(self) -> None:
        if self._cell is None or not self._open or not self._open[-1]:
            self._cell = None
            return
        text = " ".join("".join(self._cell).split())
        row = self._open[-1][-1]
        columns, rows = self._span
        for index in range(columns):
            self._carry()
            if rows > 1:
                self._carried[len(row)] = (rows - 1, text)
            row.append(text if index == 0 else "")
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


def _count(text: str | None) -> int:
    """A span of 1 to the greatest number of columns."""
    return min(max(int(text), 1), bounds.TABLE_COLUMNS) if text and text.isdecimal() and len(text) < 7 else 1


def read_html(text: str) -> Grid:
    """The rows of the largest table; Unreadable when there is none."""
    parser = _Tables()
    try:
        parser.feed(text)
        parser.finish()
    except AssertionError as error:  # the standard parser asserts on broken declarations
        raise Unreadable("The HTML cannot be read. Copy the table in the browser and paste it.", lines=[]) from error
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
