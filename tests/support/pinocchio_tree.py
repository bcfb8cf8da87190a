"""Random trees in Pinocchio, with the map between its coordinates and ours.

Pinocchio's frame of a body is our joint frame on the outboard side. With q′ = f(q) and v′ = T(q) u its accelerations
are a′ = T u̇ + Ṫu, and loads and mass matrix follow by virtual work: τ = Tᵀτ′, M = TᵀM′T. Where a joint is written
against the tree's direction, Pinocchio has its inverse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from random_trees import BodyDescription, Floats, TreeDescription
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation


@dataclass(frozen=True)
class Mapped:
    """One joint's share of the map: q′, T, Ṫu."""

    q: Floats
    T: Floats
    Tdot_u: Floats


Map = Callable[[Floats, Floats], Mapped]


def _linear(T: Floats) -> Map:
    def mapped(q: Floats, u: Floats) -> Mapped:
        return Mapped(T @ q, T, np.zeros(len(u)))

    return mapped


def _spherical(against: bool) -> Map:
    def mapped(q: Floats, u: Floats) -> Mapped:
        e0, *e = q
        if not against:
            return Mapped(np.array([*e, e0]), np.eye(3), np.zeros(3))
        R = Rotation.from_quat([*e, e0]).as_matrix()
        return Mapped(np.array([*np.negative(e), e0]), -R, np.zeros(3))

    return mapped


def _free(against: bool) -> Map:
    """Map angular part first to linear part first; the inverse motion has v′ = −Rv + (Rω) × r, and Ṫu = 0."""

    def mapped(q: Floats, u: Floats) -> Mapped:
        r, e0, e = q[:3], q[3], q[4:]
        R, zero = Rotation.from_quat([*e, e0]).as_matrix(), np.zeros((3, 3))
        if not against:
            return Mapped(np.array([*r, *e, e0]), np.block([[zero, np.eye(3)], [np.eye(3), zero]]), np.zeros(6))
        T = np.block([[np.cross(R.T, r).T, -R], [-R, zero]])
        return Mapped(np.array([*(-R.T @ r), *np.negative(e), e0]), T, np.zeros(6))

    return mapped


def _planar(against: bool) -> Map:
    """Map velocities in the parent's axes to velocities in the body's."""

    def mapped(q: Floats, u: Floats) -> Mapped:
        x, y, angle = q
        c, s = np.cos(angle), np.sin(angle)
        if not against:
            T = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
            turning = np.array([[-s, c, 0], [-c, -s, 0], [0, 0, 0]])
            return Mapped(np.array([x, y, c, s]), T, u[2] * turning @ u)
        T = np.array([[-1, 0, -y], [0, -1, x], [0, 0, -1.0]])
        return Mapped(np.array([-(c * x + s * y), s * x - c * y, c, -s]), T, np.array([-u[1] * u[2], u[0] * u[2], 0.0]))

    return mapped


def _joint(pin: Any, body: BodyDescription) -> tuple[Any, Map]:
    axis = np.array(body.axis) / np.linalg.norm(body.axis)
    sign = -1.0 if body.against else 1.0
    unit = {"x": np.eye(3)[0], "y": np.eye(3)[1], "z": np.eye(3)[2]}
    aligned = next((name for name, direction in unit.items() if np.array_equal(axis, direction)), None)
    lead = body.pitch / (2 * np.pi)
    match body.kind:
        case "revolute":
            joint = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
            return (
                joint[aligned]() if aligned else pin.JointModelRevoluteUnaligned(axis),
                _linear(sign * np.eye(1)),
            )
        case "prismatic":
            joint = {"x": pin.JointModelPX, "y": pin.JointModelPY, "z": pin.JointModelPZ}
            return (
                joint[aligned]() if aligned else pin.JointModelPrismaticUnaligned(axis),
                _linear(sign * np.eye(1)),
            )
        case "screw":
            joint = {"x": pin.JointModelHX, "y": pin.JointModelHY, "z": pin.JointModelHZ}
            made = joint[aligned](lead) if aligned else pin.JointModelHelicalUnaligned(axis, lead)
            return made, _linear(sign * np.eye(1))
        case "cylindrical":
            composite = pin.JointModelComposite()
            composite.addJoint(pin.JointModelRevoluteUnaligned(axis))
            composite.addJoint(pin.JointModelPrismaticUnaligned(axis))
            return composite, _linear(sign * np.eye(2))
        case "universal" if body.against:
            return pin.JointModelUniversal(unit["y"], unit["x"]), _linear(np.array([[0, -1.0], [-1.0, 0]]))
        case "universal":
            return pin.JointModelUniversal(unit["x"], unit["y"]), _linear(np.eye(2))
        case "angles" if body.angles == "zyx" and not body.against:
            return pin.JointModelSphericalZYX(), _linear(np.eye(3))
        case "angles":
            composite = pin.JointModelComposite()
            for name in reversed(body.angles) if body.against else body.angles:
                composite.addJoint(pin.JointModelRevoluteUnaligned(unit[name]))
            return composite, _linear(-np.eye(3)[::-1] if body.against else np.eye(3))
        case "spherical":
            return pin.JointModelSpherical(), _spherical(body.against)
        case "free":
            return pin.JointModelFreeFlyer(), _free(body.against)
        case "planar":
            return pin.JointModelPlanar(), _planar(body.against)
    raise AssertionError(body.kind)


def _depth_first(tree: TreeDescription) -> list[BodyDescription]:
    """Return the bodies so that each subtree is contiguous: Pinocchio's mass matrix relies on it without a check."""
    order: list[BodyDescription] = []
    pending = [body for body in reversed(tree.bodies) if body.parent == "ground"]
    while pending:
        order.append(pending.pop())
        pending.extend(body for body in reversed(tree.bodies) if body.parent == order[-1].name)
    return order


@dataclass
class PinocchioTree:
    """A tree in Pinocchio; methods take and return our coordinates, speeds and loads, joints in the tree's order."""

    pin: Any
    tree: TreeDescription
    model: Any = field(init=False)
    data: Any = field(init=False)
    maps: list[tuple[str, Map]] = field(default_factory=list)
    frames: dict[str, tuple[int, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        pin = self.pin
        self.model = pin.Model()
        self.model.gravity.linear = np.array(self.tree.gravity)
        self.frames["ground"] = (0, pin.SE3.Identity())
        for body in _depth_first(self.tree):
            parent, X_HB = self.frames[body.parent]
            inboard = X_HB * pin.SE3(body.inboard.rotation, np.array(body.inboard.at))
            X_CB = pin.SE3(body.outboard.rotation, np.array(body.outboard.at)).inverse()
            if body.kind == "weld":
                self.frames[body.name] = (parent, inboard * X_CB)
            else:
                joint, coordinates = _joint(pin, body)
                number = self.model.addJoint(parent, joint, inboard, body.joint)
                self.maps.append((body.joint, coordinates))
                self.frames[body.name] = (number, X_CB)
            number, X_HB = self.frames[body.name]
            inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia)
            self.model.appendBodyToJoint(number, inertia, X_HB)
        self.data = self.model.createData()

    def mapped(self, system: Any, q: Floats, u: Floats) -> Mapped:
        """Return q′, T and Ṫu of the whole tree."""
        layouts = system.coordinates.joints
        parts = [
            coordinates(q[list(layouts[joint].coordinates)], u[list(layouts[joint].speeds)])
            for joint, coordinates in self.maps
        ]
        order = [place for joint, _ in self.maps for place in layouts[joint].speeds]
        blocks = block_diag(*(part.T for part in parts))
        T = np.zeros_like(blocks)
        T[:, order] = blocks
        return Mapped(np.concatenate([p.q for p in parts]), T, np.concatenate([p.Tdot_u for p in parts]))

    def forward_dynamics(self, at: Mapped, u: Floats, tau: Floats) -> Floats:
        """Return u̇ under loads τ."""
        back = np.linalg.inv(at.T)
        acceleration = self.pin.aba(self.model, self.data, at.q, at.T @ u, back.T @ tau)
        return np.asarray(back @ (acceleration - at.Tdot_u))

    def inverse_dynamics(self, at: Mapped, u: Floats, udot: Floats) -> Floats:
        """Return the loads for u̇."""
        tau = self.pin.rnea(self.model, self.data, at.q, at.T @ u, at.T @ udot + at.Tdot_u)
        return np.asarray(at.T.T @ tau)

    def mass_matrix(self, at: Mapped) -> Floats:
        """Return M."""
        upper = np.triu(self.pin.crba(self.model, self.data, at.q))
        return np.asarray(at.T.T @ (upper + np.triu(upper, 1).T) @ at.T)

    def energies(self, at: Mapped, u: Floats) -> tuple[float, float]:
        """Return kinetic and potential energy; of bodies welded to the ground Pinocchio leaves the weight out."""
        pin = self.pin
        fixed = 0.0
        for body in self.tree.bodies:
            number, X_WB = self.frames[body.name]
            if number == 0:
                fixed -= body.mass * float(np.dot(self.tree.gravity, X_WB.act(np.array(body.com))))
        return (
            pin.computeKineticEnergy(self.model, self.data, at.q, at.T @ u),
            pin.computePotentialEnergy(self.model, self.data, at.q) + fixed,
        )

    def pose(self, at: Mapped, body: str) -> tuple[Floats, Floats]:
        """Return R_WB and r_WB_W."""
        self.pin.forwardKinematics(self.model, self.data, at.q)
        number, X_HB = self.frames[body]
        X = self.data.oMi[number] * X_HB
        return X.rotation, X.translation
