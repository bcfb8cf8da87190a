"""Traces: the formulas of mechanics run once on the traced engine, giving the functions that programs are made from."""

from __future__ import annotations

from typing import Any

from gyrostat.recipes.constraints import (
    CONSTRAINTS,
    accelerations,
    constrained,
    constraint_loads_of,
    driving_multipliers_of,
    joint_loads_of,
)
from gyrostat.recipes.derivatives import DERIVATIVES
from gyrostat.recipes.linear_programs import LINEAR
from gyrostat.recipes.momenta import MOMENTA
from gyrostat.recipes.observations import OBSERVATIONS
from gyrostat.recipes.trace import Recipe, Trace, begin_trace, build_function
from gyrostat.scalar import Scalar

__all__ = ["RECIPES", "Recipe", "Trace", "begin_trace", "build_function", "symmetric_sx"]


def _rates(trace: Trace) -> dict[str, Any]:
    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.scalar.traced import column

    motion = trace.motion
    return {"qdot": column(coordinate_rates(motion.tree, motion.state)), "udot": column(accelerations(trace))}


def _forward_dynamics(trace: Trace) -> dict[str, Any]:
    from gyrostat.scalar.traced import column

    return {"udot": column(accelerations(trace))}


def _inverse_dynamics(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.dynamics import inverse_dynamics
    from gyrostat.scalar.traced import column

    return {"loads": column(inverse_dynamics(trace.motion, trace.rates))}


def _mass_matrix(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.dynamics import mass_matrix

    return {"mass_matrix": symmetric_sx(mass_matrix(trace.motion), len(trace.rates))}


def symmetric_sx(entries: dict[tuple[int, int], Scalar], size: int) -> Any:
    """Return a sparse symmetric SX matrix from the entries of its lower half."""
    import casadi

    from gyrostat.scalar.traced import as_sx

    matrix = casadi.SX(size, size)
    for (i, j), entry in entries.items():
        matrix[i, j] = as_sx(entry)
        matrix[j, i] = as_sx(entry)
    return matrix


def _energy(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.energy import energy
    from gyrostat.scalar.traced import column

    found = energy(trace.motion)
    return {
        "kinetic": column([found.kinetic]),
        "gravity": column([found.gravity]),
        "stored": column(found.stored.values()),
    }


def _poses(trace: Trace) -> dict[str, Any]:
    from gyrostat.scalar.traced import column
    from gyrostat.spatial import apply, plus, product

    motion = trace.motion
    rotations: list[Scalar] = []
    positions: list[Scalar] = []
    for i, link in motion.tree.bodies:
        pose = motion.pose(i)
        rotations.extend(x for row in product(pose.R_WH, link.R_HB) for x in row)
        positions.extend(plus(pose.r_WH_W, apply(pose.R_WH, link.r_HB_H)))
    return {"rotations": column(rotations), "positions": column(positions)}


def _reactions(trace: Trace) -> dict[str, Any]:
    """Return the loads in all joints, those of chords last, and of drivers."""
    from gyrostat.equations.dynamics import driver_loads, joint_reactions
    from gyrostat.scalar.traced import column

    coordinates = trace.motion.tree.coordinates
    found = joint_loads_of(trace)
    reactions = joint_reactions(found, constraint_loads_of(trace).on_children if constrained(trace) else {})
    order = [reactions[name] for name in coordinates.loaded_joints]
    drivers = driver_loads(found) | driving_multipliers_of(trace)
    return {
        "forces": column(x for force, _ in order for x in force),
        "moments": column(x for _, moment in order for x in moment),
        "drivers": column(drivers[name] for name in coordinates.all_driven),
    }


RECIPES: dict[str, Recipe] = {
    "rates": Recipe(_rates),
    "forward_dynamics": Recipe(_forward_dynamics),
    "inverse_dynamics": Recipe(_inverse_dynamics, udot=True),
    "mass_matrix": Recipe(_mass_matrix),
    "energy": Recipe(_energy),
    "poses": Recipe(_poses),
    "reactions": Recipe(_reactions, udot=True),
    **DERIVATIVES,
    **OBSERVATIONS,
    **CONSTRAINTS,
    **MOMENTA,
    **LINEAR,
}
"""The programs of a system, by name."""
