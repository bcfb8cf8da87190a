"""Virtual work of each force element, of gravity and of constraints, varied along a direction: shares in a mode."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gyrostat.recipes.constraints import constrained, constraints_of
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar


def element_work(trace: Trace) -> dict[str, Any]:
    """Return how the power of loads in a virtual motion changes as the state changes along a direction.

    The virtual speeds stand in the place of u̇, the direction is seed_q, seed_u, and multipliers are "loads". The
    outputs "by_position" and "by_speed" have one entry for each force element, then gravity, then constraints.
    """
    import casadi

    from gyrostat.equations.energy import energy
    from gyrostat.equations.power import load_power
    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.scalar.traced import as_sx, column

    arguments, motion = trace.arguments, trace.motion
    virtual = motion.at(replace(motion.state, u=trace.rates))
    forces = motion.tree.coordinates.topology.model.forces.values()
    powers: list[Scalar | Any] = [as_sx(load_power(list(force.loads(motion)), virtual)) for force in forces]
    moving = column(coordinate_rates(motion.tree, virtual.state))
    powers.append(-casadi.jtimes(as_sx(energy(motion).gravity), arguments["q"], moving))
    arguments["loads"] = casadi.SX(0, 1)
    constraint_power = casadi.SX(0.0)
    if constrained(trace):
        found = constraints_of(trace)
        arguments["loads"] = casadi.SX.sym("loads", len(found.rows))
        constraint_power = -casadi.mtimes(arguments["loads"].T, casadi.mtimes(found.matrix, arguments["udot"]))
    powers.append(constraint_power)
    every = casadi.vertcat(*powers)
    return {
        "by_position": casadi.densify(casadi.jtimes(every, arguments["q"], arguments["seed_q"])),
        "by_speed": casadi.densify(casadi.jtimes(every, arguments["u"], arguments["seed_u"])),
    }
