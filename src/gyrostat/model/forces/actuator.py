"""Actuator: an input that acts on a joint coordinate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, ReferenceKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import negate


@dataclass(frozen=True)
class Actuator(ForceElement):
    """A motor or cylinder on one coordinate; its load is an input named like the actuator, zero by default.

    With `limit`, the load stays between −limit and limit, whatever the input demands.

    >>> Actuator("motor", "a1", limit=30).limit
    Formula(source=30)
    """

    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "load on the coordinate", sliding_unit="N")
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    limit: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="greatest load in both directions (N or N·m)", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require a positive limit."""
        if self.limit is not None:
            require_positive(place, "limit", self.limit, "Give the greatest load, or leave it out.")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The actuator's own name."""
        return (self.name,)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the generalised force, equal to the input within the limit."""
        yield CoordinateLoad(self.joint, self._load(motion))

    def _load(self, motion: Motion) -> Scalar:
        demand = motion.input(self.name)
        if self.limit is None:
            return demand
        limit, call = motion.evaluate(self.limit), motion.scalars.call
        return call("min", (call("max", (demand, negate(limit))), limit))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the load."""
        return {"force": self._load(motion)}

    @property
    def may_switch(self) -> bool:
        """Whether there is a limit, at which the load changes its law."""
        return self.limit is not None

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint
