"""Stand-alone source code: Python, NumPy and C give the numbers of the traced engine."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import marked
from document_pendulum import document_pendulum
from recursive_models import MODELS, RANDOM, expected, recursive, state

import gyrostat as gs
from gyrostat.written.recursive_equations import RecursiveEquations

COMPILER = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (gcc, cc or clang) on the path")
HARD = (
    *("q", "u", "M", "forcing", "inputs", "parameters", "equations", "math", "np", "double", "fmin", "pow", "x1"),
    *("M_PI", "int", "q_", "j1", "y0", "gamma", "NAN", "double_"),
)
"""Names that mean something in a language, in the function that is written, or in a header."""


def hard_names() -> RecursiveEquations:
    name = 'na"me" */ with \\ signs'
    parameters = {"g": 9.81, **{word: 1.0 for word in HARD if word != "u"}}
    model = gs.Model(name, gravity=(0, "-g", 0), parameters=parameters)
    total = " + ".join(f"{i + 1}*{name}" for i, name in enumerate(HARD) if name != "u")
    model.add(gs.Body("bar", gs.rod("M", "q", along="y"), points={"top": (0, "q/2", 0)}))
    model.add(gs.Revolute("hinge", "ground", "bar.top", symbol="u"))
    model.add(gs.Torque("load", "bar", (0, 0, f"fmin*({total})")))
    model.add(gs.Actuator("restrict", "hinge"))
    return gs.formulate(model).recursive_equations()


def equations_named(name: str) -> RecursiveEquations:
    return hard_names() if name == "hard names" else recursive(name)


def run_python(source: str, at: dict[str, Any]) -> tuple[Any, Any]:
    scope: dict[str, Any] = {}
    exec(compile(source, "equations.py", "exec"), scope)
    return scope["equations"](at["t"], at["q"], at["u"], at["parameters"], at["inputs"])


@pytest.mark.parametrize("name", marked([*MODELS, "hard names"], RANDOM))
def test_python(name: str) -> None:
    equations = equations_named(name)
    at = state(equations, 2)
    M, forcing = run_python(equations.python(), {key: np.asarray(v).tolist() for key, v in at.items()})
    right_M, right_forcing = expected(equations, at)
    assert np.array(M) == pytest.approx(right_M, rel=1e-12, abs=1e-12)
    assert forcing == pytest.approx(right_forcing, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", marked([*MODELS, "hard names"], RANDOM))
def test_numpy_on_many_states_at_once(name: str) -> None:
    equations = equations_named(name)
    states = [state(equations, seed) for seed in range(5)]
    many = {key: np.array([at[key] for at in states]).T for key in states[0]}
    M, forcing = run_python(equations.python(numpy=True), many)
    for k, at in enumerate(states):
        right_M, right_forcing = expected(equations, at)
        one = [[np.broadcast_to(entry, 5)[k] for entry in row] for row in M]
        assert np.array(one) == pytest.approx(right_M, rel=1e-12, abs=1e-12)
        assert [np.broadcast_to(x, 5)[k] for x in forcing] == pytest.approx(right_forcing, rel=1e-12, abs=1e-12)


def compiled(folder: Path, source: str) -> Any:
    (folder / "equations.c").write_text(source, encoding="utf-8")
    command = [str(COMPILER), "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "equations.c"]
    subprocess.run([*command, "-o", "equations.so", "-lm"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "equations.so")).equations


@needs_compiler
@pytest.mark.parametrize("name", ["document", "crane", "switching", "arm", "gyrostat_satellite", "hard names"])
def test_c(name: str, tmp_path: Path) -> None:
    equations = equations_named(name)
    function = compiled(tmp_path, equations.c())
    at = state(equations, 3)
    n = equations.layout.n_u
    arrays = [(ctypes.c_double * max(1, len(at[key])))(*at[key]) for key in ("q", "u", "parameters", "inputs")]
    M, forcing = (ctypes.c_double * (n * n))(), (ctypes.c_double * n)()
    function(ctypes.c_double(at["t"]), *arrays, M, forcing)
    right_M, right_forcing = expected(equations, at)
    assert np.reshape(list(M), (n, n)) == pytest.approx(right_M, rel=1e-12, abs=1e-12)
    assert list(forcing) == pytest.approx(right_forcing, rel=1e-12, abs=1e-12)


def test_the_module_needs_nothing_else(tmp_path: Path) -> None:
    """It runs in an interpreter without site packages."""
    source = recursive("document").python()
    call = "print(*equations(0.0, [0.1, 0.2], [0.3, 0.4], [1.0, 2.0, 3.0, 4.0, 9.81]), sep='; ')"
    (tmp_path / "run.py").write_text(f"{source}\n{call}\n", encoding="utf-8")
    command = [sys.executable, "-I", "-S", "-W", "error", str(tmp_path / "run.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    M, forcing = done.stdout.split("; ")
    at = {"t": 0.0, "q": [0.1, 0.2], "u": [0.3, 0.4], "parameters": [1, 2, 3, 4, 9.81], "inputs": []}
    right_M, right_forcing = expected(recursive("document"), at)
    numbers = [float(x) for x in M.replace("[", "").replace("]", "").split(",")]
    assert numbers == pytest.approx(right_M.ravel().tolist(), rel=1e-14)
    assert [float(x) for x in forcing.strip(" []\n").split(",")] == pytest.approx(right_forcing.tolist(), rel=1e-14)


def test_what_a_reader_sees() -> None:
    source = recursive("document").python()
    assert source.startswith('"""Equations of motion M(q) udot = forcing of \'double pendulum\'."""\n\nimport math\n')
    for line in (
        "    q: theta_1, theta_2",
        "    parameters: m1, m2, l1, l2, g",
        "    inputs: none",
        "    m1, m2, l1, l2, g = parameters",
        "    return M, forcing",
    ):
        assert line in source.splitlines()
    assert "import numpy as np" in recursive("document").python(numpy=True)
    c = recursive("document").c()
    assert "#include <math.h>" in c
    assert "    const double theta_1 = q[0];" in c


def test_renamed_symbols_are_listed_as_they_are_written() -> None:
    lines = hard_names().python().splitlines()
    assert "    q: u_" in lines
    assert "    u_, = q" in lines
    assert any(line.startswith("    parameters: g, q__, M_, forcing_, inputs_") for line in lines)
    assert "    restrict, = inputs" in lines
    c = hard_names().c()
    assert "const double restrict_ = inputs[0];" in c
    assert "const double double__ = " in c
    assert c.count("*/") == 1


def test_the_document_keeps_its_symbols() -> None:
    equations = gs.formulate(document_pendulum()).recursive_equations()
    assert "_ =" not in equations.python()
