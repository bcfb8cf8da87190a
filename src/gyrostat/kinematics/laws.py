"""Laws of force elements at a state: their loads and outputs, formed so that engines may record their conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gyrostat.model.forces import ForceElement, Load
from gyrostat.scalar.operations import law

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


def loads_of(motion: WorldMotion, forces: Iterable[ForceElement]) -> Iterator[Load]:
    """Yield the loads of force elements, each formed as a law of its own."""
    for force in forces:
        with law(motion.scalars, force.name):
            loads = tuple(force.loads(motion))
        yield from loads


def outputs_of(motion: WorldMotion, force: ForceElement) -> Mapping[str, Any]:
    """Return the outputs of a force element by name, formed as parts of its law."""
    with law(motion.scalars, force.name):
        return force.observed(motion)
