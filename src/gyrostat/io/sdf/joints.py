"""Joints between links, and what acts on their coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.io.names import Names
from gyrostat.io.places import place_of_pose
from gyrostat.io.plain_values import made
from gyrostat.io.sdf.axes import Axis, read_axis
from gyrostat.io.sdf.description import WORLD, SdfDescription
from gyrostat.io.sdf.element import Pose, SdfElement
from gyrostat.model import Body, Joint, Model
from gyrostat.model.constraints import Gear
from gyrostat.model.forces import JointFriction, JointSpring
from gyrostat.model.friction import Coulomb
from gyrostat.model.joints import Prismatic, Revolute, Screw, Spherical, Universal, Weld
from gyrostat.model.kinds import End
from gyrostat.model.limits import Limits
from gyrostat.model.names import GROUND, did_you_mean

_JOINT = (
    "pose",
    "parent",
    "child",
    "axis",
    "axis2",
    "physics",
    "sensor",
    "thread_pitch",
    "screw_thread_pitch",
    "plugin",
)
_JOINT_TYPES: Mapping[str, type[Joint]] = {"prismatic": Prismatic, "screw": Screw}
_KINDS = ("revolute", "continuous", "prismatic", "universal", "ball", "fixed", "screw", "revolute2")


@dataclass
class JointBuilder:
    """Builder of joints, with the bodies of links by full name."""

    found: SdfDescription
    bodies: Mapping[str, str]
    names: Names
    model: Model
    friction_speed: float | None
    coordinates: dict[tuple[str, str], str] = field(default_factory=dict)
    """The coordinate of each axis, by full name of the joint and tag of the axis."""
    dry: list[str] = field(default_factory=list)
    followers: list[tuple[SdfElement, str, str, Axis]] = field(default_factory=list)

    def add(self, full: str, joint: SdfElement, scope: str) -> None:
        """Add a joint."""
        joint.require_known(*_JOINT)
        kind = joint.element.get("type", "")
        if kind not in _KINDS:
            raise joint.refusal(f"its type {kind!r:.60} is not understood.", did_you_mean(kind, _KINDS))
        ends = self._ends(full, joint, scope)
        name = self.names.take(joint.name, "joint", "joint")
        options: dict[str, Any] = {"label": joint.name if joint.name != name else ""}
        frame = self.found.pose(full, joint)
        tags = ("axis", "axis2") if kind in ("universal", "revolute2") else ("axis",)
        if kind in ("ball", "fixed"):
            self.model.add(made(Weld if kind == "fixed" else Spherical, name, *ends, **options))
            return
        axes = [self._axis(joint, tag, frame, scope) for tag in tags]
        if kind == "universal":
            self._add_universal(full, joint, name, axes, options)
        elif kind == "revolute2":
            middle = self.names.take(f"{name}_cross", "body")
            self.model.add(made(Body, middle, mass=0, inertia=(0, 0, 0)))
            second = self.names.take(f"{name}_2", "joint")
            for part, pair, axis in (
                (name, (ends[0], End(middle)), axes[0]),
                (second, (End(middle), ends[1]), axes[1]),
            ):
                self.model.add(made(Revolute, part, *pair, axis=axis.direction, limits=_limits(axis), **options))
            self.coordinates |= {(full, "axis"): name, (full, "axis2"): second}
        else:
            cls = _JOINT_TYPES.get(kind, Revolute)
            more = {"pitch": self._pitch(joint)} if kind == "screw" else {}
            limits = _limits(axes[0], endless=kind == "continuous")
            self.model.add(made(cls, name, *ends, axis=axes[0].direction, limits=limits, **more, **options))
            self.coordinates[full, "axis"] = name
        for tag, axis in zip(tags, axes, strict=True):
            self._act(full, joint, tag, axis, scope)

    def _axis(self, joint: SdfElement, tag: str, frame: Pose, scope: str) -> Axis:
        element = joint.child(tag)
        if element is None:
            raise joint.refusal(f"it has no <{tag}>.", "Give its direction: <axis><xyz>0 0 1</xyz></axis>.")
        return read_axis(element, frame, scope, self.found)

    def _pose_on(self, full: str, joint: SdfElement, link: str) -> Pose:
        """Return the pose of the joint's frame on a link, or in the world."""
        frame = self.found.pose(full, joint)
        return frame if link == WORLD else np.linalg.inv(self.found.pose(link, joint)) @ frame

    def _links(self, joint: SdfElement, scope: str) -> list[str]:
        links = []
        for tag in ("parent", "child"):
            name = joint.text(tag)
            links.append(WORLD if name == WORLD else self.found.link_of(f"{scope}{name}", joint))
        if links[0] == links[1]:
            raise joint.refusal("its parent and its child are the same link.", "Connect two links.")
        return links

    def _ends(self, full: str, joint: SdfElement, scope: str, turned: Any = None) -> tuple[End, End]:
        ends = []
        for link in self._links(joint, scope):
            pose = self._pose_on(full, joint, link)
            if turned is not None:
                pose = pose.copy()
                pose[:3, :3] = pose[:3, :3] @ turned
            ends.append(place_of_pose(GROUND if link == WORLD else self.bodies[link], pose))
        return ends[0], ends[1]

    def _add_universal(
        self, full: str, joint: SdfElement, name: str, axes: list[Axis], options: dict[str, Any]
    ) -> None:
        """Add a universal joint in a frame whose x and y are its axes."""
        x, y = (np.array(axis.direction) / np.linalg.norm(axis.direction) for axis in axes)
        if abs(x @ y) > 1e-9:
            raise joint.refusal("its axes are not at right angles.", "Use revolute2, or correct them.")
        turned = np.stack([x, y - (x @ y) * x, np.cross(x, y)], axis=1)
        limits = {f"angle{i}": held for i, axis in enumerate(axes, start=1) for held in _limits(axis).values()}
        ends = self._ends(full, joint, joint_scope(full), turned)
        self.model.add(made(Universal, name, *ends, limits=limits, **options))
        self.coordinates |= {(full, "axis"): f"{name}.angle1", (full, "axis2"): f"{name}.angle2"}

    def _pitch(self, joint: SdfElement) -> float:
        """Return the advance per turn; `thread_pitch` of older files is −2π over it."""
        if joint.child("screw_thread_pitch") is not None:
            return joint.number("screw_thread_pitch", 1.0)
        old = joint.number("thread_pitch", 1.0)
        if not old:
            raise joint.refusal("its thread_pitch is zero.", "Give <screw_thread_pitch>, in metres per turn.")
        return -2 * math.pi / old

    def _act(self, full: str, joint: SdfElement, tag: str, axis: Axis, scope: str) -> None:
        """Add spring, damping and dry friction of an axis, and remember whom it follows."""
        coordinate = self.coordinates[full, tag]
        plain = coordinate.replace(".", "_")
        if axis.stiffness or axis.damping:
            slides = isinstance(self.model.joints.get(coordinate), Prismatic)
            natural = {"length" if slides else "angle": axis.reference} if axis.stiffness else {}
            name = self.names.take(f"{plain}_{'spring' if axis.stiffness else 'damping'}", "force")
            self.model.add(made(JointSpring, name, coordinate, axis.stiffness, axis.damping, **natural))
        if axis.friction and self.friction_speed is not None:
            law = made(Coulomb, axis.friction, self.friction_speed)
            self.model.add(made(JointFriction, self.names.take(f"{plain}_friction", "force"), coordinate, law))
        elif axis.friction:
            self.dry.append(coordinate)
        if axis.mimic is not None:
            self.followers.append((joint, coordinate, scope, axis))

    def add_mimicry(self) -> None:
        """Add a gear for each coordinate that follows another one."""
        for joint, coordinate, scope, axis in self.followers:
            assert axis.mimic is not None
            leader = self.coordinates.get((f"{scope}{axis.mimic.leader}", axis.mimic.axis))
            if leader is None or leader == coordinate:
                known = [name for name, _ in self.coordinates]
                fact = f"it follows joint {axis.mimic.leader!r:.60}, which is not in the model."
                raise joint.refusal(fact, did_you_mean(axis.mimic.leader, known))
            name = self.names.take(f"{coordinate.replace('.', '_')}_mimic", "constraint")
            self.model.add(made(Gear, name, leader, coordinate, axis.mimic.multiplier, axis.mimic.offset))


def joint_scope(full: str) -> str:
    """Return the scope of a joint's full name."""
    return full[: full.rindex("::") + 2]


def _limits(axis: Axis, *, endless: bool = False) -> dict[str, Limits]:
    lower, upper, velocity, effort = axis.limits
    given = (None, None, velocity, effort) if endless else (lower, upper, velocity, effort)
    return {"": made(Limits, *given)} if any(bound is not None for bound in given) else {}
