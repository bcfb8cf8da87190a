"""Derivatives of accelerations of long trees, from the programs of linear models."""

from __future__ import annotations

import numpy as np
import pytest
from random_models import Mixture, random_model

import gyrostat as gs
from gyrostat.analysis.variations import dynamics as module
from gyrostat.analysis.variations.dynamics import Dynamics


@pytest.mark.parametrize("seed", [2, 5])
def test_both_ways_give_the_same_derivatives(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    system = gs.formulate(random_model(seed, 4, Mixture(drivers=False)))
    near = np.random.default_rng(seed).normal
    dynamics = Dynamics.of(system, 0.3, None, {})
    q = dynamics.moved(system.initial_coordinates, 0.3 * near(size=system.coordinates.n_u))
    u = near(size=system.coordinates.n_u)
    short = dynamics.acceleration_jacobian(q, u)
    monkeypatch.setattr(module, "jacobian_is_long", lambda coordinates: True)
    monkeypatch.delattr(Dynamics, "rates_jacobian")
    long = dynamics.acceleration_jacobian(q, u)
    for one, other in ((short.by_position, long.by_position), (short.by_speed, long.by_speed)):
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-10 * np.abs(one).max())
    np.testing.assert_array_equal(short.udot, long.udot)
