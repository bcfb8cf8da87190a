"""Friction in joints by their own reactions: normal loads that friction changes in turn, solved in each trace.

Reactions are linear in the normal loads N of all such joints, R = R₀ + J N, since friction is proportional to its load.
Each load is the sum of the forces in the bearings of its joint, N = Σ |R_b|; Newton's method on these few equations is
written out, so that programs have loads as functions of the state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi

from gyrostat.errors import StateError
from gyrostat.model.forces import JointFriction
from gyrostat.model.joints import Prismatic, Revolute
from gyrostat.recipes.trace import Trace
from gyrostat.recipes.traced_instant import TracedInstant
from gyrostat.scalar.traced import Traced, as_sx, column
from gyrostat.spatial import Vector, apply, normalised

_ITERATIONS = 12
_FORCE_ROUNDING = 1e-24
"""Square of a force (N²) that keeps derivatives of sizes finite at zero."""


def with_own_reactions(trace: Trace) -> Trace:
    """Return the trace with the normal loads of friction by reactions in terms of the state."""
    motion = trace.motion
    forces = motion.tree.coordinates.topology.model.forces.values()
    frictions = [force for force in forces if isinstance(force, JointFriction) and force.by_reaction]
    if not frictions:
        return trace
    names = [name for friction in frictions for name in friction.solved_inputs]
    loads = casadi.vertcat(*(as_sx(motion.state.inputs[name]) for name in names))
    instant = TracedInstant.solved(trace)
    bearings = [[column(one) for one in _bearings(instant, friction)] for friction in frictions]
    forces_of = casadi.vertcat(*(one for group in bearings for one in group))
    jacobian = casadi.densify(casadi.jacobian(forces_of, loads))
    if casadi.depends_on(jacobian, loads):
        raise StateError(
            f"The reaction of joint {frictions[0].joint!r} is not linear in the friction {frictions[0].name!r}: laws "
            "of other elements depend on it. Remove this dependence, or give the load by a formula."
        )
    base = casadi.substitute(forces_of, loads, casadi.SX.zeros(loads.numel()))
    solved = _solved(base, jacobian, [len(group) for group in bearings])
    inputs = {
        name: Traced(casadi.substitute(as_sx(value), loads, solved)) for name, value in motion.state.inputs.items()
    }
    return replace(trace, motion=motion.at(replace(motion.state, inputs=inputs)))


def _bearings(instant: TracedInstant, friction: JointFriction) -> list[Vector]:
    """Return the forces in the bearings of a joint."""
    motion = instant.motion
    joint = motion.tree.coordinates.topology.joints[friction.joint]
    assert isinstance(joint, Revolute | Prismatic), "checked with the model"
    x, y, z = (motion.evaluate(one) for one in joint.axis)
    axis = apply(motion.end(joint.parent).rotation, normalised((x, y, z), motion.scalars))
    reaction = instant.reaction_force(joint.name), instant.reaction_moment(joint.name)
    return friction.bearing_forces(*reaction, axis, motion)


def _solved(base: Any, jacobian: Any, counts: list[int]) -> Any:
    """Return the loads N_i = Σ |R_b| over the bearings of joint i, by Newton's method from those without friction."""
    owners = [i for i, count in enumerate(counts) for _ in range(count)]
    loads = casadi.SX.zeros(len(counts))
    for step in range(_ITERATIONS + 1):
        forces = base + casadi.mtimes(jacobian, loads)
        sums, rates = casadi.SX.zeros(len(counts)), casadi.SX.zeros(len(counts), len(counts))
        for bearing, i in enumerate(owners):
            own = slice(3 * bearing, 3 * bearing + 3)
            size = casadi.sqrt(casadi.sumsqr(forces[own]) + _FORCE_ROUNDING)
            sums[i] += size
            rates[i, :] += casadi.mtimes(forces[own].T, jacobian[own, :]) / size
        newton = casadi.solve(casadi.SX.eye(len(counts)) - rates, loads - sums)
        loads = loads - newton if step else sums
    return loads
