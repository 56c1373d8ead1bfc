"""Backslashes: the end of a Windows path, or an escape of the quote after it; whichever reading agrees with itself."""

import pytest

from agents_app import intake


def codes(table: intake.Table) -> list[str]:
    return [note.code for note in table.notes]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('name,val\n"C:\\dir\\",1\n"D:\\x\\",2\n"E:\\",3\n', ["C:\\dir\\", "D:\\x\\", "E:\\"]),
        ('name,val\n"plain",1\n"E:\\",3\n"x",5\n"y",7\n', ["plain", "E:\\", "x", "y"]),
        ('name,val\n"E:\\",1\n"say ""hi""",2\n', ["E:\\", 'say "hi"']),
        ('name;val\n"E:\\";1\n"F:\\";2\n', ["E:\\", "F:\\"]),
        ('name,val\nplain,1\n"two\nlines\\",2\n', ["plain", "two\nlines\\"]),
    ],
)
def test_a_cell_may_end_in_a_backslash(text, values):
    table = intake.read(text.encode())
    assert [" ".join(cell.split()) for cell in table.frame["name"]] == [" ".join(cell.split()) for cell in values]
    assert len(table.frame["val"].dropna()) == len(values)
    assert "backslash_escapes" not in codes(table)


def test_a_name_may_end_in_a_backslash():
    table = intake.read(b'"a\\","b"\n1,2\n3,4\n')
    assert [column.name for column in table.columns] == ["a\\", "b"]
    assert table.frame["b"].tolist() == [2, 4]


@pytest.mark.parametrize(
    "text",
    [
        'name,val\n"say \\"hi\\"",2\n"plain",3\n"a \\"b\\", c",4\n',
        'name,val\n"say \\"hi\\"",2\n"",3\n"a \\"b\\", c",4\n',
        'name;val\n"say \\"hi\\"";2\n"x";3\n"a \\"b\\"; c";4\n',
    ],
)
def test_escaped_quotes_are_read_and_said(text):
    table = intake.read(text.encode())
    assert table.frame["name"].iloc[0] == 'say "hi"'
    assert table.frame["name"].iloc[2].startswith('a "b"')
    assert table.frame["val"].tolist() == [2, 3, 4]
    note = next(note for note in table.notes if note.code == "backslash_escapes")
    assert note.rows == [2, 4]


def test_an_escaped_quote_far_down_is_seen():
    rows = "".join(f'"word {number}",{number}\n' for number in range(500))
    table = intake.read(f'name,val\n{rows}"say \\"hi\\", he said",500\n'.encode())
    assert table.rows == 501
    assert table.frame["name"].iloc[500] == 'say "hi", he said'
    assert "backslash_escapes" in codes(table)


def test_escaped_quotes_below_a_title_are_read():
    table = intake.read(b'What they said\n\nname,val\n"say \\"hi\\", he said",2\n"plain",3\n"x \\"y\\"",4\n')
    assert table.frame["name"].tolist() == ['say "hi", he said', "plain", 'x "y"']
