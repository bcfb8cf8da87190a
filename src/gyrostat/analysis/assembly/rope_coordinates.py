"""Coordinates of the parts of a rope from the corners between its segments."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gyrostat.analysis.assembly.rope_course import Floats
from gyrostat.errors import StateError
from gyrostat.model.compounds import Rope
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint, Pose
from gyrostat.model.kinds import End
from gyrostat.system import System

PoseOf = Callable[[End], tuple[Floats, Floats]]
"""Function that returns rotation and position of an end in world axes."""


def node_coordinates(rope: Rope, corners: Floats, pose_of: PoseOf) -> dict[str, object]:
    """Return the displacements of the nodes, in the axes of their frame."""
    R_WF, r_WF = pose_of(rope.frame)
    corners = (corners - r_WF) @ R_WF
    return {
        f"{rope.name}.m{i}.{axis}": float(x)
        for i, corner in enumerate(corners)
        for axis, x in zip("xyz", corner, strict=True)
    }


def link_coordinates(
    system: System, rope: Rope, corners: Floats, pose_of: PoseOf, value: Evaluator
) -> dict[str, object]:
    """Return the coordinates of the joints between segments, and of the joint that carries a rope with a free start.

    `value` evaluates formulas with the parameters of the call.
    """
    directions = np.diff(corners, axis=0)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    turned = _JOINT_TURNS[rope.joints]
    found: dict[str, object] = {}
    start = rope.ends[0]
    if start is not None:
        R_WP = pose_of(start)[0]
    else:
        R_WP = _first_rotation(rope, directions[0])
        carrier = _carrier(system, rope)
        pose = R_WP, corners[:2].mean(axis=0)
        found |= _measured(system, carrier, pose, pose_of, value)
    for i, direction in enumerate(directions):
        values, R_PC = turned(R_WP.T @ direction) if i or start is not None else ((), np.eye(3))
        joint = system.model.joints.get(f"{rope.name}.j{i}")
        if joint is not None:
            found |= zip(joint.coordinate_names, values, strict=True)
        R_WP = R_WP @ R_PC
    return found


def _by_hinge(d: Floats) -> tuple[tuple[float, ...], Floats]:
    """Return the angle of a hinge about z that turns x to a direction, and its rotation."""
    if abs(d[2]) > 1e-6:
        raise StateError(
            "A rope in revolute joints lies in the xy plane of the frame of its first end; the path leaves it. Turn "
            "that frame, or use joints='universal'."
        )
    angle = math.atan2(d[1], d[0])
    c, s = math.cos(angle), math.sin(angle)
    return (angle,), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _by_cross(d: Floats) -> tuple[tuple[float, ...], Floats]:
    """Return the angles of a universal joint that turns z to a direction, and its rotation."""
    first, second = math.atan2(-d[1], d[2]), math.asin(max(-1.0, min(1.0, d[0])))
    ca, sa, cb, sb = math.cos(first), math.sin(first), math.cos(second), math.sin(second)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, ca, -sa], [0.0, sa, ca]])
    return (first, second), about_x @ np.array([[cb, 0.0, sb], [0.0, 1.0, 0.0], [-sb, 0.0, cb]])


def _by_ball(d: Floats) -> tuple[tuple[float, ...], Floats]:
    """Return Euler parameters of the shortest rotation from z to a direction, and the rotation."""
    e0 = math.sqrt(max(0.0, (1.0 + d[2]) / 2))
    if e0 < 1e-8:
        return (0.0, 1.0, 0.0, 0.0), np.diag([1.0, -1.0, -1.0])
    x, y = -d[1] / (2 * e0), d[0] / (2 * e0)
    skew = np.array([[0.0, 0.0, y], [0.0, 0.0, -x], [-y, x, 0.0]])
    return (e0, x, y, 0.0), np.eye(3) + 2 * e0 * skew + 2 * skew @ skew


_JOINT_TURNS = {"revolute": _by_hinge, "universal": _by_cross, "spherical": _by_ball}


def _first_rotation(rope: Rope, direction: Floats) -> Floats:
    """Return the rotation of the first segment of a rope with a free start: in the xy plane where hinges need it."""
    return _JOINT_TURNS[rope.joints](direction)[1]


def _carrier(system: System, rope: Rope) -> Joint:
    """Return the joint that carries the first segment of a rope with a free start."""
    first, tree = f"{rope.name}.s1", system.coordinates.topology.tree
    joint = system.model.joints[tree.parent_edge[first]]
    if joint.child.body != first or joint.parent.body.startswith(f"{rope.name}."):
        raise StateError(
            f"Rope {rope.name!r} is carried by joint {joint.name!r}, not by a joint from another body to its first "
            f"segment. Joint {first!r} as the child, with gs.Planar or gs.Free."
        )
    return joint


def _measured(
    system: System, joint: Joint, pose: tuple[Floats, Floats], pose_of: PoseOf, value: Evaluator
) -> dict[str, object]:
    """Return the coordinates of a joint at a pose of its child body."""
    R_WB, centre = pose
    R_WP, r_WP = pose_of(joint.parent)
    placed = system.model.placement(joint.child, value)
    assert placed is not None, "a checked model has every end"
    R_BC, r_BC = (np.array(one, dtype=float) for one in placed)
    R_PC, r_PC = R_WP.T @ R_WB @ R_BC, R_WP.T @ (centre + R_WB @ r_BC - r_WP)
    x, y, z = R_PC.tolist()
    measured = joint.measured(Pose((tuple(x), tuple(y), tuple(z)), tuple(r_PC.tolist())), value)
    return dict(zip(joint.coordinate_names, (float(one) for one in measured), strict=True))
