"""Files on disk: suffixes, encodings, and writing whole or not at all."""

import os
from pathlib import Path

import pytest

from gyrostat.errors import ModelFileError
from gyrostat.model.documents import read_document, write_document

DATA = {"gyrostat": 1, "name": "Ω"}


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json", ".YAML", ".Json"])
def test_suffixes(tmp_path, suffix):
    path = tmp_path / f"m{suffix}"
    write_document(path, DATA)
    assert read_document(path).data == DATA
    assert read_document(str(path)).name == str(path)
    assert path.read_bytes().decode("utf-8").endswith("\n")


@pytest.mark.parametrize("suffix", ["", ".txt", ".xml", ".yaml~"])
def test_other_suffixes_are_refused(tmp_path, suffix):
    path = tmp_path / f"m{suffix}"
    path.write_text("gyrostat: 1")
    message = rf"the suffix '{suffix}' is not that of a model file\. Use \.yaml, \.yml or \.json\."
    with pytest.raises(ModelFileError, match=message):
        read_document(path)
    with pytest.raises(ModelFileError, match=message):
        write_document(path, DATA)
    assert path.read_text() == "gyrostat: 1"


def test_what_is_no_file(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    for path, fact in {
        tmp_path / "none.yaml": "there is no such file. Check the path.",
        tmp_path / "folder.yaml": "this is not a file. Check the path.",
        tmp_path / "a\0b.yaml": "there is no such file.",
        tmp_path / "none" / "m.yaml": "there is no such file.",
    }.items():
        with pytest.raises(ModelFileError) as error:
            read_document(path)
        assert fact in str(error.value)


def test_a_path_that_no_system_takes(tmp_path):
    with pytest.raises(ModelFileError, match=r"(cannot be read: File name too long|there is no such file)"):
        read_document(tmp_path / ("x" * 300 + ".yaml"))


@pytest.mark.parametrize("content", ["name: Ω".encode("utf-16"), b"name: \xff", b"name: \xed\xa0\x80", b"\x80"])
def test_what_is_not_utf_8(tmp_path, content):
    path = tmp_path / "m.yaml"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"the file is not UTF-8 text \(byte \d\)\. Save it as UTF-8\."):
        read_document(path)


def test_what_is_too_large(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_bytes(b"#" * 8_000_001)
    with pytest.raises(ModelFileError, match=r"the file has more than 8,000,000 bytes\. Model files are much smaller"):
        read_document(path)


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    path = tmp_path / "m.yaml"
    path.write_text("a: 1")

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(
        ModelFileError, match=r"the file cannot be read: Permission denied\. Check the path and its perm"
    ):
        read_document(path)


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"m.{suffix}"
    write_document(path, DATA)
    before = path.read_bytes()

    def refuse(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(
        ModelFileError, match=rf"m\.{suffix} cannot be written: No space left on device\. Check the folder"
    ):
        write_document(path, {"gyrostat": 1, "name": "new"})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_data_that_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "m.json"
    write_document(path, DATA)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_document(path, {"a": float("inf")})
    assert read_document(path).data == DATA
    assert list(tmp_path.iterdir()) == [path]


def test_targets_that_cannot_be_written(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    for path in (tmp_path / "folder.yaml", tmp_path / "none" / "m.yaml"):
        with pytest.raises(ModelFileError, match=r"cannot be written: .*\. Check the folder and its permissions\."):
            write_document(path, DATA)
    assert [p.name for p in tmp_path.iterdir()] == ["folder.yaml"]


def test_readers_never_see_half_a_file(tmp_path, monkeypatch):
    """The new text is complete under another name before it takes the old one's place."""
    path = tmp_path / "m.yaml"
    write_document(path, DATA)
    seen = []
    replace = os.replace

    def watch(source, target):
        seen.append((read_document(path).data["name"], Path(source).read_text(encoding="utf-8"), Path(source).parent))
        replace(source, target)

    monkeypatch.setattr(os, "replace", watch)
    write_document(path, {"gyrostat": 1, "name": "new"})
    assert seen == [("Ω", "gyrostat: 1\nname: new\n", tmp_path)]
    assert read_document(path).data["name"] == "new"
