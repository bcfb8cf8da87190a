"""The speeds on which the velocity of a body may depend."""

from __future__ import annotations

import casadi
import pytest
from random_models import Mixture, random_model

import gyrostat as gs
from gyrostat.model.kinds import End
from gyrostat.recipes.symbolic_state import begin_trace
from gyrostat.scalar.traced import column


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("seed", [1, 4])
def test_velocities_depend_on_no_other_speeds(seed: int, coordinates: str) -> None:
    system = gs.formulate(random_model(seed, 6, Mixture(forces=False)), coordinates=coordinates)
    trace = begin_trace(system.coordinates)
    for body in system.model.bodies:
        moving = trace.motion.end(End(body))
        by_speeds = casadi.jacobian(column([*moving.velocity, *moving.omega]), trace.arguments["u"])
        assert set(by_speeds.sparsity().get_col()) <= set(trace.motion.speeds_to(End(body)))


def test_a_body_moves_with_the_joints_below_it_alone() -> None:
    model = gs.Model("chain")
    for name, parent in (("a", "ground"), ("b", "a"), ("c", "ground")):
        model.add(gs.Body(name, gs.box(1, size=(1, 1, 1))))
        model.add(gs.Revolute(f"to_{name}", parent, name))
    motion = begin_trace(gs.formulate(model).coordinates).motion
    assert [len(motion.speeds_to(End(name))) for name in ("ground", "a", "b", "c")] == [0, 1, 2, 1]
