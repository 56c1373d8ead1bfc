"""Bytes to text: byte order marks, UTF-16, strict UTF-8, then Windows-1252 with a note."""

import codecs
import difflib
import re
from contextlib import suppress
from dataclasses import dataclass, field

from agents_app.intake.grid import clipped
from agents_app.intake.table import Note
from agents_app.refusals import Invalid, Unreadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KNOWN_FILES = (
    (b"%PDF", "a PDF document", "Copy the table out of it and paste it"),
    (b"\x89PNG", "a PNG picture", "Upload the table itself"),
    (b"\xff\xd8\xff", "a JPEG picture", "Upload the table itself"),
    (b"GIF8", "a GIF picture", "Upload the table itself"),
    (b"\x1f\x8b", "a gzip archive", "Unpack it and upload the table inside"),
    (b"BZh", "a bzip2 archive", "Unpack it and upload the table inside"),
    (b"\xfd7zXZ", "an xz archive", "Unpack it and upload the table inside"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it and upload the table inside"),
    (b"PAR1", "a Parquet file", "Save it as CSV or XLSX"),
    (b"SQLite format 3", "a SQLite database", "Export the table as CSV"),
)
# The charsets that tables come in. Python knows more, of which some are no charsets and some (punycode) take hours.
CHARSETS = frozenset(
    codecs.lookup(name).name
    for name in (
        *("ascii", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"),
        *(f"cp{number}" for number in (437, 850, 852, 866, *range(1250, 1259))),
        *(f"iso8859-{number}" for number in range(1, 17) if number != 12),
        *("koi8-r", "koi8-u", "mac-roman"),
        *("shift_jis", "cp932", "euc_jp", "iso2022_jp", "gb18030", "gbk", "gb2312", "big5", "euc_kr", "cp949"),
    )
)
_NAME_CHARACTERS = 40  # no charset has a longer name; nor is more of a wrong one repeated
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")
_CONTROL_SHARE = 0.01  # a text has next to no control characters
_UTF16_NUL_SHARE = 0.3  # of the bytes at one parity, in the first few thousand
_DAMAGE_SHARE = 0.1  # broken characters against sound ones, up to which a text is still taken for UTF-8


@dataclass(frozen=True)
class Decoded:
    """A text without its byte order mark, and the Python codec that made it."""

    text: str
    encoding: str
    notes: list[Note] = field(default_factory=list)


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of `data`, in `encoding` when a person named one.

    Raises Unreadable for what is no text, Invalid for an unknown encoding or one that does not fit.
    """
    if encoding:
        return _decode_as(data, encoding)
    for magic, what, way_out in _KNOWN_FILES:
        if data.startswith(magic):
            raise _unreadable(f"This is {what}, not a table. {way_out}.")
    for mark, name in _BOMS:
        if data.startswith(mark):
            try:
                return Decoded(data.decode(name), name)
            except UnicodeDecodeError as error:
                raise _unreadable(
                    f"The file says that it is {name.removesuffix('-sig').upper()}, but byte {error.start + 1:,} "
                    "does not fit. Save it again as UTF-8."
                ) from error
    if wide := _utf16_without_mark(data):
        return Decoded(data.decode(wide), wide, [_guessed(wide, "no byte order mark")])
    _refuse_binary(data)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, error)


def check_charset(encoding: str) -> str:
    """Python's name of a charset that a person named. Raises Invalid, with one that they may have meant."""
    known = None
    if len(encoding) <= _NAME_CHARACTERS:
        with suppress(LookupError, ValueError):
            known = codecs.lookup(encoding).name
    if known in CHARSETS:
        return known
    near = difflib.get_close_matches(encoding[:_NAME_CHARACTERS].lower(), sorted(CHARSETS), 1)
    meant = f"did you mean {near[0]}? Others are" if near else "use"
    raise Invalid(
        f"reading.encoding: {clipped(encoding, _NAME_CHARACTERS)!r} is no charset that is read; "
        f"{meant} utf-8, cp1252 or utf-16."
    )


def _decode_as(data: bytes, encoding: str) -> Decoded:
    """The text in the encoding that a person named."""
    name = check_charset(encoding)
    try:
        text = data.decode(name)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        line = data.count(b"\n", 0, start) + 1
        raise Invalid(
            f"reading.encoding: the bytes do not fit {encoding} (line {line}, byte {start + 1:,}). "
            "Choose another encoding, or leave it out."
        ) from error
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise Invalid(f"reading.encoding: read as {encoding}, line {line} holds a NUL character. Choose another.")
    return Decoded(text.removeprefix("\ufeff"), encoding)


def _utf16_without_mark(data: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` when every other byte is often NUL and the whole decodes to text."""
    head = data[:4096]
    if len(data) < 4 or len(data) % 2 or b"\x00" not in head:
        return None
    half = len(head) / 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > _UTF16_NUL_SHARE * half and others < 0.02 * half:
            try:
                text = data.decode(name)
            except UnicodeDecodeError:
                continue
            if "\x00" not in text:
                return name
    return None


def _refuse_binary(data: bytes) -> None:
    """Raises Unreadable for NUL bytes and for what is mostly control characters."""
    nul = data.find(b"\x00")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise _unreadable(
            f"This is not text: there is a NUL byte in line {line}. Save the table as CSV (UTF-8) or XLSX.",
            [{"row": line, "column": None, "value": None, "text": "a NUL byte"}],
        )
    controls = len(_CONTROLS.findall(data[:100_000]))
    if controls > _CONTROL_SHARE * min(len(data), 100_000):
        raise _unreadable("This is not text but binary data. Save the table as CSV (UTF-8) or XLSX and upload that.")


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> Decoded:
    """Windows-1252, or UTF-8 with a few broken characters; always with a note."""
    line = data.count(b"\n", 0, error.start) + 1
    patched = data.decode("utf-8", errors="replace")
    broken = patched.count("\ufffd")
    sound = sum(1 for character in patched if character > "\x7f") - broken
    if sound and broken <= _DAMAGE_SHARE * sound:
        lines = [number for number, text in enumerate(patched.split("\n"), 1) if "\ufffd" in text]
        text = (
            f"Read as UTF-8, though {broken} character{'s' if broken > 1 else ''} could not be read "
            f"(first in line {lines[0]}); they show as \ufffd."
        )
        return Decoded(patched, "utf-8", [Note("encoding_guessed", "warning", text, rows=lines[:20])])
    try:
        return Decoded(data.decode("cp1252"), "cp1252", [_guessed("cp1252", f"line {line} is not UTF-8")])
    except UnicodeDecodeError as other:
        wrong = data.count(b"\n", 0, other.start) + 1
        raise _unreadable(
            f"The letters cannot be read: the text is neither UTF-8 (line {line}) nor Windows-1252 (line {wrong}). "
            "Choose its encoding, or save it as UTF-8.",
            [{"row": wrong, "column": None, "value": f"byte 0x{data[other.start]:02x}", "text": "not Windows-1252"}],
        ) from other


def _guessed(encoding: str, why: str) -> Note:
    name = {"cp1252": "Windows-1252"}.get(encoding, encoding.upper())
    return Note(
        "encoding_guessed", "info", f"Read as {name} ({why}). Look at the accented letters; change it if wrong."
    )


def _unreadable(detail: str, lines: list[dict[str, object]] | None = None) -> Unreadable:
    return Unreadable(detail, lines=lines or [])
