"""Second derivatives of coordinates, against differences of their rates."""

from __future__ import annotations

import numpy as np
from campaign import campaign
from float_system import float_system, virtual_outputs
from random_models import random_model
from random_trees import Draw, Floats

from gyrostat.kinematics.rates import coordinate_accelerations

T = 0.6


@campaign(10)
def test_accelerations_are_the_slopes_of_rates(seed: int) -> None:
    system = float_system(random_model(seed, 4))
    draw = Draw(seed)
    q, u = draw.state(system.system)
    udot = draw.random.normal(size=len(u))
    qdot = system.coordinate_rates(q, u, t=T)

    def rates(s: float) -> Floats:
        return system.coordinate_rates(q + s * qdot, u + s * udot, t=T + s)

    weights = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))  # exact for polynomials, which q̇ = N(q) u is along a line
    slope = np.sum([w * (rates(k * 0.1) - rates(-k * 0.1)) / 0.1 for k, w in weights], axis=0)
    found = coordinate_accelerations(system.tree, system.motion(q, u, T).state, udot.tolist())
    np.testing.assert_allclose(np.array(found, float), slope, rtol=1e-11, atol=1e-12)

    arguments = {"t": T, "q": q, "u": u, "udot": udot, "inputs": [0.0] * len(system.system.inputs)}
    traced = virtual_outputs(system.system, "accelerations", arguments)["accelerations"][:, 0]
    formulas = system.system.coordinates.driven.values()
    driven = [system.motion(q, u, T).state.in_time(formula, system.tree.value) for formula in formulas]
    np.testing.assert_allclose(traced, [*slope, *(jet.acceleration for jet in driven)], rtol=1e-11, atol=1e-12)
