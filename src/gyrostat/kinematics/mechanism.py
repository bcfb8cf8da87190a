"""Mechanisms: the bodies of a model with all constants, in the frames that formulas use.

There are two kinds: a tree of joints (`Tree`), and bodies turned by one tree and placed by another (`BranchTree`).
`KinematicTree` is the contract of both. `WorldMotion` is the contract of their motions.

Each moving body has a hinge frame H: its origin is where the branch that gives the body's position holds it, its axes
are those of the joint frame, on the body's own side, by which it is turned. Everything constant about a body is
expressed in H once, so that the formulas are short.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, Self, TypeVar

from gyrostat.coordinates import Coordinates, JointLayout
from gyrostat.lazy import LaterClass
from gyrostat.model import Body, Joint
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.rotor import Rotor
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero
from gyrostat.signals.table import SignalTable
from gyrostat.spatial import ZERO, Matrix, Vector, apply, matrix_sum, plus, point_inertia, product, scale

if TYPE_CHECKING:
    from gyrostat.kinematics.state import MotionState
    from gyrostat.kinematics.world import WorldMotion
    from gyrostat.model.forces import VariableMass
else:
    VariableMass = LaterClass("gyrostat.model.forces.variable_mass", "VariableMass")

GROUND_INDEX = -1


@dataclass(frozen=True)
class Wheel:
    """A rotor in its link: its axis in H, and its places in q and u if it turns freely."""

    rotor: Rotor
    axis: Vector
    inertia: Scalar | None
    place: tuple[int, int] | None


class Drift(NamedTuple):
    """Motion of material within a body: momentum relative to it, about the origin of H and in its axes."""

    angular: Vector = ZERO
    linear: Vector = ZERO
    doubled_energy: Scalar = 0
    """Twice the kinetic energy of the motion relative to the body."""

    def plus(self, other: Drift) -> Drift:
        """Return the sum of two motions within one body."""
        energy = add(self.doubled_energy, other.doubled_energy)
        return Drift(plus(self.angular, other.angular), plus(self.linear, other.linear), energy)


NO_DRIFT = Drift()


@dataclass(frozen=True)
class Carried:
    """A body as its link carries it: the placement of its own frame B in H, and its inertia."""

    body: str
    R_HB: Matrix
    r_HB_H: Vector
    mass: Scalar
    moment: Vector
    """Mass times the mass centre's position, in H."""
    inertia: Matrix
    """Inertia about the origin of H, in H."""
    wheels: tuple[Wheel, ...]
    drift: Drift = field(default=NO_DRIFT, kw_only=True)
    """Motion of material within the body."""


class TurningJoint(Protocol):
    """The joint that turns a link: its rotation, passed forwards or backwards."""

    @property
    def parent(self) -> int:
        """The link that the rotation begins at; −1 is the ground."""

    @property
    def joint(self) -> Joint:
        """The joint."""

    @property
    def reversed(self) -> bool:
        """Whether the tree passes the joint from its child to its parent."""

    @property
    def layout(self) -> JointLayout:
        """The places of the coordinates and speeds that the tree uses; others are None."""

    @property
    def R_PJ(self) -> Matrix:
        """The rotation of the joint's inboard frame J in the parent's hinge frame P."""


SomeLink = TypeVar("SomeLink", bound=Carried, covariant=True)


@dataclass(frozen=True)
class KinematicTree(ABC, Generic[SomeLink]):
    """The links of a mechanism, with everything constant evaluated on one engine.

    `gravity` is in world axes. Links are numbered in the order of `links`, each after those that its rotation or its
    position begins at in a tree of joints; in two trees `turning_joints` gives the order of rotations.
    """

    coordinates: Coordinates
    value: Evaluator
    gravity: Vector
    links: tuple[SomeLink, ...]
    bare_links: tuple[SomeLink, ...] | None = field(default=None, kw_only=True)
    """The links without masses that vary, where `links` has these at a state."""

    @property
    def bare(self) -> Self:
        """The mechanism without masses that vary."""
        return self if self.bare_links is None else replace(self, links=self.bare_links, bare_links=None)

    @cached_property
    def varying_masses(self) -> tuple[VariableMass, ...]:
        """The force elements that add a mass to a body."""
        forces = self.coordinates.topology.model.forces.values()
        return tuple(force for force in forces if isinstance(force, VariableMass))

    @cached_property
    def index_of(self) -> Mapping[str, int]:
        """The index of each body's link; the ground has −1."""
        return {GROUND: GROUND_INDEX, **{link.body: i for i, link in self.bodies}}

    @cached_property
    def signals(self) -> SignalTable:
        """The signals that laws of force elements may use: those that need no loads of constraints."""
        return SignalTable(self.coordinates, tuple)

    @cached_property
    def armatures(self) -> Mapping[int, Scalar]:
        """The armature of each unknown speed that has one, by place in u."""
        return {place: inertia for _, place, inertia in self._armatures if isinstance(place, int)}

    @cached_property
    def driven_armatures(self) -> Mapping[str, Scalar]:
        """The armature of each driven coordinate of the tree that has one, by name."""
        return {name: inertia for name, place, inertia in self._armatures if not isinstance(place, int)}

    @cached_property
    def _armatures(self) -> tuple[tuple[str, int | Formula, Scalar], ...]:
        """The speeds of the tree with armature: name of the coordinate or speed, place or driver, armature."""
        return tuple(
            (joint.full_name(label), place, self.value(inertia))
            for name, layout in self.coordinates.joints.items()
            for joint in (self.coordinates.elements[name],)
            if joint.armature
            for label, inertia, place in zip(joint.armature_labels, joint.armatures, layout.speeds, strict=True)
            if inertia is not None and place is not None
        )

    @cached_property
    def bodies(self) -> tuple[tuple[int, SomeLink], ...]:
        """The links that carry a body, with their indices, outward from the ground."""
        return tuple((i, link) for i, link in enumerate(self.links) if link.body)

    @abstractmethod
    def at(self, state: MotionState) -> WorldMotion:
        """Return the motion of the mechanism at a state, with the masses that its links have there."""

    @abstractmethod
    def kinematics_at(self, state: MotionState) -> WorldMotion:
        """Return the motion of the mechanism at a state, whose links are those given."""

    def sections_of(self, body: str) -> tuple[int, ...]:
        """Return the links that carry the mass of a flexible body; none of a rigid one."""
        return ()

    @property
    @abstractmethod
    def turning_joints(self) -> Mapping[int, TurningJoint]:
        """The joint that turns each link, by the link's index, outward from the ground."""

    @cached_property
    def turning_axes(self) -> Mapping[int, Vector | None]:
        """For each link the axis that its joint turns about, in the axes of the joint's frames; None unless one."""
        return {i: turning_axis(turning.joint, self.value) for i, turning in self.turning_joints.items()}

    def placement_in_hinge(self, end: End) -> tuple[Matrix, Vector]:
        """Return R_HE and r_HE_H of an end; on the ground, in world axes."""
        placement = self.coordinates.topology.model.placement(end, self.value)
        assert placement is not None, "a checked model has every end"
        R_BE, r_BE_B = placement
        if end.body == GROUND:
            return R_BE, r_BE_B
        link = self.links[self.index_of[end.body]]
        return product(link.R_HB, R_BE), plus(link.r_HB_H, apply(link.R_HB, r_BE_B))


def turning_axis(joint: Joint, value: Evaluator) -> Vector | None:
    """Return the axis of a joint that turns about one axis only, or None."""
    coordinates = joint.coordinates
    if joint.flexible or not joint.speeds_are_rates:
        return None
    if [coordinate.measure for coordinate in coordinates].count("angle") != 1:
        return None
    modes = joint.motion_space([coordinate.rest for coordinate in coordinates], value)
    turning = [mode.angular for mode in modes if not all(is_zero(x) for x in mode.angular)]
    return turning[0] if len(turning) == 1 else None


def turned_placement(placement: tuple[Matrix, Vector] | None, R_PA: Matrix) -> tuple[Matrix, Vector]:
    """Return a place on a body with its frame turned."""
    assert placement is not None, "a checked model has every end"
    return product(placement[0], R_PA), placement[1]


def carried_body(body: Body, R_HB: Matrix, r_HB_H: Vector, coordinates: Coordinates, value: Evaluator) -> Carried:
    """Return a body as its link carries it."""
    properties = body.mass_properties(value).turned(R_HB).moved(r_HB_H)
    wheels = tuple(
        Wheel(
            rotor,
            apply(R_HB, value.direction(rotor.axis)),
            None if rotor.inertia is None else value(rotor.inertia),
            coordinates.rotors.get(f"{body.name}.{rotor.name}"),
        )
        for rotor in body.rotors
    )
    moment = scale(properties.mass, properties.com)
    inertia = matrix_sum(properties.inertia, point_inertia(properties.mass, properties.com))
    return Carried(body.name, R_HB, r_HB_H, properties.mass, moment, inertia, wheels)
