"""Inputs as components: their laws are read, written and checked like all else in a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import gyrostat as gs
from gyrostat.model.model_file import model_schema, model_to_plain

HEAD = "gyrostat: 1\nname: m\nbodies: {b: {mass: 1}}\njoints: {x: {type: Prismatic, parent: ground, child: b}}\n"
EXAMPLES = Path(__file__).parents[2] / "examples"
ROAD = "t; height ;other\n0;0.1;7\n0.5;0.3;7\n\n2;-0.2;7\n"
EXPECTED = gs.Table([0, 0.5, 2], [0.1, 0.3, -0.2])


def _load(folder: Path, law: str) -> gs.Model:
    (folder / "model.yaml").write_text(f"{HEAD}inputs: {{h: {{unit: m, law: {law}}}}}\n")
    return gs.Model.load(folder / "model.yaml")


@pytest.mark.parametrize(
    "law",
    [3, "2*sin(t)", EXPECTED, ([0, 0.5, 2], [0.1, 0.3, -0.2]), gs.Table([0, 1], [0, 1], gs.Interpolation.CUBIC)],
)
def test_laws_round_trip(law: Any, tmp_path: Path) -> None:
    model = gs.Model("m")
    model.add(gs.Input("h", unit="m", description="height of the road", law=law))
    model.save(tmp_path / "m.json")
    assert gs.Model.load(tmp_path / "m.json") == model
    jsonschema.validate(json.loads(json.dumps(model_to_plain(model))), model_schema())
    assert gs.Input("h", law=law) != gs.Input("h", law=4)


def test_a_column_of_a_csv_file_is_found_beside_the_model_file(tmp_path: Path) -> None:
    (tmp_path / "road.csv").write_text(ROAD)
    model = _load(tmp_path, "{table: road.csv, time: t, value: height}")
    assert model.input_laws == {"h": EXPECTED}
    (tmp_path / "elsewhere").mkdir()
    model.save(tmp_path / "elsewhere" / "model.yaml")  # the numbers are written, so that the file needs no other
    assert gs.Model.load(tmp_path / "elsewhere" / "model.yaml") == model
    by_hand = gs.Table.from_csv(tmp_path / "road.csv", time="t", value="other", interpolation="previous")
    np.testing.assert_array_equal(by_hand.values, 7)
    schema = model_schema()["properties"]["inputs"]["additionalProperties"]["properties"]["law"]
    jsonschema.validate(
        {"table": "road.csv", "time": "t", "value": "height"},
        {**model_schema(), "anyOf": [schema]} | {"required": [], "properties": {}, "additionalProperties": True},
    )


def test_comments_stand_before_the_names_of_columns(tmp_path: Path) -> None:
    (tmp_path / "road.csv").write_text("# measured at 20 °C\n#, ;\nt,height\n0,1\n1,x\n")
    with pytest.raises(gs.StateError, match=r"road.csv', line 5, has 'x' in column 'height'"):
        gs.Table.from_csv(tmp_path / "road.csv", time="t", value="height")
    (tmp_path / "road.csv").write_text("# nothing else\n")
    with pytest.raises(gs.StateError, match=r"road.csv' is empty"):
        gs.Table.from_csv(tmp_path / "road.csv", time="t", value="height")


def test_the_road_of_the_examples_is_what_its_comments_say() -> None:
    table = gs.Table.from_csv(EXAMPLES / "road_class_b.csv", time="t", value="height")
    n = 0.01 * np.arange(1, 201)
    phases = np.random.default_rng(8608).uniform(0, 2 * np.pi, 200)
    sizes = np.sqrt(2 * 64e-6 * (n / 0.1) ** -2 * 0.01)
    heights = np.cos(2 * np.pi * np.outer(20 * table.times, n) + phases) @ sizes
    np.testing.assert_allclose(table.values, heights - heights[0], atol=6e-6)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ("{table: raod.csv, time: t, value: height}", r"the table .*raod.csv' cannot be read: No such file"),
        ("{table: road.csv, time: t, value: hight}", r"has no column 'hight'. Did you mean 'height'"),
        ("{table: road.csv, time: t}", r"input 'h', law: 'value' of the table is missing. Write \{table: file.csv"),
        ("{table: road.csv, time: t, value: 3}", "does not name a file and its columns. Write {table"),
        ("{table: road.csv, time: t, valu: height}", "input 'h', law.valu: is not a field of a table. Did you mean"),
        ("{table: bad.csv, time: t, value: y}", r"bad.csv', line 3, has 'x' in column 'y'. Give a finite number"),
        ("{table: short.csv, time: t, value: y}", r"short.csv', line 2, has '' in column 'y'"),
        ("{table: empty.csv, time: t, value: y}", r"empty.csv' is empty. Its first line has the names"),
        ("{table: bytes.csv, time: t, value: y}", r"bytes.csv' is not UTF-8 text"),
        ("{times: [0, 1], values: [0]}", "a table has times of shape"),
        ("{times: [0, a], values: [0, 1]}", "is not a table of numbers. Write {table"),
        ("{times: [1, 0], values: [0, 1]}", "a table's times must rise"),
        ("{times: [0, 1], values: [0, 1], interpolation: sine}", "a table's interpolation is 'sine'"),
        ("2*speed", r"2\*speed refers to 'speed', which is not known here"),
        ("[1, 2, 3]", "is not a number or a formula"),
    ],
)
def test_faulty_laws_are_explained(law: str, message: str, tmp_path: Path) -> None:
    for name, text in {"road": ROAD, "bad": "t,y\n0,1\n1,x\n", "short": "t,y\n0\n", "empty": ""}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00t")
    with pytest.raises(gs.ModelError, match=message):
        _load(tmp_path, law).check()


def test_an_input_has_a_name_of_its_own() -> None:
    model = gs.Model("m", parameters={"k": 1})
    with pytest.raises(gs.ModelError, match="input 'k': a parameter has the same name"):
        model.add(gs.Input("k"))
    with pytest.raises(gs.ModelError, match="input 't': 't' is a reserved word"):
        model.add(gs.Input("t"))
    model.add(gs.Input("h"))
    with pytest.raises(gs.ModelError, match="body 'h': the name is taken by another input"):
        model.add(gs.Body("h", mass=1))
    assert str(model) == "Model 'm': 0 bodies, 0 joints, 0 forces, 1 input, 1 parameter"
