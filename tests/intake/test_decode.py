"""Encodings: marks, guesses, and what is no text."""

import pytest

from agents_app import intake
from agents_app.refusals import Invalid, Unreadable

TEXT = "Stadt;Größe\nKöln;405,2\nMünchen;310,7\n"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_text_is_read_in_its_encoding(encoding, shown):
    table = intake.read(TEXT.encode(encoding))
    assert table.reading.encoding == shown
    assert [column.name for column in table.columns] == ["Stadt", "Größe"]
    assert table.frame["Größe"].tolist() == [405.2, 310.7]


def test_a_guessed_encoding_is_said():
    notes = intake.read(TEXT.encode("cp1252")).notes
    assert [note.code for note in notes] == ["encoding_guessed"]
    assert "Windows-1252" in notes[0].text


def test_a_few_broken_characters_do_not_turn_the_whole_text_into_another_encoding():
    rows = "".join(f"Köln{index};{index}\n" for index in range(30))
    data = ("Stadt;Wert\n" + rows).encode() + b"M\xfcnchen;7\n"
    table = intake.read(data)
    assert table.reading.encoding == "utf-8"
    assert table.frame["Stadt"].iloc[0] == "Köln0"
    assert table.notes[0].code == "encoding_guessed"
    assert table.notes[0].severity == "warning"
    assert table.notes[0].rows == [32]


def test_a_person_may_name_the_encoding():
    data = "город;цена\nМосква;10\nТомск;20\n".encode("cp1251")
    table = intake.read(data, reading={"encoding": "cp1251"})
    assert [column.name for column in table.columns] == ["город", "цена"]


def test_an_encoding_that_does_not_fit_names_the_line():
    with pytest.raises(Invalid, match=r"reading\.encoding.*line 1"):
        intake.read(TEXT.encode("cp1252"), reading={"encoding": "utf-8"})


@pytest.mark.parametrize("name", ["klingon", "base64", "rot13", "idna\x00"])
def test_an_unknown_encoding_is_refused_with_its_place(name):
    with pytest.raises(Invalid, match=r"reading\.encoding"):
        intake.read(TEXT.encode(), reading={"encoding": name})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7\n1 0 obj", "PDF"),
        (b"\x89PNG\r\n\x1a\n0000", "PNG"),
        (b"\x1f\x8b\x08\x00abc", "gzip"),
        (b"PAR1\x15\x04\x15", "Parquet"),
        (bytes(range(1, 32)) * 40, "binary"),
        (b"a,b\n1,\x00\n", "NUL byte in line 2"),
        (b"PK\x03\x04broken", "damaged"),
    ],
)
def test_what_is_no_table_is_refused_with_a_way_out(data, words):
    with pytest.raises(Unreadable, match=words) as refusal:
        intake.read(data)
    assert any(verb in refusal.value.detail for verb in ("Save", "Copy", "Upload", "Unpack", "upload"))


def test_bytes_of_no_known_encoding_name_their_line():
    with pytest.raises(Unreadable) as refusal:
        intake.read(b"a,b\n1,2\n\x81\xff,3\n")
    assert refusal.value.extra["lines"][0]["row"] == 3


@pytest.mark.parametrize(
    "name", ["utf8", "UTF-8", "latin1", "iso-8859-15", "windows-1252", "cp850", "mac_roman", "macroman", "Latin-1"]
)
def test_charsets_are_known_by_their_other_names(name):
    table = intake.read("Stadt;Höhe\nKöln;1\nBonn;2\n".encode(name), reading={"encoding": name})
    assert [column.name for column in table.columns] == ["Stadt", "Höhe"]


@pytest.mark.parametrize("name", ["shift_jis", "cp932", "euc_jp", "iso2022_jp", "gb18030", "gbk", "big5", "utf-32-be"])
def test_charsets_of_east_asia_are_read(name):
    table = intake.read("東京,n\n京都,1\n大阪,2\n".encode(name), reading={"encoding": name})
    assert table.frame["東京"].tolist() == ["京都", "大阪"]


@pytest.mark.parametrize("name", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf-7", "hex", "mbcs"])
def test_codecs_that_are_no_charsets_are_refused(name):
    with pytest.raises(Invalid, match=r"reading\.encoding: .* is no charset that is read.*utf-8"):
        intake.read(b"a,b\n" + b"1,2\n" * 1000, reading={"encoding": name})


def test_a_near_miss_is_told_what_was_meant():
    with pytest.raises(Invalid, match="did you mean shift_jis"):
        intake.read(b"a,b\n1,2\n", reading={"encoding": "shift-jiss"})


@pytest.mark.parametrize(
    "reading", [{"encoding": "x" * 9000}, {"format": "x" * 9000}, {"delimiter": "x" * 9000}, {"x" * 9000: 1}]
)
def test_what_was_sent_is_not_said_back_at_length(reading):
    with pytest.raises(Invalid) as refusal:
        intake.read(b"a,b\n1,2\n", reading=reading)
    assert "x" * 41 not in refusal.value.detail


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (r'[{"a": "x", "b": 1}, {"a": "y\ud800", "b": 2}]', "Row 2"),
        (r'[{"a\udfff": "x", "b": 1}, {"a\udfff": "y", "b": 2}]', "Row 1"),
        (r'[["a", "b"], ["x", 1], ["\ude00", 2]]', "Row 3"),
    ],
)
def test_half_a_character_is_refused_with_its_row(text, row):
    with pytest.raises(Unreadable, match=f"{row} holds half a character") as refusal:
        intake.read(text.encode())
    (refusal.value.detail + str(refusal.value.extra)).encode()


def test_a_whole_character_in_two_escapes_is_read():
    table = intake.read(rb'[{"a": "\ud83d\ude00", "b": 1}, {"a": "y", "b": 2}]')
    assert table.frame["a"].tolist() == ["\U0001f600", "y"]


@pytest.mark.parametrize(
    "how",
    [
        {"columns": [{"name": "a", "rename": "\ud800"}]},
        {"columns": [{"name": "\ud800"}]},
        {"reading": {"missing_marks": ["\ud800"]}},
        {"reading": {"\ud800": 1}},
    ],
)
def test_half_a_character_in_a_wish_is_refused(how):
    with pytest.raises(Invalid, match="half a character") as refusal:
        intake.read(b"a,b\n1,2\n", **how)
    refusal.value.detail.encode()
