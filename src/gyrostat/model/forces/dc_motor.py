"""DC motor on a joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import Quantity, QuantityKind, ReferenceKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, square, subtract


@dataclass(frozen=True)
class DCMotor(ForceElement):
    """A DC motor with a gear on a coordinate of a joint; its state is the current, `name.current`.

    The torque on the coordinate is N K i, and L i′ = V − R i − N K ω, with ω the coordinate's rate. The constant K is
    that of torque (N·m/A) and of the back-EMF (V·s/rad). Energy: ½ L i² is stored, V i supplied, R i² dissipated. The
    inertia of the rotor belongs to the body that it turns, multiplied by N².
    """

    stores_energy: ClassVar[bool] = True
    supplies_power: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "torque": ForceOutput(1, "N·m", "load on the coordinate", sliding_unit="N", kinematic=True),
        "voltage": ForceOutput(1, "V", "voltage"),
        "power": ForceOutput(1, "W", "power on the coordinate", kinematic=True),
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    resistance: Quantity = value(QuantityKind(), doc="resistance R (Ω)")
    inductance: Quantity = value(QuantityKind(), doc="inductance L (H)")
    constant: Quantity = value(QuantityKind(), doc="constant K of torque and back-EMF (N·m/A = V·s/rad)")
    gear: Quantity = value(QuantityKind(), 1, doc="turns N of the motor per turn of the joint (rad/m on a slide)")
    voltage: Quantity = value(QuantityKind(LAW), 0, doc="voltage V, a formula (V)")
    initial: Quantity = value(QuantityKind(), 0, doc="initial current (A)", keyword=True)

    def validate(self, place: Place) -> None:
        """Require an inductance."""
        remedy = "Without inductance the current is no state: give the torque by a formula, with an Actuator."
        require_positive(place, "inductance", self.inductance, remedy)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The current."""
        return (StateVariable(f"{self.name}.current", "A", f"current of motor {self.name}", self.initial),)

    def _current(self, motion: Motion) -> Scalar:
        return motion.quantity(f"{self.name}.current")

    def _transmission(self, motion: Motion) -> Scalar:
        """Return N K."""
        return multiply(motion.evaluate(self.gear), motion.evaluate(self.constant))

    def _torque(self, motion: Motion) -> Scalar:
        return multiply(self._transmission(motion), self._current(motion))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the torque on the coordinate."""
        yield CoordinateLoad(self.joint, self._torque(motion))

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of the current."""
        drop = multiply(motion.evaluate(self.resistance), self._current(motion))
        back = multiply(self._transmission(motion), motion.speed(self.joint))
        voltage = subtract(subtract(motion.evaluate(self.voltage), drop), back)
        return {f"{self.name}.current": divide(voltage, motion.evaluate(self.inductance))}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return torque, voltage and mechanical power."""
        return {**self.measured(motion), "voltage": motion.evaluate(self.voltage)}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return torque and power, which follow from the current without the voltage."""
        torque = self._torque(motion)
        return {"torque": torque, "power": multiply(torque, motion.speed(self.joint))}

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint

    def potential(self, motion: Motion) -> Scalar:
        """Return the magnetic energy ½ L i²."""
        return divide(multiply(motion.evaluate(self.inductance), square(self._current(motion))), 2)

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the electric power V i."""
        return multiply(motion.evaluate(self.voltage), self._current(motion))
