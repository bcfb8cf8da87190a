"""One point of contact at an instant: forces, energies, and rates of its states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from gyrostat.model.contacts.normal_law import NormalForce
from gyrostat.model.friction import Friction
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, total
from gyrostat.spatial import ZERO, Vector, plus, scale

_LOAD_OFFSET = 1e-9
"""Load that is added to that of each point (N), so that means are defined in open contacts."""


@dataclass(frozen=True)
class Touch:
    """A point of contact; vectors are in world axes."""

    gap: Scalar
    touching: Scalar
    """The truth value of an overlap."""
    point: Vector
    direction: Vector
    """Unit vector from b to a."""
    sliding: Vector
    """The velocity of a against b along the surface."""
    normal: NormalForce
    friction: Friction | None
    friction_on_a: Vector
    moment_on_a: Vector
    """The resistance to rolling and drilling."""
    resistance: Scalar
    """The power that this resistance takes."""
    state_rates: Mapping[str, Scalar]
    """Rates of the states by full name."""
    values_at_touch: Mapping[str, Scalar]
    """The values of the states when the bodies touch."""

    @property
    def force_on_a(self) -> Vector:
        """The whole force on a."""
        return plus(scale(self.normal.force, self.direction), self.friction_on_a)

    @property
    def stored(self) -> Scalar:
        """The elastic energy."""
        return self.normal.stored if self.friction is None else add(self.normal.stored, self.friction.stored)

    @property
    def dissipation(self) -> Scalar:
        """The power that is lost."""
        lost = add(self.normal.dissipation, self.resistance)
        return lost if self.friction is None else add(lost, self.friction.dissipation)

    @staticmethod
    def mean(touches: Sequence[Touch], vectors: Sequence[Vector]) -> Vector:
        """Return the mean of vectors, one for each point of contact, weighted by the normal forces."""
        if len(touches) == 1:
            return vectors[0]
        loads = [add(touch.normal.force, _LOAD_OFFSET) for touch in touches]
        whole = total(loads)
        return total_of([scale(divide(load, whole), one) for load, one in zip(loads, vectors, strict=True)])


def total_of(vectors: Sequence[Vector]) -> Vector:
    """Return the sum of vectors."""
    return reduce(plus, vectors, ZERO)
