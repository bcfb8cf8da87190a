"""Jacobians and directional derivatives, exact and sparse."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import compile_program, directional, jacobian

RNG = np.random.default_rng(8)


@pytest.fixture
def chain() -> casadi.Function:
    """Forces of a chain of nonlinear springs: each depends on its neighbours only."""
    q, k = casadi.SX.sym("q", 12), casadi.SX.sym("k")
    stretch = q[1:] - q[:-1]
    tension = k * casadi.sin(stretch) * casadi.exp(stretch / 3)
    a = casadi.vertcat(tension, 0) - casadi.vertcat(0, tension)
    return casadi.Function("chain", [q, k], [a, casadi.sumsqr(stretch)], ["q", "k"], ["a", "energy"])


def test_jacobian_agrees_with_differences_and_is_sparse(chain: casadi.Function) -> None:
    program = compile_program(chain)
    derivative = jacobian(chain, "a", ["q", "k"])
    assert derivative.name_in() == ["q", "k"]
    assert derivative.name_out() == ["jac_a_q", "jac_a_k"]
    compiled = compile_program(derivative)
    port = compiled.outputs[0]
    assert (port.rows, port.columns, port.size) == (12, 12, 12 + 2 * 11)
    assert set(np.abs(port.pattern[0] - port.pattern[1]).tolist()) == {0, 1}

    q, k, step = RNG.normal(size=12), 1.7, 1e-6
    found = compiled.evaluate({"q": q, "k": k})
    for column in range(12):
        shift = step * np.eye(12)[column]
        values = [program.evaluate({"q": q + s, "k": k})["a"] for s in (shift, -shift)]
        np.testing.assert_allclose(found["jac_a_q"][:, column], (values[0] - values[1]) / (2 * step), atol=1e-8)
    np.testing.assert_allclose(found["jac_a_k"], program.evaluate({"q": q, "k": k})["a"] / k, rtol=1e-12)


def test_jacobian_by_one_name_and_of_a_matrix() -> None:
    A, x = casadi.SX.sym("A", 2, 2), casadi.SX.sym("x", 2)
    function = casadi.Function("f", [A, x], [A * (x.T @ x)], ["A", "x"], ["B"])
    found = compile_program(jacobian(function, "B", "x")).evaluate({"A": [[1, 2], [3, 4]], "x": [5, 6]})
    np.testing.assert_allclose(found["jac_B_x"], np.outer([1, 3, 2, 4], [10, 12]))  # column by column


def test_directional_is_jacobian_times_seed(chain: casadi.Function) -> None:
    q, k, seed, rate = RNG.normal(size=12), 1.7, RNG.normal(size=12), 0.4
    derivative = directional(chain, "a", ["q", "k"])
    assert derivative.name_in() == ["q", "k", "seed_q", "seed_k"]
    found = compile_program(derivative).evaluate({"q": q, "k": k, "seed_q": seed, "seed_k": rate})["dir_a"]
    full = compile_program(jacobian(chain, "a", ["q", "k"])).evaluate({"q": q, "k": k})
    np.testing.assert_allclose(found, full["jac_a_q"] @ seed + full["jac_a_k"] * rate, rtol=1e-12)


def test_directional_keeps_the_shape_of_the_output() -> None:
    A = casadi.SX.sym("A", 2, 3)
    function = casadi.Function("f", [A], [casadi.sin(A)], ["A"], ["B"])
    value, seed = RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3))
    found = compile_program(directional(function, "B", "A")).evaluate({"A": value, "seed_A": seed})["dir_B"]
    np.testing.assert_allclose(found, np.cos(value) * seed, rtol=1e-13)


def test_directional_costs_a_small_multiple_of_the_function() -> None:
    x = casadi.SX.sym("x", 50)
    y = x
    for _ in range(40):
        y = casadi.sin(y) * y[::-1] + x
    function = casadi.Function("f", [x], [y], ["x"], ["y"])
    assert compile_program(directional(function, "y", "x"), optimisation=0).operations < 4 * function.n_nodes()


@pytest.mark.parametrize("derive", [jacobian, directional])
def test_errors_name_the_port(chain: casadi.Function, derive: object) -> None:
    with pytest.raises(ProgramError, match=r"'chain' has no output 'b'\. It has: 'a', 'energy'\."):
        derive(chain, "b", "q")
    with pytest.raises(ProgramError, match=r"'chain' has no input 'u'\. It has: 'q', 'k'\."):
        derive(chain, "a", ["q", "u"])
    with pytest.raises(ProgramError, match=r"Name at least one input of 'chain', each once"):
        derive(chain, "a", [])
    with pytest.raises(ProgramError, match=r"Name at least one input of 'chain', each once"):
        derive(chain, "a", ["q", "q"])
    with pytest.raises(ProgramError, match=r"Derivatives are taken of a casadi.Function, not of str"):
        derive("chain", "a", "q")
