"""Exact equations and exports of systems with state variables."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from state_models import driven_four_bar, servo

import gyrostat as gs

COMPILER = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")


def pump() -> gs.System:
    """Return a rod moved by a pump: pressure is a state, the flow obeys an equation."""
    model = gs.Model("pump", parameters={"C": 2.0, "k": 0.5})
    model.add(gs.Body("rod", gs.rod(1, 1, along="y")))
    model.add(gs.Revolute("a", "ground", "rod", symbol="theta"))
    model.add(gs.State("pressure", "(flow - k*a.rate)/C", unit="Pa"))
    model.add(gs.State("flow", equation="flow + 3*flow*sin(a) + k*pressure - 1"))
    model.add(gs.TorsionSpring("push", "a", torque="k*pressure"))
    return gs.formulate(model)


def test_text_and_latex_show_rates_and_equations() -> None:
    equations = pump().equations()
    lines = str(equations).splitlines()
    assert lines[1:] == [
        "pressuredot = flow/C - k*thetadot/C",
        "0 = 3*flow*sin(theta) + flow + k*pressure - 1",
    ]
    assert equations.states.shape == equations.algebraic.shape == (1, 1)
    assert r"\dot{\mathrm{pressure}} &= " in equations.latex()
    assert r"0 &= 3 \, \mathrm{flow} \, \sin{\left(\theta \right)}" in equations.latex()


def test_rates_stand_in_the_order_of_the_states() -> None:
    equations = servo().equations()
    assert [str(symbol) for symbol in equations.state_rate_symbols] == ["integraldot", "currentdot"]
    assert str(equations.states[0]) == "3/5 - a"
    assert (
        equations.states[1].coeff(equations.symbols.sympy["current"])
        == -equations.symbols.sympy["R"] / (equations.symbols.sympy["L"])
    )


@pytest.mark.parametrize(
    "system", [pump, servo, lambda: driven_four_bar(algebraic=True)], ids=["pump", "servo", "four-bar"]
)
@pytest.mark.parametrize("form", ["textbook", "expanded", "regrouped"])
def test_written_equations_agree_with_the_traced_ones(system: Any, form: str) -> None:
    assert system().equations(form).verify(points=2).agrees


def test_python_and_c_code_take_states(tmp_path: Path) -> None:
    system = driven_four_bar(algebraic=True)
    equations = system.recursive_equations()
    draw = np.random.default_rng(0)
    at = {"q": draw.normal(size=3), "u": draw.normal(size=3), "z": draw.normal(size=2)}
    parameters = system.parameter_values()
    scope: dict[str, Any] = {}
    exec(compile(equations.python(), "equations.py", "exec"), scope)
    *_, zdot = scope["equations"](0.0, *(at[name].tolist() for name in "quz"), parameters.tolist(), [0.0])
    expected = system.state_rates(at["q"], at["u"], z=at["z"])
    np.testing.assert_allclose(zdot, expected, rtol=1e-13)
    assert "z: i, v" in equations.python()
    assert equations.states.shape == (2, 1)
    if COMPILER is None:
        pytest.skip("there is no C compiler (gcc, cc or clang) on the path")
    (tmp_path / "e.c").write_text(equations.c(), encoding="utf-8")
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", tmp_path / "e.so", tmp_path / "e.c", "-lm"], check=True)
    function = ctypes.CDLL(str(tmp_path / "e.so")).equations
    pointer = np.ctypeslib.ndpointer(dtype=float)
    function.argtypes = [ctypes.c_double] + [pointer] * (5 + len(equations.blocks))
    outputs = [np.zeros(block.shape) for block in equations.blocks]
    function(0.0, at["q"], at["u"], at["z"], parameters, np.zeros(1), *outputs)
    np.testing.assert_allclose(outputs[-1].ravel(), expected, rtol=1e-13)


def test_symbolic_linear_models_and_multiple_scales_refuse_states_by_name() -> None:
    with pytest.raises(gs.StateError, match=r"The model has states \(pressure, flow\), of which there are no symbolic"):
        gs.linearize(pump(), {}, symbolic=True)
    with pytest.raises(gs.StateError, match=r"'servo' has the states integral, current: multiple scales expand"):
        gs.multiple_scales(servo(), order=1)
