"""Power of force elements, drivers and the motors of rotors, which is the rate of the energy."""

from __future__ import annotations

from collections.abc import Iterable

from gyrostat.equations.bias import wheel_momentum
from gyrostat.equations.dynamics import FoundLoads, driver_loads
from gyrostat.equations.loads import loads_of
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import ForceElement, Load, PointLoad
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, total
from gyrostat.spatial import dot


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
