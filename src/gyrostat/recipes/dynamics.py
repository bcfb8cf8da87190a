"""Dynamics: recipes for motion, energy, poses and loads at one state."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.equations.dynamics import driver_loads, inverse_dynamics, joint_reactions, mass_matrix
from gyrostat.equations.energy import energy
from gyrostat.kinematics.state_rates import state_rates
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.recipes.constraints import (
    accelerations,
    constrained,
    constraint_loads_of,
    driving_multipliers_of,
    joint_loads_of,
)
from gyrostat.recipes.states import has_states
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.traced import as_sx, column
from gyrostat.spatial import apply, plus, product


def form_rates(trace: Trace) -> dict[str, Any]:
    """Return q̇, u̇ and ż; for algebraic variables, the residuals of their equations take the place of ż."""
    motion = trace.motion
    found = {"qdot": coordinate_rates(motion.tree, motion.state), "udot": accelerations(trace)}
    return {**found, "zdot": state_rates(motion)} if has_states(trace) else found


def form_forward_dynamics(trace: Trace) -> dict[str, Any]:
    """Return u̇."""
    return {"udot": accelerations(trace)}


def form_inverse_dynamics(trace: Trace) -> dict[str, Any]:
    """Return the loads on the speeds at given u̇."""
    return {"loads": column(inverse_dynamics(trace.motion, trace.rates))}


def form_mass_matrix(trace: Trace) -> dict[str, Any]:
    """Return M."""
    return {"mass_matrix": symmetric_sx(mass_matrix(trace.motion), len(trace.rates))}


def symmetric_sx(entries: dict[tuple[int, int], Scalar], size: int) -> Any:
    """Return a sparse symmetric SX matrix from the entries of its lower half."""
    matrix = casadi.SX(size, size)
    for (i, j), entry in entries.items():
        matrix[i, j] = as_sx(entry)
        matrix[j, i] = as_sx(entry)
    return matrix


def form_energy(trace: Trace) -> dict[str, Any]:
    """Return kinetic energy, and potential energies of gravity and of force elements."""
    found = energy(trace.motion)
    return {
        "kinetic": [found.kinetic],
        "gravity": [found.gravity],
        "stored": list(found.stored.values()),
    }


def form_poses(trace: Trace) -> dict[str, Any]:
    """Return rotations, row by row, and positions of all moving bodies, in world axes."""
    motion = trace.motion
    rotations: list[Scalar] = []
    positions: list[Scalar] = []
    for i, link in motion.tree.bodies:
        pose = motion.pose(i)
        rotations.extend(x for row in product(pose.R_WH, link.R_HB) for x in row)
        positions.extend(plus(pose.r_WH_W, apply(pose.R_WH, link.r_HB_H)))
    return {"rotations": rotations, "positions": positions}


def form_reactions(trace: Trace) -> dict[str, Any]:
    """Return the loads in all joints, those of chords last, and of drivers."""
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
