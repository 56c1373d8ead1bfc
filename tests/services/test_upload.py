"""A table is kept whole or not at all, and can be read again."""

from pathlib import Path

import pytest
from django.core.files.storage import default_storage

from agents_app.models import Dataset
from agents_app.refusals import Invalid, Unreadable
from agents_app.selectors import file_bytes
from agents_app.services.names import clean_name
from agents_app.services.upload import merge_columns, merge_reading, reread, upload

GERMAN = "Ort;Menge;Tag\nKöln;1,5;03.04.2024\nBonn;2,5;04.05.2024\n"


def files() -> list[Path]:
    """Every stored file."""
    root = Path(default_storage.location)
    return [path for path in root.rglob("*") if path.is_file()] if root.exists() else []


def test_the_bytes_are_kept_as_they_came_and_the_canonical_table_beside_them(alice):
    data = GERMAN.encode("cp1252")
    dataset = upload(alice, data=data, how="upload", file_name="orte.csv")
    assert file_bytes(dataset.original) == data
    assert file_bytes(dataset.canonical).decode().splitlines()[1].startswith("Köln,1.5,2024-04-03")
    assert (dataset.name, dataset.rows, dataset.bytes) == ("orte", 2, len(data))
    assert dataset.preview["rows"][0] == ["Köln", 1.5, "2024-04-03"]


def test_a_row_that_can_not_be_written_leaves_no_file(alice, monkeypatch):
    def broken(self, *args, **kwargs):
        raise RuntimeError("the database is away")

    monkeypatch.setattr(Dataset, "save", broken)
    with pytest.raises(RuntimeError):
        upload(alice, data=GERMAN.encode(), how="paste")
    assert files() == []


def test_a_table_that_can_not_be_read_leaves_nothing(alice):
    with pytest.raises(Unreadable):
        upload(alice, data=b"", how="paste")
    assert files() == []
    assert not Dataset.objects.exists()


def test_who_looks_at_the_columns_first_may_refuse_them(alice):
    def refuse(columns):
        assert [column["name"] for column in columns] == ["Ort", "Menge", "Tag"]
        raise Invalid("not these.")

    with pytest.raises(Invalid, match="not these"):
        upload(alice, data=GERMAN.encode(), how="paste", accept=refuse)
    assert files() == []


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\temp\\a b.csv", "a b.csv"),
        ("x" * 400 + ".csv", "x" * 251 + ".csv"),
    ],
)
def test_a_files_name_is_a_name_and_never_a_path(alice, given, stored):
    dataset = upload(alice, data=GERMAN.encode(), how="upload", file_name=given)
    assert dataset.file_name == stored
    assert all(str(dataset.id) in path.name for path in files()), "on disk the names are ours"


def test_reading_again_keeps_earlier_choices_and_can_take_them_back(alice, django_capture_on_commit_callbacks):
    dataset = upload(alice, data=GERMAN.encode(), how="paste", columns=[{"name": "Ort", "rename": "Stadt"}])
    with django_capture_on_commit_callbacks(execute=True):
        reread(dataset, reading={"date_order": "MDY"})
    dataset.refresh_from_db()
    assert [column["name"] for column in dataset.columns] == ["Stadt", "Menge", "Tag"]
    assert file_bytes(dataset.canonical).decode().splitlines()[1] == "Köln,1.5,2024-03-04"
    assert len(files()) == 2, "the old canonical file is gone"

    reread(dataset, reading={"date_order": None}, columns=[{"name": "Stadt", "rename": None}])
    assert dataset.overrides == {"reading": {}, "columns": []}
    assert [column["name"] for column in dataset.columns] == ["Ort", "Menge", "Tag"]


def test_a_choice_of_columns_that_fits_no_more_is_dropped_with_another_reading(alice):
    dataset = upload(alice, data=GERMAN.encode(), how="paste", columns=[{"name": "Menge", "type": "text"}])
    reread(dataset, reading={"delimiter": ","})
    assert "Menge" not in [column["name"] for column in dataset.columns]
    assert dataset.overrides == {"reading": {"delimiter": ","}, "columns": []}


def test_a_new_name_alone_reads_nothing_again(alice):
    dataset = upload(alice, data=GERMAN.encode(), how="paste")
    default_storage.delete(dataset.original.name)
    assert reread(dataset, name="Orte").name == "Orte"


def test_overrides_of_columns_follow_a_column_through_its_names():
    first = merge_columns([], [{"name": "a", "rename": "b"}, {"name": "c", "type": "text"}])
    second = merge_columns(first, [{"name": "b", "type": "date"}, {"name": "c", "type": None}, {"name": "d"}])
    assert second == [{"name": "a", "rename": "b", "type": "date"}]
    assert merge_columns(second, [{"name": "a", "rename": "z"}]) == [{"name": "a", "rename": "z", "type": "date"}]
    assert merge_reading({"delimiter": ";"}, {"delimiter": None, "decimal": ","}) == {"decimal": ","}


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        (" two\nlines ", "two lines"),
        ("", "other"),
        ("\u200b\u202e", "other"),
        ("x" * 200, "x" * 120),
        ("Köln 🐧", "Köln 🐧"),
    ],
)
def test_a_name_is_one_printable_line(name, clean):
    assert clean_name(name, otherwise="other") == clean
