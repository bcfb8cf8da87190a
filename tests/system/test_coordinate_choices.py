"""Native programs in all choices of coordinates compute what the formulas do on other engines."""

from __future__ import annotations

import numpy as np
import pytest
from choices import Instant, with_principal_angles
from random_models import random_inputs, random_model
from random_trees import Draw, relative_error

import gyrostat as gs

TIME = 0.3


@pytest.mark.parametrize("choice", ["absolute", "branch"])
@pytest.mark.parametrize("seed", [0, 3])
def test_native_programs(choice: str, seed: int) -> None:
    draw, joint = Draw(1000 + seed), gs.formulate(random_model(seed, 2))
    q, u = draw.state(joint)
    instant = Instant(joint, with_principal_angles(joint, q), u, TIME, random_inputs(draw, joint))
    seen = instant.seen_in(gs.formulate(joint.model, choice))
    system, at = seen.system, {"t": TIME, "inputs": dict(seen.inputs)}
    udot = system.forward_dynamics(seen.q, seen.u, **at)
    tolerance = 1e-10 * max(1.0, seen.condition)
    assert relative_error(udot, seen.udot) < tolerance
    assert relative_error(system.mass_matrix(seen.q, t=TIME), seen.mass_matrix) < 1e-12
    assert system.energy(seen.q, seen.u, **at).total == pytest.approx(seen.energies.sum(), rel=1e-12)
    loads = system.reactions(seen.q, seen.u, udot, **at)
    for name, load in seen.reactions.items():
        assert relative_error(np.hstack((loads[name].force, loads[name].moment)), load) < 10 * tolerance
    drivers = system.driver_loads(seen.q, seen.u, udot, **at)
    assert drivers.keys() == seen.driver_loads.keys() == joint.coordinates.driven.keys()
    for name, load in seen.driver_loads.items():
        assert float(drivers[name]) == pytest.approx(load, rel=1e-7, abs=1e-7)
