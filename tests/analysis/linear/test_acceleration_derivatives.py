"""Derivatives of accelerations of long trees, from the programs of linear models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from random_models import Mixture, random_model

import gyrostat as gs
from gyrostat.analysis.variations import dynamics as module
from gyrostat.analysis.variations.dynamics import Dynamics

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("seed", [2, 5])
def test_both_ways_give_the_same_derivatives(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    both_ways_agree(gs.formulate(random_model(seed, 4, Mixture(drivers=False))), seed, monkeypatch)


@pytest.mark.parametrize("name", ["spatial_slider_crank", "whipple_bicycle"])
def test_both_ways_give_the_same_derivatives_in_closed_loops(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of the constraints are satisfied by accelerations and their variation."""
    both_ways_agree(gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml")), 3, monkeypatch)


def both_ways_agree(system: gs.System, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare derivatives at a random state with those that long Jacobians have."""
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
