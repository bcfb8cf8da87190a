"""Power of drivers, of the motors of rotors and of masses that vary, which is the rate of the energy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gyrostat.equations.dynamics import FoundLoads, driver_loads
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.jet_motion import in_time
from gyrostat.kinematics.world import WorldMotion
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract
from gyrostat.scalar.operations import law
from gyrostat.spatial import dot


def driver_powers(found: FoundLoads) -> dict[str, Scalar]:
    """Return the power of the driver of each driven coordinate, by name."""
    return {name: multiply(load, found.motion.speed(name)) for name, load in driver_loads(found).items()}


def rotor_powers(found: FoundLoads) -> dict[str, Scalar]:
    """Return the power of the motor of each rotor with given motion, as body.rotor, outward from the ground.

    The motor turns the rotor, with speed Ω, by the torque d/dt(h + I a·ω) against the body, where h = I Ω is the
    momentum relative to the body and a the axis: P = Ω (ḣ + I a·ω̇) = h ḣ/I + h a·ω̇. Where I is not known, energy does
    not count h²/2I (see `energy`), and its rate h ḣ/I is left out here.
    """
    motion = found.motion
    powers: dict[str, Scalar] = {}
    for link, acceleration in zip(motion.tree.links, found.accelerations, strict=True):
        for wheel in link.wheels:
            if wheel.place is not None:
                continue
            size, rate = wheel_momentum(wheel, motion.state, motion.tree.value)
            power = multiply(size, dot(wheel.axis, acceleration.angular))
            if wheel.inertia is not None:
                power = add(power, divide(multiply(size, rate), wheel.inertia))
            powers[f"{link.body}.{wheel.rotor.name}"] = power
    return powers


class MassPower(NamedTuple):
    """Powers of a mass that varies."""

    supplied: Scalar
    """Power that gives leaving mass its relative velocity and moves material within the body."""
    lost: Scalar
    """Power that is lost where arriving mass takes the velocity of the body."""
    carried: Scalar
    """Power that leaves the system with the mass."""

    @property
    def net(self) -> Scalar:
        """The rate of the energy of the system."""
        return subtract(subtract(self.supplied, self.lost), self.carried)


def mass_powers(motion: WorldMotion, rates: Sequence[Scalar]) -> dict[str, MassPower]:
    """Return the powers of masses that vary, by name, for given u̇; only shifts of material depend on u̇."""
    elements, found = motion.tree.varying_masses, dict[str, MassPower]()
    for element in elements:
        with law(motion.scalars, element.name):
            supplied = element.supplied_power(motion)
            if element.shifts:
                shifted = element.accelerated(in_time(motion, rates))
                supplied = add(supplied, shifted.drive_power(motion.gravity))
            found[element.name] = MassPower(supplied, element.lost_power(motion), element.carried_power(motion))
    return found
