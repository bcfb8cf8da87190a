"""The arm of an interface: from the root of a body with modal data to a place on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.modal_properties import Interface, ModalProperties
from gyrostat.model.flexible.polynomial_arm import MassArm, PolynomialArm
from gyrostat.model.flexible.quadratic_point import QuadraticPoint
from gyrostat.model.joints.joint import Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import RecordKind
from gyrostat.model.record import value
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.spatial import IDENTITY, Matrix, Vector


@dataclass(frozen=True)
class ModalArm(MassArm):
    """A flexible arm to an interface, linear in the modal coordinates; its rotation is Cayley's of their sum."""

    modal: ModalProperties = value(RecordKind(ModalProperties), doc="the modal data", keyword=True)
    interface: Interface = value(RecordKind(Interface), doc="the interface", keyword=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The modal coordinates."""
        return self.modal.coordinates

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the arm with its constants evaluated."""
        return self._arm, IDENTITY

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose of the interface in the root frame."""
        return self._arm.pose(q, value)

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the velocities of the interface per unit of each rate."""
        return self._arm.motion_space(q, value)

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rates of the velocities' components."""
        return self._arm.motion_rate(q, u, value)

    def mass_arms(self, value: Evaluator) -> tuple[tuple[Scalar, PolynomialArm], ...]:
        """Return the mass points of the body with the arms that carry them."""
        ends, found = (self.parent, self.parent), []
        data = zip(self.modal.masses, self.modal.positions, self.modal.shapes, strict=True)
        for k, (mass, position, shapes) in enumerate(data):
            place = self._point(position, shapes)
            name = f"{self.parent.body}.point{k}"
            found.append((mass, PolynomialArm(name, *ends, labelled=self.coordinates, position=place)))
        return tuple(found)

    @cached_property
    def _arm(self) -> PolynomialArm:
        at = self.interface
        turned = self._point((0, 0, 0), at.rotation) if any(at.rotation) else None
        position = self._point(at.position, at.translation)
        ends = (self.parent, self.child)
        return PolynomialArm(self.name, *ends, labelled=self.coordinates, position=position, rotation=turned)

    def _point(self, constant: Vector, shapes: tuple[Any, ...]) -> QuadraticPoint:
        """Return a vector that is linear in the modal coordinates; `shapes` are three rows."""
        columns = {i: (x, y, z) for i, (x, y, z) in enumerate(zip(*shapes, strict=True)) if x or y or z}
        return QuadraticPoint(len(self.coordinates), constant, columns)
