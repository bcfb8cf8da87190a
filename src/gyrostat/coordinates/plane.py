"""Planar mechanisms: all axes of rotation along one normal, all slides and gravity across it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.model import Joint, Model
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND

_SLACK = 1e-12


@dataclass(frozen=True)
class Plane:
    """A plane across one of the ground's axes, which all bodies' frames have in common."""

    normal: str

    @property
    def axes(self) -> tuple[str, str]:
        """The two axes in the plane, in the order in which they make a right-handed frame with the normal."""
        i = "xyz".index(self.normal)
        return "xyz"[(i + 1) % 3], "xyz"[(i + 2) % 3]


def plane_of(model: Model) -> Plane | None:
    """Return the plane that a mechanism moves in, or None if it is not planar.

    The normal is one of the axes x, y, z of the ground; every body's own axis of that name must be along it.
    Dimensions have the model's own values; without values of all parameters the mechanism is not taken as planar.
    """
    known = model.values()
    if len(known) < len(model.parameters):
        return None
    return next((Plane(axis) for axis in "zxy" if _moves_across(model, np.eye(3)["xyz".index(axis)])), None)


def _moves_across(model: Model, normal: NDArray[np.float64]) -> bool:
    """Return whether all bodies move across a direction that they and the ground have in common."""
    value = model.evaluator()
    gravity = np.array(value.vector(model.gravity), dtype=float)
    if abs(float(gravity @ normal)) > _SLACK * max(1.0, float(np.abs(gravity).max())):
        return False
    if any(not _allows(model, joint, normal) for joint in model.joints.values()):
        return False
    return _reaches_all(model)


def _reaches_all(model: Model) -> bool:
    """Return whether joints connect all bodies with the ground; others may move freely."""
    reached, waiting = {GROUND}, deque([GROUND])
    while waiting:
        body = waiting.popleft()
        for joint in model.joints.values():
            for here, there in ((joint.parent.body, joint.child.body), (joint.child.body, joint.parent.body)):
                if here == body and there not in reached:
                    reached.add(there)
                    waiting.append(there)
    return len(reached) == len({GROUND, *model.bodies})


def _allows(model: Model, joint: Joint, normal: NDArray[np.float64]) -> bool:
    """Return whether a joint moves only across the normal, seen from both of its sides alike."""
    sides = [_rotation(model, end).T @ normal for end in (joint.parent, joint.child)]
    if float(np.abs(sides[0] - sides[1]).max()) > _SLACK:
        return False
    if joint.planar_freedoms is None and not joint.flexible:
        return False
    rest, value = [coordinate.rest for coordinate in joint.coordinates], model.evaluator()
    if np.abs(np.array(joint.pose(rest, value).R_PC, dtype=float) @ sides[1] - sides[0]).max() > _SLACK:
        return False  # the arm of a beam that is twisted, or curved out of the plane, without load
    modes = joint.motion_space(rest, value)
    for mode in modes:
        turning, sliding = np.array(mode.angular, dtype=float), np.array(mode.linear, dtype=float)
        if np.abs(np.cross(turning, sides[0])).max() > _SLACK or abs(float(sliding @ sides[0])) > _SLACK:
            return False
    return True


def _rotation(model: Model, end: End) -> NDArray[np.float64]:
    placement = model.placement(end, model.evaluator())
    assert placement is not None, "a checked model has every end"
    return np.array(placement[0], dtype=float)
