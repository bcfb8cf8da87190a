"""Orientations given by angles, in the place of Euler parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.assembly.number import number
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.joints import Spherical
from gyrostat.model.names import first_few
from gyrostat.system import System


@dataclass(frozen=True)
class EulerAngles:
    """Successive turns about axes of the turned frame; `euler` makes them."""

    axes: str
    angles: tuple[object, ...]

    def quaternion(self, name: str, known: Mapping[str, float]) -> Floats:
        """Return the unit quaternion of the turns, scalar first; angles are numbers or formulas over parameters."""
        found = np.array([1.0, 0.0, 0.0, 0.0])
        for axis, angle in zip(self.axes, self.angles, strict=True):
            half = number(name, angle, known) / 2
            turn = np.zeros(4)
            turn[0], turn["xyz".index(axis) + 1] = np.cos(half), np.sin(half)
            found = _product(found, turn)
        return found


def euler(axes: str, *angles: object) -> EulerAngles:
    """Return the orientation after turns about axes of the turned frame, in order, for initial values of a joint.

    Angles are in radians, or formulas: initial={"hoist": gs.euler("zyx", "30*deg", 0.1, 0)} turns about z, then about
    the new y, then about the new x.

    >>> euler("zx", "90*deg", 0.1)
    EulerAngles(axes='zx', angles=('90*deg', 0.1))
    """
    if not isinstance(axes, str) or not axes or set(axes) - set("xyz"):
        raise StateError(f"The axes of Euler angles are {axes!r:.60}. Give letters x, y, z in order, as in 'zyx'.")
    if len(angles) != len(axes):
        raise StateError(f"Euler angles about {axes!r} need {len(axes)} angles; {len(angles)} are given.")
    return EulerAngles(axes, angles)


def by_coordinates(
    system: System, given: Mapping[str, object] | None, parameters: Mapping[str, object] | None
) -> Mapping[str, object] | None:
    """Return values by names of coordinates; orientations given by angles are written in those of their joints."""
    if not given or not any(isinstance(value, EulerAngles) for value in given.values()):
        return given
    known = system.model.values(parameters)
    found: dict[str, object] = {}
    for name, value in given.items():
        if not isinstance(value, EulerAngles):
            found[name] = value
            continue
        joint = system.model.joints.get(name) or system.coordinates.elements.get(name)
        labels = () if joint is None else joint.coordinate_names
        if f"{name}.e0" in labels:
            found |= {f"{name}.e{i}": float(x) for i, x in enumerate(value.quaternion(name, known))}
        elif isinstance(joint, Spherical) and joint.angles == value.axes:
            found |= dict(zip(labels, value.angles, strict=True))
        else:
            raise StateError(_refusal(system, name, labels))
    return found


def _refusal(system: System, name: str, labels: tuple[str, ...]) -> str:
    turning = [one for one, joint in system.model.joints.items() if f"{one}.e0" in joint.coordinate_names]
    have = f"It has {first_few(labels)}: give these." if labels else "There is no such joint."
    others = f" Joints with Euler parameters: {first_few(turning)}." if turning else ""
    return f"{name!r} has no Euler parameters, which angles could give. {have}{others}"


def _product(a: Floats, b: Floats) -> Floats:
    """Return Hamilton's product of two quaternions."""
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.concatenate(([a[0] * b[0] - a[1:] @ b[1:]], vector))
