"""Friction on a coordinate of a joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.friction import FRICTION_LAWS, Friction, FrictionLaw, Sliding
from gyrostat.model.kinds import Quantity, QuantityKind, ReferenceKind, TaggedKind
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.operations import without_switches


@dataclass(frozen=True)
class JointFriction(ForceElement):
    """Friction on one coordinate of a joint, by a friction law: `Coulomb`, `Stribeck`, `LuGre` or `Bristle`.

    The normal load multiplies the coefficients of the law. By default it is 1, so that coefficients are forces, or
    torques on an angle. Laws with bristles have the deflection as a state, `name.bristle`; they are stiff, and
    `gs.Rodas5P()` integrates them best.
    """

    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "friction on the coordinate", sliding_unit="N"),
        "sliding": ForceOutput(1, "rad/s", "rate of the coordinate", sliding_unit="m/s", kinematic=True),
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    law: FrictionLaw = value(TaggedKind(lambda: FRICTION_LAWS), doc="the friction law")
    load: Quantity = value(QuantityKind(LAW), 1, doc="normal load, a formula; it is at least zero")

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The deflection of the bristles, for laws that have them."""
        if not self.law.has_bristle:
            return ()
        return (StateVariable(f"{self.name}.bristle", "", f"deflection of the bristles of {self.name}"),)

    def _friction(self, motion: Motion) -> Friction:
        bristle = (motion.quantity(f"{self.name}.bristle"),) if self.law.has_bristle else ()
        velocity = (motion.speed(self.joint),)
        return self.law.friction(
            # laws of friction are continuous: their conditions are no switches
            Sliding(velocity, motion.evaluate(self.load), bristle, without_switches(motion.scalars), motion.evaluate)
        )

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the friction on the coordinate."""
        yield CoordinateLoad(self.joint, self._friction(motion).force[0])

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of the deflection."""
        return {f"{self.name}.bristle": self._friction(motion).rates[0]}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the friction and the rate of the coordinate."""
        return {"force": self._friction(motion).force[0], **self.measured(motion)}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of the coordinate."""
        return {"sliding": motion.speed(self.joint)}

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint
