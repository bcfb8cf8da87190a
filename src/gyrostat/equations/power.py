"""Power of drivers and of the motors of rotors, which is the rate of the energy."""

from __future__ import annotations

from gyrostat.equations.dynamics import FoundLoads, driver_loads
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply
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
