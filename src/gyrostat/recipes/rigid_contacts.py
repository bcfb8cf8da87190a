"""Rigid contacts on the traced engine: gaps, relative speeds, their free accelerations, and the mobility of loads."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.forces.rigid_element import INPUTS, ROWS, Touching, rigid_elements
from gyrostat.recipes.signal_recipes import rates_of
from gyrostat.recipes.trace import Trace
from gyrostat.recipes.traced_instant import solved_rates
from gyrostat.scalar import Scalar
from gyrostat.scalar.traced import column
from gyrostat.spatial import apply, dot, transpose


def form_contact_terms(trace: Trace) -> dict[str, Any]:
    """Return gaps (n), speeds v (4 n), v̇ at the loads in the inputs, (∂v/∂u)ᵀ, M⁻¹Wᵀ, and displacements of q.

    The speeds of a contact are that of separation and the components of the tangential velocity. M⁻¹Wᵀ (n_u, 4 n) has
    the accelerations per unit of each load, with constraints including their loads. The displacements are q̇ of its
    columns of normal loads, (n_q, n). Contact points and normals follow, (3 n).
    """
    motion, arguments = trace.motion, trace.arguments
    model = motion.tree.coordinates.topology.model
    contacts = rigid_elements(model.forces.values())
    found = [one for contact in contacts for one in contact.touches(motion)]
    gaps = column(one.gap for one in found)
    speeds = casadi.densify(column(x for one in found for x in _speeds(one)))
    labels = [label for contact in contacts for label in contact.labels]
    places = [list(model.inputs).index(f"{label}.{one}") for label in labels for one in INPUTS[:ROWS]]
    loads = casadi.vertcat(*(arguments["inputs"][place] for place in places))
    mobility = casadi.densify(casadi.jacobian(column(solved_rates(trace)), loads))
    rates = column(coordinate_rates(motion.tree, motion.state))
    by_speed = casadi.jacobian(rates, arguments["u"])
    return {
        "gaps": casadi.densify(gaps),
        "speeds": speeds,
        "accelerations": rates_of(trace, speeds),
        "directions": casadi.densify(casadi.jacobian(speeds, arguments["u"])).T,
        "mobility": mobility,
        "displacements": casadi.densify(casadi.mtimes(by_speed, mobility[:, ::ROWS])),
        "points": casadi.densify(column(x for one in found for x in one.point)),
        "normals": casadi.densify(column(x for one in found for x in one.normal)),
    }


def _speeds(touching: Touching) -> tuple[Scalar, ...]:
    """Return the speed of separation and the components of sliding in the axes of b's shape."""
    return dot(touching.normal, touching.velocity), *apply(transpose(touching.axes), touching.sliding)
