"""Rates of coordinates: q̇ = N(q) u."""

from __future__ import annotations

from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.state import State
from gyrostat.scalar import Scalar


def coordinate_rates(mechanism: KinematicTree[Carried], state: State) -> list[Scalar]:
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
