"""Linear models with blocks: against differences of the flow."""

from __future__ import annotations

import numpy as np
import pytest
from block_models import motor_four_bar, motor_servo

import gyrostat as gs
from gyrostat.analysis.linear.time_response import displaced

STIFF = gs.Rodas5P(rtol=1e-12, atol=1e-14)


def test_eigenvalues_of_a_four_bar_with_motor_and_control_are_those_of_the_flow() -> None:
    system = motor_four_bar()
    point = gs.equilibrium(system, guess={"c": 0.6})
    linear = gs.linearize(system, point)
    assert linear.states == ("c", "c.rate", "motor.current", "controller.integral", "amplifier")

    def end(deviation: np.ndarray) -> np.ndarray:
        run = gs.simulate(system, times=[0, 0.03], initial=displaced(linear, deviation), integrator=STIFF)
        return np.array([float(run[name].values[-1]) for name in linear.states])

    moved = np.array([(end(push) - end(-push)) / 2e-5 for push in 1e-5 * np.eye(5)]).T
    expected = np.exp(0.03 * np.linalg.eigvals(linear.A.values))
    found = np.linalg.eigvals(moved)
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(expected), rtol=1e-6, atol=1e-8)


def test_outputs_of_blocks_are_linear_outputs() -> None:
    system = motor_servo()
    point = gs.equilibrium(system, guess={"a": 0.6})
    linear = gs.linearize(system, point, outputs=["controller", "2*controller - motor.current"])
    assert linear.states == ("a", "a.rate", "motor.current", "controller.integral")
    np.testing.assert_allclose(linear.C.values, [[-8, 0, 0, 20], [-16, 0, -1, 40]], rtol=1e-12, atol=1e-12)
    assert point["controller"] == pytest.approx(1.2 * point["motor.current"])
