"""Workbooks made by hand, also such as no program would write."""

import io
import zipfile
from xml.sax.saxutils import escape

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)
_RELS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>'
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def sheet_xml(rows: list[list[object]], first_row: int = 1) -> str:
    """A sheet's XML: numbers as numbers, booleans as such, all else as inline text, None as nothing."""
    lines = []
    for number, row in enumerate(rows, first_row):
        cells = []
        for index, value in enumerate(row):
            place = f"{chr(65 + index)}{number}"
            if value is None:
                continue
            if isinstance(value, bool):
                cells.append(f'<c r="{place}" t="b"><v>{int(value)}</v></c>')
            elif isinstance(value, (int, float)):
                cells.append(f'<c r="{place}"><v>{value}</v></c>')
            else:
                cells.append(f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>')
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def xlsx(sheets: dict[str, str], hidden: tuple[str, ...] = (), extra: dict[str, bytes] | None = None) -> bytes:
    """A workbook of sheets given as XML."""
    entries, relations = [], []
    for number, name in enumerate(sheets, 1):
        state = ' state="hidden"' if name in hidden else ""
        entries.append(f'<sheet name="{escape(name)}" sheetId="{number}"{state} r:id="rId{number}"/>')
        relations.append(
            f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELS)
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{"".join(entries)}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f"{''.join(relations)}</Relationships>",
        )
        for number, text in enumerate(sheets.values(), 1):
            archive.writestr(f"xl/worksheets/sheet{number}.xml", text)
        for name, data in (extra or {}).items():
            archive.writestr(name, data)
    return out.getvalue()


def ods(rows_xml: str) -> bytes:
    """An OpenDocument sheet of rows given as XML."""
    content = (
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
        f'<table:table table:name="Data">{rows_xml}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
    return out.getvalue()


def ods_row(values: list[object], attributes: str = "") -> str:
    """A row of an OpenDocument sheet."""
    cells = []
    for value in values:
        if isinstance(value, (int, float)):
            cells.append(f'<table:table-cell office:value-type="float" office:value="{value}"/>')
        else:
            text = f"<text:p>{escape(str(value))}</text:p>"
            cells.append(f'<table:table-cell office:value-type="string">{text}</table:table-cell>')
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"
