"""Joints of a robot, and what acts on them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gyrostat.io.names import Names
from gyrostat.io.plain_values import made
from gyrostat.io.urdf.choices import Choices, Drives
from gyrostat.io.urdf.description import JointDescription, RobotDescription
from gyrostat.model import Frame, Joint, Model
from gyrostat.model.constraints import Gear
from gyrostat.model.forces import Actuator, JointFriction, JointLimit, JointSpring
from gyrostat.model.friction import Coulomb
from gyrostat.model.joints import Free, Planar, Prismatic, Revolute, Spherical, Weld
from gyrostat.model.kinds import End
from gyrostat.model.limits import Limits
from gyrostat.model.names import first_few
from gyrostat.spatial import cross

_AXIAL_JOINTS: dict[str, type[Joint]] = {"revolute": Revolute, "continuous": Revolute, "prismatic": Prismatic}
_OTHER_JOINTS: dict[str, type[Joint]] = {"fixed": Weld, "floating": Free, "spherical": Spherical}


def joint_of(joint: JointDescription, name: str, parent: End, child: End) -> Joint:
    """Return the joint of a model between the joint's frame on the parent and the frame of the child."""
    label = joint.name if joint.name != name else ""
    if joint.kind == "planar":
        turn = _to_normal(joint.axis)
        base = made(Frame, parent.at) if isinstance(parent.at, tuple) else parent.at
        ends = End(parent.body, None, made(Frame, turn=turn, on=base)), End(child.body, None, made(Frame, turn=turn))
        return made(Planar, name, *(ends if turn else (parent, child)), label=label)
    if joint.kind in _OTHER_JOINTS:
        return made(_OTHER_JOINTS[joint.kind], name, parent, child, label=label)
    given = (*_ends(joint), joint.velocity, joint.effort)
    limits = {"": made(Limits, *given)} if any(bound is not None for bound in given) else {}
    options = {"limits": limits, "armature": {"": joint.armature} if joint.armature else {}, "label": label}
    return made(_AXIAL_JOINTS[joint.kind], name, parent, child, axis=joint.axis, **options)


def _ends(joint: JointDescription) -> tuple[float | None, float | None]:
    """Return the lower and upper end of a coordinate; those of a continuous joint or in reverse order mean nothing."""
    low, high = joint.lower, joint.upper
    if joint.kind == "continuous" or (low is not None and high is not None and low > high):
        return None, None
    return low, high


def _to_normal(normal: tuple[float, float, float]) -> list[tuple[Any, float]]:
    """Return the rotation that takes z to the normal of a plane: none for z itself."""
    x, y, z = normal
    size = math.hypot(x, y, z)
    if not (x or y):
        return [] if z > 0 else [("x", math.pi)]
    return [(cross((0, 0, 1), (x, y, z)), math.acos(z / size))]


def add_effects(
    robot: RobotDescription,
    joints: Mapping[str, str],
    choices: Choices,
    names: Names,
    model: Model,
    notes: list[str],
) -> None:
    """Add damping, friction, stops, mimicry and actuators to the joints with one coordinate that can move."""
    dry: list[str] = []
    rigid: list[str] = []
    for joint in robot.joints:
        name = joints.get(joint.name, "")
        if joint.kind not in _AXIAL_JOINTS or not isinstance(model.joints.get(name), Revolute | Prismatic):
            continue
        if joint.damping:
            model.add(made(JointSpring, names.take(f"{name}_damping", "force"), name, damping=joint.damping))
        if joint.friction and choices.friction_speed is not None:
            law = made(Coulomb, joint.friction, choices.friction_speed)
            model.add(made(JointFriction, names.take(f"{name}_friction", "force"), name, law))
        elif joint.friction:
            dry.append(name)
        low, high = _ends(joint) if choices.stops is not None else (None, None)
        if low is not None and low == high:
            rigid.append(name)
        elif low is not None or high is not None:
            model.add(made(JointLimit, names.take(f"{name}_stop", "force"), name, choices.stops, low, high))
        if joint.mimic is not None:
            _add_mimic(joint, name, joints, names, model, notes)
        elif choices.drives is not Drives.NONE:
            limit = joint.effort or None if choices.drives is Drives.LIMITED else None
            model.add(made(Actuator, names.take(f"{name}_motor", "force"), name, limit=limit))
    if dry:
        notes.append(f"dry friction was left out: {first_few(dry)}; friction_speed=… includes it.")
    if rigid:
        notes.append(f"joints whose two limits are equal have no stops: {first_few(rigid)}.")


def _add_mimic(
    joint: JointDescription, name: str, joints: Mapping[str, str], names: Names, model: Model, notes: list[str]
) -> None:
    """Add the gear between a joint and its leader; a joint that follows none is held by its multiplier of zero."""
    assert joint.mimic is not None
    leader = joints.get(joint.mimic.leader, "")
    if not isinstance(model.joints.get(leader), Revolute | Prismatic) or leader == name or not joint.mimic.multiplier:
        notes.append(f"joint {joint.name!r} does not follow {joint.mimic.leader!r}, which cannot move it.")
        return
    gear = made(
        Gear, names.take(f"{name}_mimic", "constraint"), leader, name, joint.mimic.multiplier, joint.mimic.offset
    )
    model.add(gear)
