"""Model files that use other files: relative paths, what may not be read, circles, limits, messages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.documents import read_yaml
from gyrostat.model.model_file import model_to_plain, read_model
from gyrostat.model.subsystems import inclusion, used_model

WHEEL = """\
gyrostat: 1
name: wheel
parameters: {m: 2}
bodies: {rim: {mass: m, inertia: [1, 1, 1], points: {pin: [0, 0, 0.1]}}}
joints: {axle: {type: Revolute, parent: ground, child: rim}}
"""
HEAD = "gyrostat: 1\nname: car\n"


def use(*paths: str) -> str:
    entries = "".join(f"  s{i}: {{use: {path!r}}}\n" for i, path in enumerate(paths))
    return f"{HEAD}subsystems:\n{entries}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "models"
    (inner / "parts").mkdir(parents=True)
    (inner / "parts" / "wheel.yaml").write_text(WHEEL)
    (tmp_path / "secret.yaml").write_text(WHEEL)
    return inner


def message(file: Path) -> str:
    with pytest.raises(ModelError) as error:
        gs.Model.load(file)
    return str(error.value)


def test_the_same_file_twice_and_in_its_own_words(folder):
    text = (
        f"{HEAD}parameters: {{m_wheel: 7}}\nsubsystems:\n"
        "  left: {use: parts/wheel.yaml, parameters: {m: m_wheel}}\n"
        "  right: {use: parts/wheel.yaml, at: left.rim.pin}\n"
    )
    (folder / "car.yaml").write_text(text)
    model = gs.Model.load(folder / "car.yaml")
    frozen = model.freeze()
    assert list(frozen.joints) == ["left.axle", "right.axle"]
    assert frozen.values() == {"m_wheel": 7, "left.m": 7, "right.m": 2}
    assert str(frozen["right.axle"].parent) == "left.rim.pin"
    model.save(folder / "again.yaml")
    assert "{use: parts/wheel.yaml, parameters: {m: m_wheel}}" in (folder / "again.yaml").read_text()
    assert gs.Model.load(folder / "again.yaml") == model


def test_paths_are_relative_to_the_file_that_uses_them(folder):
    (folder / "parts" / "axle.yaml").write_text(use("wheel.yaml", "./wheel.yaml"))
    (folder / "bed.yaml").write_text(use("parts/wheel.yaml"))
    (folder / "parts" / "cab.yaml").write_text(use("../bed.yaml"))
    (folder / "car.yaml").write_text(use("parts/axle.yaml", "parts/cab.yaml"))
    assert list(gs.Model.load(folder / "car.yaml").freeze().joints) == ["s0.s0.axle", "s0.s1.axle", "s1.s0.s0.axle"]
    assert "leads out of the folder of the outermost model file" in message(folder / "parts" / "cab.yaml")


def test_a_copy_elsewhere_has_its_parts_within(folder, tmp_path):
    (folder / "car.yaml").write_text(use("parts/wheel.yaml"))
    model = gs.Model.load(folder / "car.yaml")
    (tmp_path / "elsewhere").mkdir()
    model.save(tmp_path / "elsewhere" / "car.yaml")
    (folder / "parts" / "wheel.yaml").unlink()
    again = gs.Model.load(tmp_path / "elsewhere" / "car.yaml")
    assert again == model
    assert again.freeze().components == model.freeze().components


def test_plain_data_are_complete(folder):
    (folder / "car.yaml").write_text(use("parts/wheel.yaml"))
    plain = model_to_plain(gs.Model.load(folder / "car.yaml").freeze())
    assert plain["subsystems"]["s0"]["use"]["name"] == "wheel"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("../secret.yaml", "'../secret.yaml' leads out of the folder of the outermost model file. Models use files in"),
        ("parts/../../secret.yaml", "leads out of the folder of the outermost model file."),
        ("link.yaml", "'link.yaml' leads out of the folder of the outermost model file."),
        ("linked/secret.yaml", "leads out of the folder of the outermost model file."),
        ("/etc/passwd", "'/etc/passwd' is an absolute path, or has backslashes. Write a path relative to this model"),
        ("//host/share/wheel.yaml", "is a network address or a drive."),
        ("\\\\host\\wheel.yaml", "is a network address or a drive."),
        ("parts\\wheel.yaml", "is an absolute path, or has backslashes."),
        ("c:/wheel.yaml", "is an absolute path, or has backslashes."),
        ("https://example.org/wheel.yaml", "'https://example.org/wheel.yaml' is a network address or a drive."),
        ("file:///etc/passwd", "is a network address or a drive."),
        ("parts/absent.yaml", "in absent.yaml: there is no such file. Check the path."),
        ("parts", "in parts: the suffix '' is not that of a model file. Use .yaml, .yml or .json."),
        ("", "the suffix '' is not that of a model file."),
        ("parts/wheel.yaml/../wheel.yaml", None),
        ("a" * 5000 + ".yaml", f"in {'a' * 80}: the file cannot be read: File name too long."),
        ("car.yaml", "files use each other in a circle: car.yaml → car.yaml. Take one of the uses out."),
        ("parts/cab.yaml", "files use each other in a circle: car.yaml → cab.yaml → car.yaml."),
    ],
)
def test_files_that_may_not_be_used(folder, tmp_path, path, text):
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "linked").symlink_to(tmp_path)
    (folder / "parts" / "cab.yaml").write_text(use("../car.yaml"))
    (folder / "car.yaml").write_text(use(path))
    if text is None:
        assert gs.Model.load(folder / "car.yaml").freeze().joints
        return
    found = message(folder / "car.yaml")
    assert "line 4, column 13: subsystem 's0', use: " in found
    assert text in found


def test_control_characters_in_a_path(folder):
    (folder / "car.json").write_text('{"gyrostat": 1, "name": "x", "subsystems": {"s": {"use": "a\\u0000b.yaml"}}}')
    assert "'a\\x00b.yaml' is not the path of a file." in message(folder / "car.json")


def test_faults_in_a_used_file_have_its_name_and_lines(folder):
    (folder / "parts" / "wheel.yaml").write_text(WHEEL.replace("mass: m", "mas: m"))
    (folder / "car.yaml").write_text(use("parts/wheel.yaml", "parts/wheel.yaml"))
    found = message(folder / "car.yaml").splitlines()
    assert found[1].startswith(
        "  line 4, column 13: subsystem 's0', use: in wheel.yaml: line 4, column 21: body 'rim', mas: is not a field"
    )
    [again] = [line for line in found if "subsystem 's1'" in line]
    assert again.endswith("in wheel.yaml: there are faults, which its first use has. Correct them.")


def test_a_faulty_file_is_read_once(folder):
    (folder / "m19.yaml").write_text(WHEEL.replace("mass: m", "mas: m"))
    for k in range(19):
        (folder / f"m{k}.yaml").write_text(use(f"m{k + 1}.yaml", f"m{k + 1}.yaml"))
    found = message(folder / "m0.yaml").splitlines()
    assert len(found) < 50
    assert "subsystem 's0', use: in m1.yaml: " in found[1], "where the way to the fault begins"
    assert "in m19.yaml: line 4, column 21: body 'rim', mas: is not a field" in found[1], "the fault at its end"


def test_a_model_within_the_entry_has_positions(folder):
    (folder / "car.yaml").write_text(
        f"{HEAD}subsystems:\n  s:\n    use:\n      gyrostat: 1\n      name: x\n      bodies: {{b: {{mas: 1}}}}\n"
    )
    assert "subsystem 's', use: line 8, column 25: body 'b', mas: is not a field here." in message(folder / "car.yaml")


@pytest.mark.parametrize("entry", ["{use: 3}", "{}", "3", "{use: parts/wheel.yaml, colour: red}", "{use: [a]}"])
def test_entries_that_are_no_subsystems(folder, entry):
    (folder / "car.yaml").write_text(f"{HEAD}subsystems: {{s: {entry}}}\n")
    assert "subsystem 's'" in message(folder / "car.yaml")


def test_a_text_that_is_no_file_uses_none():
    [fault] = read_model(read_yaml(use("parts/wheel.yaml"))).faults
    assert fault.fact == "the model is not in a file, so it cannot use others."


@pytest.mark.parametrize(
    ("limit", "value", "text"),
    [
        ("NESTING_LIMIT", 2, "more than 2 files use each other in a row. Nest fewer."),
        ("FILE_LIMIT", 2, "the model uses more than 2 files. Use fewer."),
        ("BYTE_LIMIT", 200, "the files of the model have more than 200 bytes together. Use smaller ones."),
    ],
)
def test_limits(folder, monkeypatch, limit, value, text):
    for k in range(4):
        (folder / f"m{k}.yaml").write_text(use(f"m{k + 1}.yaml"))
    (folder / "m4.yaml").write_text(WHEEL)
    (folder / "flat.yaml").write_text(use("parts/wheel.yaml", "parts/wheel.yaml", "m4.yaml", "m3.yaml"))
    monkeypatch.setattr(inclusion, limit, value)
    assert text in message(folder / ("flat.yaml" if limit == "FILE_LIMIT" else "m0.yaml"))
    monkeypatch.undo()
    assert gs.Model.load(folder / "m0.yaml").freeze().joints


def test_files_that_double_are_refused(folder, monkeypatch):
    monkeypatch.setattr(used_model, "INSTANCE_LIMIT", 100)
    (folder / "m19.yaml").write_text(WHEEL)
    for k in range(19):
        (folder / f"m{k}.yaml").write_text(use(f"m{k + 1}.yaml", f"m{k + 1}.yaml"))
    assert "it has more than 100 subsystems" in message(folder / "m0.yaml")


def test_python_paths_are_those_of_the_working_directory(folder, monkeypatch):
    monkeypatch.chdir(folder)
    model = gs.Model("car")
    model.add(gs.Subsystem("left", "parts/wheel.yaml"))
    model.add(gs.Subsystem("right", Path("parts") / "wheel.yaml"))
    model.save("car.yaml")
    assert "use: parts/wheel.yaml" in (folder / "car.yaml").read_text()
    os.chdir(folder.parent)
    assert gs.Model.load("models/car.yaml") == model
