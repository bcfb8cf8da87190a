"""Trees for tests of rolled programs, and random arguments for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from random_models import random_inputs
from random_trees import Draw, Floats

import gyrostat as gs

EXAMPLES = Path(__file__).parents[2] / "examples"
TREES = (
    *("autoparametric_absorber", "double_pendulum", "gyrostat_satellite", "parametric_pendulum", "seven_joint_arm"),
    *("slider_pendulum", "spinning_top", "spring_pendulum", "vehicle_on_springs"),
)
T = 0.6


def row_of(system: gs.System, seed: int = 1) -> Floats:
    """Return a random row of arguments at the model's parameters."""
    draw = Draw(seed)
    q, u = draw.state(system)
    row, given = np.zeros(system.row.size), random_inputs(draw, system)
    row[0], row[system.row.q], row[system.row.u] = T, q, u
    row[system.row.z] = draw.random.normal(size=system.row.n_z)
    row[system.row.parameters] = system.parameter_values()
    row[system.row.inputs] = [given.get(name, 0.3) for name in system.inputs]
    return row


def chain(links: int = 12) -> gs.Model:
    """Return a chain of hinges about x and y in turn, with a parameter in all links."""
    model = gs.Model("chain", gravity=(0, 0, -9.81), parameters={"l": 0.3})
    for n in range(links):
        points = {"end": (0, 0, "-l")}
        model.add(gs.Body(f"b{n}", mass=0.5 + 0.1 * n, com=(0, 0, "-l/2"), inertia=(2e-3, 3e-3, 1e-3), points=points))
        model.add(gs.Revolute(f"a{n}", f"b{n - 1}.end" if n else "ground", f"b{n}", axis="xy"[n % 2], initial=0.2))
    return model
