"""The arm of a station: from the root of a beam to the section at a place along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import COMPLETE, BeamProperties
from gyrostat.model.flexible.complete_inertia import complete_inertia
from gyrostat.model.flexible.composed_arm import ComposedArm
from gyrostat.model.flexible.displacement import SectionField
from gyrostat.model.flexible.order_kind import EXACT
from gyrostat.model.flexible.polynomial_arm import MassArm, PolynomialArm
from gyrostat.model.flexible.strain_chain import carrier, chain_sections, step_arm
from gyrostat.model.flexible.truncated_inertia import truncated_inertia
from gyrostat.model.joints.joint import Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import Quantity, QuantityKind, RecordKind
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide
from gyrostat.spatial import IDENTITY, Matrix


@dataclass(frozen=True)
class StationArm(MassArm):
    """A flexible arm from the root of a beam to a section at a distance along the undeformed axis."""

    beam: BeamProperties = value(RecordKind(BeamProperties), doc="the beam", keyword=True)
    at: Quantity = value(QuantityKind(), doc="distance from the root (m)", keyword=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The elastic coordinates of the beam."""
        return self.beam.coordinates

    @property
    def chained(self) -> bool:
        """Whether the beam is of order exact."""
        return self.beam.order == EXACT

    @property
    def bends_in_plane(self) -> bool:
        """Whether the beam bends towards y or z alone, without twist."""
        terms = self.beam.terms
        return not terms["phi"] and not (terms["v"] and terms["w"])

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the arm with its constants evaluated."""
        return self._evaluated(value), IDENTITY

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose of the section in the root frame."""
        return self._evaluated(value).pose(q, value)

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the velocities of the section per unit of each rate."""
        return self._evaluated(value).motion_space(q, value)

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rates of the velocities' components."""
        return self._evaluated(value).motion_rate(q, u, value)

    def place(self, value: Evaluator) -> Scalar:
        """Return ξ, the distance over the length."""
        return 1 if self.at == self.beam.length else divide(value(self.at), value(self.beam.length))

    def mass_arms(self, value: Evaluator) -> tuple[tuple[Scalar, PolynomialArm], ...]:
        """Return the mass points of the whole beam with the arms that carry them."""
        ends = (self.parent, self.parent)
        complete = self.beam.order == 2 and self.beam.kinetic_energy == COMPLETE
        points = (complete_inertia if complete else truncated_inertia)(self.beam, value)
        return tuple(
            (
                point.mass,
                PolynomialArm(f"{self.parent.body}.section{k}", *ends, labelled=self.coordinates, position=point.place),
            )
            for k, point in enumerate(points)
        )

    def _evaluated(self, value: Evaluator) -> Joint:
        return self.at_place(self.place(value), value)

    def at_place(self, xi: Scalar, value: Evaluator) -> Joint:
        """Return the arm to the section at ξ, with its constants evaluated."""
        ends = (self.parent, self.child)
        if self.chained:
            sections = chain_sections(self.beam, self.parent.body, value)
            number = carrier(sections, xi)
            inward = sections[: 0 if number is None else number + 1]
            last = step_arm(self.beam, self.name, ends, (inward[-1].xi if inward else 0, xi), value)
            steps = (*(section.arm for section in inward), last)
            return ComposedArm(self.name, *ends, labelled=self.coordinates, steps=steps)
        field = SectionField(self.beam, xi, value)
        position, rotation = field.position, field.rotation
        return PolynomialArm(self.name, *ends, labelled=self.coordinates, position=position, rotation=rotation)
