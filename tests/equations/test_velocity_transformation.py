"""The velocity-transformation form against the recursions: two derivations that share no formula of dynamics."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from float_system import float_system
from random_models import random_inputs, random_model
from random_trees import KINDS, Draw, relative_error

from gyrostat.equations.velocity_transformation import About

T = 0.7


@pytest.mark.parametrize("about", ["mass centre", "attachment point"])
@campaign(40)
def test_the_same_mass_matrix_and_accelerations(seed: int, about: About) -> None:
    system = float_system(random_model(seed, 2 + seed % 7))
    draw = Draw(seed)
    q, u = draw.state(system.system)
    inputs = random_inputs(draw, system.system)
    if not len(u):
        return
    form = system.velocity_transformation(q, u, about, t=T, inputs=inputs)
    M = np.array(form.mass_matrix(), dtype=float)
    assert relative_error(M, system.mass_matrix(q, t=T)) < 1e-12
    found = np.linalg.solve(M, np.array(form.forcing(), dtype=float))
    expected = system.forward_dynamics(q, u, t=T, inputs=inputs)
    assert relative_error(found, expected) < 1e-10


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "weld"])
def test_blocks_are_derivatives_of_positions(kind: str) -> None:
    """B u is the velocity of each body's reference point, by central differences along q̇."""
    draw = Draw(11)
    system = float_system(draw.tree(3, (kind,)).model())
    q, u = draw.state(system.system)
    form = system.velocity_transformation(q, u, "mass centre")
    step = 1e-6 * system.coordinate_rates(q, u)
    later = system.velocity_transformation(q + step, u, "mass centre")
    earlier = system.velocity_transformation(q - step, u, "mass centre")
    for i, body in enumerate(form.bodies):
        velocity = sum(np.array(mode.linear) * u[place] for (link, place), mode in form.blocks.items() if link == i)
        omega = sum(np.array(mode.angular) * u[place] for (link, place), mode in form.blocks.items() if link == i)
        difference = (np.array(later.bodies[i].point) - np.array(earlier.bodies[i].point)) / 2e-6
        np.testing.assert_allclose(velocity, difference, atol=1e-8)
        np.testing.assert_allclose(omega, np.array(body.omega), atol=1e-12)
