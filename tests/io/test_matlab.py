"""Functions of MATLAB: their text, read by a small translator of what they use, gives the numbers of the package."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported_models import MODELS
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app

ALL = ("mass_matrix", "energy", "poses", "inverse_dynamics", "constraints")


class Column:
    """A vector that is called with places from one, as MATLAB's are."""

    def __init__(self, values: Any) -> None:
        self.values = list(values)

    def __call__(self, place: int) -> float:
        assert place >= 1
        return float(self.values[place - 1])


FUNCTIONS = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "hypot", "atan2", "tanh")},
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda x: (x > 0) - (x < 0),
    "realpow": math.pow,
    "rem": math.fmod,
    "choose": lambda condition, yes, no: yes if condition else no,
}


def python(text: str) -> str:
    """Return an expression of MATLAB in Python; an array becomes a list of rows."""
    assert not re.search(r"!=|\*\*|\bif\b", text)
    found = text.replace("~=", "!=").replace("&&", " and ").replace("||", " or ")
    if found.startswith("zeros("):
        return "[]"
    if found.startswith("["):
        rows = found[1:-1].split("; ")
        return f"[{', '.join(f'[{row}]' for row in rows)}]"
    return found


def called(path: Path, *arguments: Any) -> dict[str, Any]:
    """Run a function file and return its outputs."""
    lines = path.read_text(encoding="utf-8").split("\n")
    head = re.fullmatch(r"function \[(.*)\] = (\w+)\((.*)\)", lines[0])
    assert head is not None
    assert head[2] == path.stem
    names = [name for name in head[3].split(", ") if name]
    given = [value if name == "t" else Column(value) for name, value in zip(names, arguments, strict=True)]
    scope: dict[str, Any] = {**FUNCTIONS, **dict(zip(names, given, strict=True))}
    for line in lines[1 : lines.index("end")]:
        if not line.startswith("%"):
            name, _, text = line.removesuffix(";").partition(" = ")
            scope[name] = eval(python(text), {"__builtins__": {}}, scope)
    return {name.removesuffix("_"): np.array(scope[name], float) for name in head[1].split(", ")}


@pytest.mark.parametrize("name", MODELS)
def test_numbers_are_those_of_the_package(name: str, tmp_path: Path) -> None:
    system = gs.formulate(MODELS[name]())
    paths = {path.stem.partition("_")[2]: path for path in gs.export_matlab(system, tmp_path, name="m", functions=ALL)}
    start = called(paths["initial"])
    q, u, z = (start[part].ravel() for part in ("q", "u", "z"))
    parameters = start["parameters"].ravel()
    u = u + 0.3
    inputs = [0.7] * len(system.inputs)
    given = {"q": q, "u": u, "z": z, "parameters": parameters, "inputs": inputs, "t": 0.2}
    head = paths["rates"].read_text().split("\n")[0]
    names = head[head.index("(") + 1 : head.rindex(")")].split(", ")
    found = called(paths["rates"], *(given[name] for name in names))
    expected = system.forward_dynamics(
        q, u, z=z if len(z) else None, t=0.2, inputs=dict(zip(system.inputs, inputs, strict=True))
    )
    np.testing.assert_allclose(found["udot"].ravel(), expected, rtol=1e-9, atol=1e-9)
    head = paths["mass_matrix"].read_text().split("\n")[0]
    names = head[head.index("(") + 1 : head.rindex(")")].split(", ")
    M = called(paths["mass_matrix"], *(given[name] for name in names))["mass_matrix"]
    np.testing.assert_allclose(M, system.mass_matrix(q), rtol=1e-12)


def test_command_line(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "double_pendulum.yaml"
    call = ["export", str(example), "--to", "matlab", "--out", str(tmp_path / "functions"), "--name", "pendulum"]
    assert CliRunner().invoke(app, call).exit_code == 0
    text = (tmp_path / "functions" / "pendulum_rates.m").read_text()
    assert text.startswith("function [qdot_, udot_] = pendulum_rates(")
    assert "SI units and radians." in text
