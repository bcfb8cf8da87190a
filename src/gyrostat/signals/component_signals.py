"""Signals of single components: bodies and places on them, joints, force elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from operator import methodcaller

from gyrostat.model.body import Body
from gyrostat.model.forces import ForceElement, ForceOutput
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.signals.rotations import WORLD, relative_position, relative_rotation, relative_velocity, roll_pitch_yaw
from gyrostat.signals.signal import ANGLES, AXES, MATRIX, QUATERNION, Level, Signal, SystemInstant

UNITS = {"angle": "rad", "length": "m", "number": "1"}
"""Units of coordinates by their measure."""


def body_signals(body: Body) -> dict[str, Signal]:
    """Return the signals of a body and of its places; a name of a place goes before an output of the same name."""
    ends = [End(body.name), *(End(body.name, place) for place in (*body.points, *body.frames))]
    accelerations = [place_acceleration(end, "acc") for end in ends]
    turning = [] if body.name == GROUND else [*_orientation_signals(body.name), *_momenta(body.name)]
    places = [one for end in ends for one in _place_signals(end)]
    order = {signal.name: signal for signal in (*places, *accelerations, *turning)}
    return order | {signal.name: signal for signal in places}


def _place_signals(end: End) -> Iterator[Signal]:
    """Yield the position and the velocity of a place on a body."""
    name = str(end)
    yield Signal(name, "m", f"position of {name}", Level.POSITION, methodcaller("position", end), AXES)
    velocity = f"{name}.velocity"
    yield Signal(velocity, "m/s", f"velocity of {name}", Level.SPEED, methodcaller("velocity", end), AXES)


def place_acceleration(end: End, suffix: str) -> Signal:
    """Return the acceleration of a place on a body, under a suffix."""
    form = methodcaller("place_acceleration", end)
    return Signal(f"{end}.{suffix}", "m/s²", f"acceleration of {end}", Level.ACCELERATION, form, AXES)


def _orientation_signals(body: str) -> Iterator[Signal]:
    """Yield angular velocity and acceleration, and the orientation of a body in several forms."""
    yield omega(body)
    alpha = methodcaller("alpha", body)
    yield Signal(f"{body}.alpha", "rad/s²", f"angular acceleration of {body}", Level.ACCELERATION, alpha, AXES)
    form = methodcaller("quaternion", body)
    yield Signal(f"{body}.quaternion", "1", f"orientation of {body}", Level.COURSE, form, QUATERNION)
    yield from rotation_signals(body, WORLD, End(body))


def omega(body: str) -> Signal:
    """Return the angular velocity of a body."""
    form = methodcaller("omega", body)
    return Signal(f"{body}.omega", "rad/s", f"angular velocity of {body}", Level.SPEED, form, AXES)


def rotation_signals(name: str, base: End, end: End) -> Iterator[Signal]:
    """Yield the rotation from the axes of one place to those of another: as a matrix, as angles, as a vector."""
    matrix, angles = partial(relative_rotation, base, end), partial(roll_pitch_yaw, base, end)
    vector = methodcaller("rotation_vector", base, end)
    yield Signal(f"{name}.rotation", "1", f"rotation matrix of {name}", Level.POSITION, matrix, MATRIX)
    yield Signal(f"{name}.rpy", "rad", f"roll, pitch and yaw of {name}", Level.POSITION, angles, ANGLES)
    yield Signal(f"{name}.rotation_vector", "rad", f"rotation vector of {name}", Level.COURSE, vector, AXES)


def _momenta(body: str) -> Iterator[Signal]:
    """Yield the momenta of a body."""
    linear, angular = methodcaller("momentum", body), methodcaller("angular_momentum", body)
    yield Signal(f"{body}.momentum", "kg·m/s", f"linear momentum of {body}", Level.SPEED, linear, AXES)
    description = f"angular momentum about the mass centre of {body}"
    yield Signal(f"{body}.angular_momentum", "kg·m²/s", description, Level.SPEED, angular, AXES)


def joint_signals(joint: Joint, known: Mapping[str, object]) -> Iterator[Signal]:
    """Yield all coordinates of a joint together, if it has several, and the rotation of child against parent."""
    names = joint.coordinate_names
    if len(names) > 1 and all(name in known for name in names):
        unit = " or ".join(dict.fromkeys(UNITS[coordinate.measure] for coordinate in joint.coordinates))
        labels = tuple(coordinate.label for coordinate in joint.coordinates)
        form = partial(_quantities, names)
        yield Signal(joint.name, unit, f"coordinates of {joint.name}", Level.POSITION, form, labels)
    if any(coordinate.measure != "length" for coordinate in joint.coordinates):
        yield from rotation_signals(joint.name, joint.parent, joint.child)


def _quantities(names: tuple[str, ...], instant: SystemInstant) -> list[object]:
    return [instant.quantity(name) for name in names]


def driver_signals(coordinate: str, measure: str) -> Iterator[Signal]:
    """Yield the load of the driver of a coordinate; of an angle it is a torque."""
    form, unit = methodcaller("driver_load", coordinate), "N" if measure == "length" else "N·m"
    for suffix in ("load",) if measure == "length" else ("load", "torque"):
        name = f"{coordinate}.{suffix}"
        yield Signal(name, unit, f"load of the driver of {coordinate}", Level.LOAD, form)


def reaction_signals(joint: str, stem: str) -> Iterator[Signal]:
    """Yield force and moment of a joint's parent on its child, under names with a stem."""
    for part, unit in (("force", "N"), ("moment", "N·m")):
        form = methodcaller(f"reaction_{part}", joint)
        yield Signal(f"{stem}.{part}", unit, f"{part} in {joint}", Level.LOAD, form, AXES)


def force_signals(force: ForceElement, outputs: Mapping[str, ForceOutput]) -> Iterator[Signal]:
    """Yield the outputs of a force element, its power, and its energy if it stores any."""
    name = force.name
    if "power" not in outputs:
        form = methodcaller("power", name)
        yield Signal(f"{name}.power", "W", f"power of the loads of {name} on the system", Level.SPEED, form)
    if force.stores_energy and "energy" not in outputs:
        form = methodcaller("potential", name)
        yield Signal(f"{name}.energy", "J", f"potential energy of {name}", Level.SPEED, form)
    for label, output in outputs.items():
        form = methodcaller("observed", name, label)
        labels = AXES if output.size == 3 else ()
        yield Signal(f"{name}.{label}", output.unit, f"{output.description} of {name}", Level.SPEED, form, labels)


def relative_signal(name: str, end: End, base: End, *, velocity: bool) -> Signal:
    """Return the position of a place from another in the axes of that other, or its rate."""
    if velocity:
        form = partial(relative_velocity, end, base)
        return Signal(name, "m/s", f"velocity of {end} relative to {base}, in its axes", Level.SPEED, form, AXES)
    form = partial(relative_position, end, base)
    return Signal(name, "m", f"position of {end} from {base}, in its axes", Level.POSITION, form, AXES)
