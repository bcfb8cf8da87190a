"""Power of loads on bodies and coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gyrostat.kinematics.laws import loads_of
from gyrostat.model.forces import ForceElement, Load, PointLoad
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, total
from gyrostat.spatial import dot

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


def force_power(force: ForceElement, motion: WorldMotion) -> Scalar:
    """Return the power of a force element's loads on the system, driven coordinates included."""
    return load_power(loads_of(motion, (force,)), motion)


def load_power(loads: Iterable[Load], motion: WorldMotion) -> Scalar:
    """Return the power of loads on bodies and coordinates, driven ones included."""
    terms: list[Scalar] = []
    for load in loads:
        if isinstance(load, PointLoad):
            place = motion.end(load.end)
            terms.append(add(dot(load.force, place.velocity), dot(load.moment, place.omega)))
        else:
            terms.append(multiply(load.value, motion.speed(load.coordinate)))
    return total(terms)
