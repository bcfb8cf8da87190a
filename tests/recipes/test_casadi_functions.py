"""Programs as CasADi functions: named ports, and the values of the native programs."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.recipes.table import RECIPES


def test_every_program_is_a_casadi_function() -> None:
    system = gs.formulate(double_pendulum())
    for name in RECIPES:
        found, program = system.casadi_function(name), system.program(name)
        assert [found.name_in(i) for i in range(found.n_in())] == [port.name for port in program.inputs], name
        assert [found.name_out(i) for i in range(found.n_out())] == [port.name for port in program.outputs], name


def test_it_has_the_values_and_derivatives_of_the_system() -> None:
    system = gs.formulate(double_pendulum())
    function = system.casadi_function("forward_dynamics")
    q, u, p = np.array([0.3, -0.2]), np.array([1.0, 0.5]), system.parameter_values()
    found = function(q=q, u=u, parameters=p, inputs=[0.7])["udot"].full().ravel()
    np.testing.assert_allclose(found, system.forward_dynamics(q, u, inputs={"motor": 0.7}), rtol=1e-12)
    slope = function.jacobian()(q=q, u=u, parameters=p, inputs=[0.7])["jac_udot_q"].full()
    step = 1e-6 * np.eye(2)
    expected = [system.forward_dynamics(q + d, u, inputs={"motor": 0.7}) for d in (*step, *-step)]
    np.testing.assert_allclose(slope, (np.array(expected[:2]) - expected[2:]).T / 2e-6, atol=1e-6)
    assert isinstance(function, casadi.Function)


def test_an_unknown_program_is_refused() -> None:
    with pytest.raises(gs.StateError, match=r"There is no program 'forward'\. Known: rates, forward_dynamics"):
        gs.formulate(double_pendulum()).casadi_function("forward")
