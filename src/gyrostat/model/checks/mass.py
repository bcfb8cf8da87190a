"""Checks of mass properties: physically possible values, and a mass matrix that is positive definite."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from gyrostat.errors import Fault
from gyrostat.lazy import LaterClass, LaterModule
from gyrostat.model.body import Body
from gyrostat.model.checks.finding import Subject
from gyrostat.model.joints import Joint
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.spatial import MassProperties, Matrix, Vector, apply, cross, dot, minus, plus, transpose

if TYPE_CHECKING:
    import numpy as np

    from gyrostat.model.forces import VariableMass
else:
    np = LaterModule("numpy")
    VariableMass = LaterClass("gyrostat.model.forces.variable_mass", "VariableMass")

_ROUNDING = 1e-9
"""Relative tolerance: the inertia of a thin rod satisfies the triangle inequality with equality, up to rounding."""

_MINOR_THRESHOLD = 1e-6
"""Minors of the second moments of mass, relative to the half trace of the inertia, that are more than rounding."""

_SHIFT_ROUNDING = 1e-12
"""Relative rounding of the inertia of a composite, which is shifted to its mass centre."""

_SMALLEST_RADIUS = 1e-9
"""A radius of gyration (m) below which moments of inertia count as zero: no rigid body is so small."""

_LARGEST_MAGNITUDE = 1e100
"""Upper bound of magnitudes: the product of three smaller numbers is finite."""

_SMALLEST_EIGENVALUE = 1e-13
"""Smallest eigenvalue of a scaled kinetic energy that is distinguishable from zero in floating point."""


def mass_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of physically impossible masses and inertias."""
    for name, body in subject.model.bodies.items():
        if name in subject.indefinite:
            continue
        limits = _limit_faults(subject, body)
        yield from limits
        if limits or name == GROUND:
            continue
        properties = subject.mass_properties(body)
        if not _finite(properties):
            path = ("inertia",) if body.inertia is not None else ("properties",)
            yield subject.fault(body, path, "its mass properties exceed the floating-point range.", "Rescale them.")
            continue
        if properties.mass < 0:
            yield subject.fault(body, ("mass",), f"its mass is {properties.mass:g}.", "A mass cannot be negative.")
        yield from _inertia_faults(subject, body, properties)


def _limit_faults(subject: Subject, body: Body) -> list[Fault]:
    """Return the faults of dimensions of a body's solid, surfaces and shapes."""
    if body.properties is None and not body.surfaces and not body.shape:
        return []
    place = Place(body.describe())
    if body.properties is not None:
        body.properties.check_limits(subject.number, place.inside("properties").inside(body.properties.tag))
    for surface, shape in body.surfaces.items():
        shape.check_limits(subject.number, place.inside("surfaces").inside(surface).inside(shape.tag))
    for i, shape in enumerate(body.shape or ()):
        shape.check_limits(subject.number, place.inside("shape").inside(i).inside(shape.tag))
    return [subject.fault(body, fault.path, fault.fact, fault.remedy) for fault in place.faults]


def _finite(properties: MassProperties) -> bool:
    """Return whether mass, first moments and inertia about the origin stay within the floating-point range."""
    x, y, z = properties.inertia
    return bool(sum(map(abs, (properties.mass, *properties.com, *x, *y, *z))) < _LARGEST_MAGNITUDE)


def _inertia_faults(subject: Subject, body: Body, properties: MassProperties) -> Iterator[Fault]:
    inertia = properties.inertia
    if not any(x for row in inertia for x in row):
        if body.rotors and any(rotor.inertia is not None for rotor in body.rotors):
            yield subject.fault(
                body, ("rotors",), "it has rotors but no inertia.", "Its inertia includes its rotors, locked."
            )
        return
    path = ("inertia",) if body.inertia is not None else ("properties",)
    if not _extends(inertia) and (broken := violation(properties, moments := principal_moments(inertia))) is not None:
        listed = f"principal moments {', '.join(f'{moment:.6g}' for moment in moments)}"
        if broken is InertiaViolation.NEGATIVE:
            fact, remedy = f"its inertia has a negative principal moment ({listed}).", "Check signs and entries."
        else:
            fact = f"its inertia violates the triangle inequality ({listed})."
            remedy = f"{InertiaViolation.TRIANGLE.value}; is the inertia about the mass centre?"
        yield subject.fault(body, path, fact, remedy)
    if properties.mass == 0:
        yield subject.fault(body, path, "it has inertia but no mass.", "Give it a mass.")
    yield from _rotor_faults(subject, body, inertia)


def _extends(inertia: Matrix) -> bool:
    """Tell whether an inertia J is surely that of a body that extends in three directions.

    Then ½ tr J 1 − J, the second moments of its mass, is positive definite, by its leading minors and more than
    rounding, and no principal moment has to be computed.
    """
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
    half = (xx + yy + zz) / 2
    a, b, c = half - xx, half - yy, half - zz
    whole = a * (b * c - yz * yz) - xy * (xy * c + xz * yz) - xz * (xy * yz + xz * b)
    clear = half > 0 and a > _MINOR_THRESHOLD * half and a * b - xy * xy > _MINOR_THRESHOLD * half**2
    return bool(clear and whole > _MINOR_THRESHOLD * half**3)


class InertiaViolation(Enum):
    """A law that an inertia breaks, in words."""

    NEGATIVE = "Masses and moments of inertia cannot be negative"
    TRIANGLE = "No principal moment exceeds the sum of the other two"


def violation(properties: MassProperties, moments: Sequence[float]) -> InertiaViolation | None:
    """Return the law that principal moments, in ascending order, break by more than rounding.

    Rounding is measured by the largest moment, by the mass at the distance of the mass centre, from where a composite
    is shifted, and by the smallest radius of gyration.
    """
    a, b, c = moments
    shift = _SHIFT_ROUNDING * float(dot(properties.com, properties.com))
    slack = _ROUNDING * abs(c) + abs(properties.mass) * (shift + _SMALLEST_RADIUS**2)
    if a < -slack:
        return InertiaViolation.NEGATIVE
    return InertiaViolation.TRIANGLE if c > a + b + slack else None


def rotor_exceeds(axial: float, about: float) -> bool:
    """Tell whether the axial inertia of a rotor is negative, or larger than that of its body about the same axis."""
    return axial < 0 or axial > about * (1 + _ROUNDING)


def principal_moments(inertia: Matrix) -> list[float]:
    """Return the principal moments in ascending order."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
    if not (xy or xz or yz):
        return sorted((float(xx), float(yy), float(zz)))

    return sorted(np.linalg.eigvalsh(np.array(inertia, dtype=float)).tolist())


def _rotor_faults(subject: Subject, body: Body, inertia: Matrix) -> Iterator[Fault]:
    for rotor in body.rotors:
        if rotor.inertia is None:
            continue
        axis = subject.evaluator.direction(rotor.axis)
        axial, about = subject.evaluator(rotor.inertia), float(dot(axis, apply(inertia, axis)))
        path = ("rotors", rotor.name, "inertia")
        if rotor_exceeds(axial, about):
            fact = f"rotor {rotor.name!r} has axial inertia {axial:g}, the body about the same axis {about:g}."
            yield subject.fault(body, path, fact, "The body's inertia includes its rotors, locked.")
        elif axial == 0 and rotor.free:
            fact = f"rotor {rotor.name!r} turns freely, but has no inertia."
            yield subject.fault(body, path, fact, "Give it an axial inertia, or its spin or momentum.")


def massless_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each joint at the end of a chain with a coordinate that has no kinetic energy.

    Massless terminal bodies without mobility are removed one by one. Loops are not examined.
    """
    joints_of: dict[str, dict[str, Joint]] = {}
    for joint in subject.joints.values():
        for name in (joint.parent.body, joint.child.body):
            joints_of.setdefault(name, {})[joint.name] = joint
    bodies = subject.model.bodies
    loaded = {force.body for force in subject.forces.values() if isinstance(force, VariableMass)}
    ends = [name for name, joints in joints_of.items() if len(joints) == 1 and name in bodies and name != GROUND]
    while ends:
        name = ends.pop()
        if not joints_of[name] or name in subject.indefinite or name in subject.lost or name in loaded:
            continue
        (joint,) = joints_of[name].values()
        if joint.flexible:
            continue  # the mass is that of the sections between the stations
        properties = subject.mass_properties(bodies[name])
        if not _finite(properties):
            continue
        without = _without_inertia(subject, joint, name, properties)
        if without:
            fact = f"{without} would have no inertia: body {name!r} cannot resist it."
            yield subject.fault(
                joint, (), fact, "Give the body mass or inertia, use another joint, or drive the coordinate."
            )
        elif properties.mass == 0 and not any(dot(row, row) for row in properties.inertia):
            other = joint.parent.body if joint.child.body == name else joint.child.body
            del joints_of[other][joint.name]
            joints_of[name] = {}
            if len(joints_of[other]) == 1 and other in bodies and other != GROUND:
                ends.append(other)


def _without_inertia(subject: Subject, joint: Joint, name: str, properties: MassProperties) -> str:
    """Return a description of the joint speeds without kinetic energy at the terminal body, or empty text."""
    if joint.name in subject.indefinite or joint.parent.body == joint.child.body:
        return ""
    # away from zero angles, where a sequence such as zxz is singular for every body
    somewhere = [1 if coordinate.measure == "angle" else coordinate.rest for coordinate in joint.coordinates]
    modes = [
        (label, mode)
        for label, mode in zip(joint.speed_labels, joint.motion_space(somewhere, subject.evaluator), strict=True)
        if label.removesuffix(".rate") not in (*joint.driven, *joint.armature)
    ]
    if not modes:
        return ""
    end = joint.child if joint.child.body == name else joint.parent
    placement = subject.model.placement(end, subject.evaluator)
    if placement is None:
        return ""
    R_BJ, r_BJ_B = placement
    inertia_J = properties.turned(transpose(R_BJ))
    arm = minus(inertia_J.com, apply(transpose(R_BJ), r_BJ_B))
    turning = [mode.angular for _, mode in modes]
    moving = [plus(mode.linear, cross(mode.angular, arm)) for _, mode in modes]
    idle, singular = _singular_speeds(properties.mass, inertia_J.inertia, turning, moving, arm)
    if idle:
        return ", ".join(repr(joint.full_name(modes[k][0])) for k in idle)
    return f"a combination of the speeds of joint {joint.name!r}" if singular else ""


def _singular_speeds(
    mass: float, inertia: Matrix, turning: list[Vector], moving: list[Vector], arm: Vector
) -> tuple[list[int], bool]:
    """Return the speeds without kinetic energy, and whether a combination of the others has none.

    `turning` and `moving` hold, for each speed, the angular velocity and the velocity of the mass centre. Energies
    within rounding error count as zero: first order in products with the inertia, second order in squared velocities.
    """
    speeds = range(len(turning))
    momenta = [apply(inertia, w) for w in turning]
    kinetic = [[dot(turning[i], momenta[j]) + mass * dot(moving[i], moving[j]) for j in speeds] for i in speeds]
    trace, lever = inertia[0][0] + inertia[1][1] + inertia[2][2], dot(arm, arm)
    rounding = [
        _SMALLEST_EIGENVALUE * trace * turned + _SMALLEST_EIGENVALUE**2 * mass * (dot(v, v) + lever * turned)
        for w, v in zip(turning, moving, strict=True)
        for turned in (dot(w, w),)
    ]
    energy = [kinetic[i][i] for i in speeds]
    finite = all(map(math.isfinite, rounding)) and all(math.isfinite(x) for row in kinetic for x in row)
    if not finite or any(e < -r for e, r in zip(energy, rounding, strict=True)):
        return [], False  # overflow or an impossible inertia: reported by other checks
    idle = [i for i in speeds if energy[i] <= rounding[i]]
    if idle:
        return idle, True
    return [], len(speeds) > 1 and _is_singular(kinetic, [math.sqrt(e) for e in energy])


def _is_singular(kinetic: list[list[float]], size: list[float]) -> bool:
    """Return whether a kinetic energy, scaled to unit diagonal, is singular within rounding error."""

    scaled = np.array(kinetic) / size / np.array(size)[:, np.newaxis]
    return bool(abs(np.linalg.eigvalsh(scaled)[0]) <= _SMALLEST_EIGENVALUE)
