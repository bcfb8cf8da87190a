"""Relative equilibria: motions that a rotation of the whole system continues, linearized in co-moving axes."""

from __future__ import annotations

import numpy as np
import pytest
from operating_models import puck

import gyrostat as gs


@pytest.mark.parametrize("length", [0.0, 0.4])
def test_a_puck_on_a_spring_circles(length: float) -> None:
    """The radial frequency is ω² = 3 Ω² + k/m, with the angular velocity Ω² = k/m (1 − length/radius)."""
    stiffness, radius = 50.0, 1.0
    system = gs.formulate(puck(stiffness, length, radius))
    start = gs.operating_point(system, {})
    point = gs.steady_motion(
        system, {name: start[name] for name in system.speed_names}, fixed={"p.x": radius, "p.y": 0.0}
    )
    squared = stiffness * (1 - length / radius)
    expected = np.sqrt(3 * squared + stiffness)
    linear = gs.linearize(system, point)
    modes = linear.modes()
    assert [mode.eigenvalue for mode in modes if mode.oscillates] == pytest.approx([1j * expected], rel=1e-11)
    assert (modes.eigenvalues == 0).sum() == 4
    assert np.sort(point.stability.eigenvalues.imag)[[0, -1]] == pytest.approx([-expected, expected], rel=1e-11)
    assert linear.certificate().passed
    found = gs.floquet(system, start, 2 * np.pi / np.sqrt(squared))
    multiplier = np.exp(1j * expected * found.period)
    assert np.abs(found.multipliers - multiplier).min() < 1e-6
