"""Statically indeterminate joint loads: joints that carry a self-stress of redundant constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.closing.closing import Closer
from gyrostat.closing.mapped_state import motion_at
from gyrostat.coordinates.arguments import Floats
from gyrostat.equations.dynamics import joint_loads, joint_reactions
from gyrostat.equations.loads import applied_loads
from gyrostat.kinematics.constraint_loads import all_constraint_loads
from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.kinematics.world import WorldMotion

if TYPE_CHECKING:
    from gyrostat.system.system import System

COMPONENTS = ("force x", "force y", "force z", "moment x", "moment y", "moment z")
_LOAD_TOLERANCE = 1e-7
"""The part of a unit load that counts as zero, and the relative singular value of a redundant row."""


def indeterminate_loads(
    system: System, q: Floats, t: float = 0.0, parameters: Mapping[str, object] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return by joint the statically indeterminate components of its load, in world axes.

    Multipliers λ with Aᵀλ = 0 are self-stresses: they load joints without any effect on the motion.
    """
    motion = motion_at(system, q, np.zeros(system.coordinates.n_u), t, parameters)
    found: dict[str, set[int]] = {}
    for stress in _self_stresses(system, q, t, parameters, motion):
        loads = _joint_loads(motion, stress)
        largest = max((float(np.abs(load).max()) for load in loads.values()), default=0.0)
        for joint, load in loads.items():
            places = np.flatnonzero(np.abs(load) > _LOAD_TOLERANCE * max(largest, 1.0))
            found.setdefault(joint, set()).update(places.tolist())
    return {joint: tuple(COMPONENTS[i] for i in sorted(places)) for joint, places in found.items() if places}


def _self_stresses(
    system: System, q: Floats, t: float, parameters: Mapping[str, object] | None, motion: WorldMotion
) -> list[dict[str, float]]:
    """Return a basis of the self-stresses as multipliers by names of rows; each trivial row is one."""
    names = [row.name for row in system.constraints]
    stresses = [{row.name: 1.0} for row in constraint_rows(motion) if row.name not in names]
    closer = Closer(system, t, parameters)
    matrix = closer.at(q, np.zeros(system.coordinates.n_u)).matrix * closer.scales
    if matrix.size:
        left, sizes, _ = np.linalg.svd(matrix)
        rank = int((sizes > _LOAD_TOLERANCE * max(1.0, float(sizes[0]))).sum())
        stresses += [dict(zip(names, column.tolist(), strict=True)) for column in left[:, rank:].T]
    return stresses


def _joint_loads(motion: WorldMotion, stress: Mapping[str, float]) -> dict[str, Floats]:
    """Return by joint the force and moment, in world axes, of a self-stress."""
    loads = all_constraint_loads(motion, stress)
    rates = [0.0] * motion.tree.coordinates.n_u
    with_stress = joint_reactions(
        joint_loads(motion, rates, applied_loads(motion, (), extra=loads.total)), loads.on_children
    )
    without = joint_reactions(joint_loads(motion, rates, applied_loads(motion, ())), {})
    found: dict[str, Floats] = {}
    for name, parts in with_stress.items():
        load = np.concatenate([np.array(part, dtype=float) for part in parts])
        if name in without:
            load -= np.concatenate([np.array(part, dtype=float) for part in without[name]])
        found[name] = load
    return found
