"""First and second derivatives of coordinates in time: q̇ = N(q) u and q̈ = Ṅ u + N u̇."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.state import MotionState
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet, JetScalars, as_jet


def coordinate_rates(mechanism: KinematicTree[Carried], state: MotionState) -> list[Scalar]:
    """Return q̇ = N(q) u."""
    coordinates = mechanism.coordinates
    rates: list[Scalar] = [0] * coordinates.n_q
    for name, layout in coordinates.joints.items():
        joint = coordinates.elements[name]
        if joint.speeds_are_rates:
            for q_place, u_place in zip(layout.coordinates, layout.speeds, strict=True):
                if isinstance(q_place, int) and isinstance(u_place, int):
                    rates[q_place] = state.u[u_place]
            continue
        pairs = zip(joint.coordinates, layout.coordinates, strict=True)
        q = [state.q[place] if isinstance(place, int) else coordinate.rest for coordinate, place in pairs]
        u: list[Scalar] = [state.u[place] if isinstance(place, int) else 0 for place in layout.speeds]
        for place, rate in zip(layout.coordinates, joint.coordinate_rates(q, u, mechanism.value), strict=True):
            if isinstance(place, int):
                rates[place] = rate
    for q_index, u_index in coordinates.rotors.values():
        rates[q_index] = state.u[u_index]
    return rates


def coordinate_accelerations(tree: KinematicTree[Carried], state: MotionState, udot: Sequence[Scalar]) -> list[Scalar]:
    """Return q̈ = Ṅ u + N u̇: the rates of q̇ = N(q) u, formed on jets."""
    qdot = coordinate_rates(tree, state)
    q = [Jet(value, rate) for value, rate in zip(state.q, qdot, strict=True)]
    u = [Jet(value, rate) for value, rate in zip(state.u, udot, strict=True)]
    value = Evaluator(JetScalars(tree.value.scalars), tree.value.lookup)
    moving = replace(tree, value=value)
    return [
        as_jet(rate).rate
        for rate in coordinate_rates(moving, MotionState(q, u, Jet(state.t, 1), state.inputs, state.z))
    ]
