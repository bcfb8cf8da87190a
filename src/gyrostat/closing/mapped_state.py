"""States mapped from one choice of coordinates to another through the motion of the bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.floating import Floating, FloatingInPlane
from gyrostat.coordinates.row import StateParts
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.chords import chord_motion
from gyrostat.kinematics.driving_inputs import driving_values
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.turn_sums import turn_between
from gyrostat.kinematics.world import WorldMotion
from gyrostat.results.mechanics import BodyPose
from gyrostat.spatial import UNIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gyrostat.model.joints import Joint
    from gyrostat.system.system import System


def mapped_state(
    source: System, target: System, state: StateParts, t: float, parameters: Mapping[str, object] | None
) -> StateParts:
    """Return a state of one system in the coordinates of another of the same model.

    Values that have the same name in both are taken over; others follow from the motion of the bodies.
    """
    q, u, z = state
    motion = motion_at(source, q, u, t, parameters)
    known = dict(zip((*source.coordinate_names, *source.speed_names), (*q.tolist(), *u.tolist()), strict=True))
    for element in target.coordinates.elements.values():
        if any(n not in known for n in (*element.coordinate_names, *element.speed_names)):
            known |= {n: x for n, x in _of_element(motion, element).items() if n not in known}
    found = [np.array([known[n] for n in names]) for names in (target.coordinate_names, target.speed_names)]
    return StateParts(found[0].astype(float).reshape(-1), found[1].astype(float).reshape(-1), z.copy())


def motion_at(
    system: System, q: Floats, u: Floats, t: float = 0.0, parameters: Mapping[str, object] | None = None
) -> WorldMotion:
    """Return the kinematics of a system at a position and speeds, as numbers; inputs are zero and no states known."""
    mechanism = build_mechanism(system.coordinates, system.model.evaluator(parameters))
    driving = driving_values(system.model, t, system.model.values(parameters))
    inputs = {**dict.fromkeys(system.inputs, 0.0), **driving}
    return mechanism.kinematics_at(MotionState(q.tolist(), u.tolist(), t, inputs))


def _of_element(motion: WorldMotion, element: Joint) -> dict[str, float]:
    """Return the coordinates and speeds of a joint, or of a body relative to the ground, in a motion."""
    found = chord_motion(motion, element)
    if isinstance(element, Floating):
        R_PC = np.array(found.pose.R_PC, dtype=float)
        q = (*found.pose.r_PC_P, *BodyPose(np.zeros(3), R_PC).quaternion)
        u = (*(R_PC @ np.array(found.twist.linear, dtype=float)), *found.twist.angular)
    elif isinstance(element, FloatingInPlane):
        q, u = _in_plane(motion, element)
    else:
        q = found.coordinates
        u = element.measured_speeds(q, found.twist, found.value)
    values = zip((*element.coordinate_names, *element.speed_names), (*q, *u), strict=True)
    return {name: float(x) for name, x in values}


def _in_plane(motion: WorldMotion, element: FloatingInPlane) -> tuple[tuple[float, ...], tuple[float, ...]]:
    place, (i, j) = motion.end(element.child), ("xyz".index(axis) for axis in element.plane.axes)
    counted = turn_between(motion.tree, element.parent, element.child, UNIT[element.plane.normal])
    if counted is None:
        angle = float(np.arctan2(place.rotation[j][i], place.rotation[i][i]))
    else:
        angle = float(counted.value(motion.state, motion.tree.value))
    turning = place.omega["xyz".index(element.plane.normal)]
    return (place.position[i], place.position[j], angle), (place.velocity[i], place.velocity[j], turning)
