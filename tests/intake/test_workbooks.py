"""Workbooks: sheets, types, and those that would unpack to gigabytes."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agents_app import intake
from agents_app.intake import workbook
from agents_app.refusals import Invalid, TooLarge, Unreadable
from anyplot_site import bounds
from tests.intake.books import ods, ods_row, sheet_xml, xlsx

ROWS = [["city", "people", "capital"], ["Köln", 1073096, False], ["Berlin", 3677472, True], ["Bonn", None, False]]


def test_a_sheet_is_read_with_its_types():
    table = intake.read(xlsx({"Cities": sheet_xml(ROWS)}))
    assert [(column.name, column.type, column.missing) for column in table.columns] == [
        ("city", "category", 0),
        ("people", "number", 1),
        ("capital", "boolean", 0),
    ]
    assert (table.reading.format, table.reading.sheet, table.reading.sheets) == ("xlsx", "Cities", ["Cities"])
    assert table.frame["people"].dropna().tolist() == [1073096, 3677472]


def test_the_first_visible_sheet_with_a_table_is_read_and_said():
    book = xlsx(
        {
            "Hidden": sheet_xml(ROWS),
            "Cover": sheet_xml([["Report 2024"]]),
            "Data": sheet_xml(ROWS),
            "Other": sheet_xml([["a", "b"], [1, 2]]),
        },
        hidden=("Hidden",),
    )
    table = intake.read(book)
    assert table.reading.sheet == "Data"
    assert table.reading.sheets == ["Hidden", "Cover", "Data", "Other"]
    assert [note.code for note in table.notes] == ["sheet_chosen"]


def test_a_person_may_choose_the_sheet():
    book = xlsx({"One": sheet_xml(ROWS), "Two": sheet_xml([["a", "b"], [1, 2]])})
    assert intake.read(book, reading={"sheet": "Two"}).frame["b"].tolist() == [2]
    with pytest.raises(Invalid, match=r"reading\.sheet: there is no sheet 'Three'.*`One`, `Two`"):
        intake.read(book, reading={"sheet": "Three"})


def test_rows_are_counted_as_in_the_sheet():
    book = xlsx({"S": sheet_xml([["Cities of Germany"], [], *ROWS, [], ["Source: a book"]], first_row=3)})
    table = intake.read(book)
    assert table.rows == 3
    assert table.reading.skipped_rows == 4
    title = next(note for note in table.notes if note.code == "title_rows_skipped")
    assert title.rows == [3]
    assert next(note for note in table.notes if note.code == "footer_left_out").rows == [10]


def test_codes_that_a_workbook_keeps_as_text_stay_text():
    table = intake.read(xlsx({"S": sheet_xml([["plz", "n"], ["01067", 1], ["04109", 2]])}))
    assert table.columns[0].kind == "id"
    assert table.frame["plz"].tolist() == ["01067", "04109"]


def test_numbers_of_a_workbook_have_no_ambiguous_marks():
    table = intake.read(xlsx({"S": sheet_xml([["a", "b"], ["x", 1.234], ["y", 5.678]])}))
    assert table.frame["b"].tolist() == [1.234, 5.678]
    assert table.notes == []


def test_an_open_document_sheet_is_read():
    rows = ods_row(["a", "b"]) + ods_row(["x", 1.5]) + ods_row(["y", 2])
    padding = (
        '<table:table-row table:number-rows-repeated="1048573">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )
    table = intake.read(ods(rows + padding))
    assert table.reading.format == "ods"
    assert table.frame["b"].tolist() == [1.5, 2]


def test_an_empty_workbook_is_refused():
    with pytest.raises(Unreadable, match="empty"):
        intake.read(xlsx({"S": sheet_xml([])}))


def test_a_workbook_that_unpacks_to_too_much_is_refused():
    bomb = xlsx({"S": sheet_xml(ROWS)}, extra={"xl/media/zeros.bin": bytes(bounds.WORKBOOK_BYTES + 1)})
    assert len(bomb) < bounds.FILE_BYTES
    with pytest.raises(TooLarge, match="unpacks to more than 100 MB"):
        intake.read(bomb)


def test_a_workbook_whose_directory_lies_about_sizes_is_refused():
    bomb = bytearray(xlsx({"S": sheet_xml(ROWS)}, extra={"xl/media/zeros.bin": bytes(bounds.WORKBOOK_BYTES + 1)}))
    true = (bounds.WORKBOOK_BYTES + 1).to_bytes(4, "little")
    place = bomb.find(true)
    while place >= 0:
        bomb[place : place + 4] = (10).to_bytes(4, "little")
        place = bomb.find(true, place + 4)
    with pytest.raises((TooLarge, Unreadable)):
        intake.read(bytes(bomb))


def test_two_cells_far_apart_are_refused_before_they_become_a_rectangle():
    far = sheet_xml([["a", "b"], [1, 2]]).replace(
        "</sheetData>", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    )
    with pytest.raises(TooLarge, match=r"1,048,576 rows by 16,384 columns"):
        intake.read(xlsx({"S": far}))


def test_far_cells_without_a_place_are_counted_too():
    row = "<row>" + "<c><v>1</v></c>" * 9000 + "</row>"
    column = "<row><c><v>1</v></c></row>" * 9000
    with pytest.raises(TooLarge):
        intake.read(xlsx({"S": f"<worksheet><sheetData>{row}{column}</sheetData></worksheet>"}))


def test_repeated_cells_of_an_open_document_are_counted():
    bomb = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
        'table:number-columns-repeated="1000" office:value-type="float" office:value="1"/></table:table-row>'
    )
    with pytest.raises(TooLarge, match="1,000,000 rows by 1,000 columns"):
        intake.read(ods(bomb))


@pytest.mark.parametrize("cut", [40, 400, 900])
def test_a_workbook_cut_short_is_refused(cut):
    with pytest.raises(Unreadable, match=r"damaged"):
        intake.read(xlsx({"S": sheet_xml(ROWS)})[:cut])


def test_entities_of_a_workbook_are_not_expanded():
    laughs = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">' + "".join(
        f'<!ENTITY {chr(99 + i)} "{f"&{chr(98 + i)};" * 10}">' for i in range(8)
    )
    with pytest.raises(Unreadable):
        intake.read(xlsx({"S": f"{laughs}]><worksheet><sheetData>&j;</sheetData></worksheet>"}))


def test_an_archive_that_is_no_workbook_says_so(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", "a,b\n1,2\n")
    with pytest.raises(Unreadable, match=r"ZIP archive.*Unpack it"):
        intake.read(path.read_bytes())


def test_a_format_that_the_file_is_not_is_refused():
    with pytest.raises(Invalid, match=r"reading\.format"):
        intake.read(xlsx({"S": sheet_xml(ROWS)}), reading={"format": "csv"})
    with pytest.raises(Invalid, match=r"reading\.format"):
        intake.read(b"a,b\n1,2\n", reading={"format": "xlsx"})


FAR = sheet_xml([["a", "b"], [1, 2]])


def renamed(book: bytes, path: str, target: str | None = None) -> bytes:
    """The same workbook with its first sheet in another part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("workbook.xml.rels"):
                data = data.replace(b"worksheets/sheet1.xml", (target or path.removeprefix("xl/")).encode())
            new.writestr(path if name == "xl/worksheets/sheet1.xml" else name, data)
    return out.getvalue()


def far(cell: str) -> str:
    return FAR.replace("</sheetData>", f'<row><c r="{cell}"><v>1</v></c></row></sheetData>')


@pytest.mark.parametrize("cell", ["xfd1048576", "XFD0001048576", "xFd00000000001048576"])
def test_far_cells_are_refused_however_their_place_is_written(cell):
    with pytest.raises(TooLarge, match=r"1,048,576 rows by 16,384 columns"):
        intake.read(xlsx({"S": far(cell)}))


@pytest.mark.parametrize("cell", ["", "A", "7", "A-1", "A1B2", "AAAA1", "A1 ", "A" + "1" * 30, "A\u0661"])
def test_a_cell_at_no_place_is_refused(cell):
    with pytest.raises(Unreadable, match="damaged"):
        intake.read(xlsx({"S": far(cell)}))


@pytest.mark.parametrize(
    "path",
    [
        "xl/worksheets/deep/sheet1.xml",
        "xl/worksheets/sheet1.bin",
        "xl/other/sheet1.xml",
        "xl/worksheets/sheet1",
        "xl/media/image1.png",
    ],
)
def test_far_cells_are_refused_in_whichever_part_they_stand(path):
    with pytest.raises(TooLarge, match=r"1,048,576 rows by 16,384 columns"):
        intake.read(renamed(xlsx({"S": far("XFD1048576")}), path))


def test_a_sheet_in_a_subfolder_is_read():
    table = intake.read(renamed(xlsx({"S": sheet_xml(ROWS)}), "xl/worksheets/deep/sheet1.xml"))
    assert table.rows == 3


def test_the_reader_may_run_out_of_memory_without_ending_the_site(monkeypatch):
    monkeypatch.setattr(workbook, "check_archive", lambda data, format_: None)
    with pytest.raises(TooLarge, match="memory") as refusal:
        intake.read(xlsx({"S": far("XFD1048576")}))
    assert refusal.value.status == 413


def test_the_reader_is_stopped_when_it_takes_too_long(monkeypatch):
    monkeypatch.setattr(bounds, "WORKBOOK_READ_S", 0)
    with pytest.raises(TooLarge, match="0 seconds"):
        intake.read(xlsx({"S": sheet_xml(ROWS)}))


def test_the_readers_answer_is_bounded(monkeypatch):
    monkeypatch.setattr(bounds, "WORKBOOK_ROWS_BYTES", 1000)
    with pytest.raises(TooLarge):
        intake.read(xlsx({"S": sheet_xml([["a", "b"], *[["x" * 50, number] for number in range(500)]])}))


def test_the_reader_ends_at_once_when_another_than_its_parent_is_named():
    done = subprocess.run(
        [sys.executable, "-I", str(Path(workbook.__file__).with_name("sheet_reader.py")), "1", "1", "1", "1", "1"],
        input=b"{}",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")


def test_dates_times_and_words_come_through_the_reader():
    styled = (
        '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>'
    )
    sheet = sheet_xml([["day", "at", "n"], [45292, 45292.5, 1], [45293, 45293.25, 2]])
    for place, style in (("A2", 1), ("A3", 1), ("B2", 2), ("B3", 2)):
        sheet = sheet.replace(f'r="{place}"', f'r="{place}" s="{style}"')
    table = intake.read(xlsx({"S": sheet}, extra={"xl/styles.xml": styled.encode()}))
    assert [column.type for column in table.columns] == ["date", "date", "number"]
    assert [str(value) for value in table.frame["at"]] == ["2024-01-01 12:00:00", "2024-01-02 06:00:00"]


def test_sheets_are_counted_together(monkeypatch):
    monkeypatch.setattr(bounds, "TABLE_CELLS", 100)
    sheet = sheet_xml([["a", "b"], *[[number, 1] for number in range(29)]])
    assert intake.read(xlsx({"A": sheet})).rows == 29
    with pytest.raises(TooLarge, match="first 2 sheets of the workbook together span 120 cells"):
        intake.read(xlsx({"A": sheet, "B": sheet}))


def test_tables_of_an_open_document_are_counted_together(monkeypatch):
    monkeypatch.setattr(bounds, "TABLE_CELLS", 100)
    rows = ods_row(["a", "b"]) + ods_row([1, 2], 'table:number-rows-repeated="29"')
    assert intake.read(ods(rows)).rows == 29
    with pytest.raises(TooLarge, match="together span 120 cells"):
        intake.read(ods(f'{rows}</table:table><table:table table:name="B">{rows}'))


def test_cells_with_nothing_but_words_inside_are_counted_in_an_open_document():
    bomb = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
        'table:number-columns-repeated="1000"><text:p>x</text:p></table:table-cell></table:table-row>'
    )
    with pytest.raises(TooLarge, match="1,000,000 rows by 1,000 columns"):
        intake.read(ods(bomb))


def test_counting_ends_when_it_takes_too_long(monkeypatch):
    monkeypatch.setattr(bounds, "WORKBOOK_COUNT_S", -1)
    with pytest.raises(TooLarge, match="looked through"):
        intake.read(xlsx({"S": sheet_xml(ROWS)}))


@pytest.mark.parametrize(
    "word", ["sheetData", "<sheetData><row", '<sheetData><row r="1_0"><c><v>1</v></c></row></sheetData>']
)
def test_a_part_with_cells_that_is_no_sound_xml_is_refused(word):
    with pytest.raises(Unreadable, match="damaged"):
        intake.read(xlsx({"S": sheet_xml(ROWS)}, extra={"xl/media/other.bin": word.encode()}))
