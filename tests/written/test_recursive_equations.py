"""The recursive form: assignments that compute M and forcing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from campaign import marked
from document_pendulum import document_pendulum
from recursive_models import MODELS, RANDOM, expected, recursive, state

import gyrostat as gs
from gyrostat.program.listing import Language


@pytest.mark.parametrize("name", marked(MODELS, RANDOM))
def test_replacements_of_sympy(name: str) -> None:
    """Put in one after the other, the assignments give the numbers of the traced engine."""
    equations = recursive(name)
    at = state(equations, 1)
    values = [at["t"], *at["q"], *at["u"], *at["parameters"], *at["inputs"]]
    known = dict(zip(map(sympy.Symbol, equations.input_names), map(sympy.Float, values), strict=True))
    for symbol, expression in equations.replacements:
        assert symbol not in known
        known[symbol] = expression.xreplace(known).evalf()
    M, forcing = expected(equations, at)
    numbers = [float(x.xreplace(known)) for x in equations.mass_matrix]
    assert np.reshape(numbers, M.shape) == pytest.approx(M, rel=1e-11, abs=1e-11)
    assert [float(x.xreplace(known)) for x in equations.forcing] == pytest.approx(forcing, rel=1e-11, abs=1e-11)


def test_the_same_expressions_as_the_exact_engine() -> None:
    equations, exact = recursive("document"), gs.formulate(document_pendulum()).equations()
    steps = list(equations.replacements)

    def whole(x: Any) -> Any:
        for symbol, value in reversed(steps):
            x = x.subs(symbol, value)
        return x

    assert all(gs.trig_normal_form(x) == 0 for x in equations.mass_matrix.applyfunc(whole) - exact.mass_matrix)
    assert all(gs.trig_normal_form(x) == 0 for x in equations.forcing.applyfunc(whole) - exact.forcing)


def test_text() -> None:
    lines = str(recursive("document")).splitlines()
    assert lines[0] == "x1 = l1/2.0"
    assert [line.partition(" = ")[0] for line in lines[-5:]] == [
        *("M[0][0]", "M[1][0]", "M[1][1]"),
        *("forcing[0]", "forcing[1]"),
    ]
    assert not any("math." in line or "M[0][1]" in line for line in lines)
    assert "where(" in str(recursive("switching"))


def test_latex() -> None:
    shown = recursive("document").latex()
    assert shown.startswith("\\begin{aligned}\nx_{1} &= \\frac{l_{1}}{2} \\\\\n")
    assert r"x_{13} &= \dot{\theta}_{1} + \dot{\theta}_{2}" in shown
    assert r"M_{21} &= " in shown
    assert r"M_{12} &= " not in shown
    assert shown.endswith("\\end{aligned}")
    assert r"\begin{cases}" in recursive("switching").latex()


def test_names_and_places() -> None:
    equations = recursive("crane")
    assert equations.input_names == (
        *("t", "x", "alpha", "beta", "xdot", "alphadot", "betadot"),
        *("M", "m", "J", "g", "l0", "k", "c", "v", "drive"),
    )
    assert equations.accelerations == sympy.symbols("xddot alphaddot betaddot")
    assert equations.speeds == sympy.symbols("xdot alphadot betadot")
    assert equations.coordinates == sympy.symbols("x alpha beta")
    assert equations.blocks[0].shape == (3, 3)
    assert set(equations.blocks[0].places) == {(i, j) for i in range(3) for j in range(3)}


def test_an_entry_that_is_always_zero() -> None:
    """Two slides side by side: M is diagonal, and has only two entries."""
    model = gs.Model("cross", parameters={"m": 1})
    for name in ("a", "b"):
        model.add(gs.Body(name, mass="m", inertia=(1, 1, 1)))
    model.add(gs.Prismatic("x", "ground", "a", axis="x"))
    model.add(gs.Prismatic("y", "ground", "b", axis="y"))
    equations = gs.formulate(model).recursive_equations()
    m = sympy.Symbol("m")
    assert equations.mass_matrix == sympy.diag(m, m)
    assert equations.forcing == sympy.zeros(2, 1)
    assert "M[1][0]" not in str(equations)
    assert equations.blocks[0].places == ((0, 0), (1, 1))
    assert "[0.0, m]," in equations.python()


def test_an_arm_is_short() -> None:
    """Every operation is written once: the listing of a six-joint arm has about as many as the traced graph."""
    equations = recursive("arm")
    text = "\n".join(f"{name} = {line}" for name, line in equations.listing(Language.C).statements)
    assert 500 < equations.operations < 2000
    assert text.count("\n") < equations.operations
    assert len(text) < 40 * equations.operations


def test_names_of_the_user_are_kept_apart() -> None:
    """Parameters called x1 and x3 are not assigned to."""
    equations = gs.formulate(document_pendulum(m1="x1", l2="x3")).recursive_equations()
    assigned = [str(symbol) for symbol, _ in equations.replacements]
    assert {"x1", "x3"}.isdisjoint(assigned)
    assert len(set(assigned)) == len(assigned)


def test_a_system_without_speeds() -> None:
    model = gs.Model("driven")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a", "ground", "b", driven="t"))
    equations = gs.formulate(model).recursive_equations()
    assert str(equations) == ""
    assert equations.mass_matrix.shape == (0, 0)
    assert equations.forcing.shape == (0, 1)


def test_a_clash_of_symbols() -> None:
    with pytest.raises(gs.ModelError, match=r"symbol 'thetadot_1': it would denote 'thetadot_1' and for 'a1.rate'"):
        str(gs.formulate(document_pendulum(g="thetadot_1")).recursive_equations())
