"""What every description of a mechanism's kinematics has: its bodies, in the frames that formulas work in.

Each moving body has a hinge frame H: its origin is where the branch that gives the body's position holds it, its axes
are those of the joint frame, on the body's own side, by which it is turned. Everything constant about a body is
expressed in H once, so that the formulas are short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from gyrostat.coordinates import Coordinates
from gyrostat.model import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.rotor import Rotor
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.spatial import Matrix, Vector, apply, matrix_sum, plus, point_inertia, product, scale

GROUND_INDEX = -1


@dataclass(frozen=True)
class Wheel:
    """A rotor in its link: its axis in H, and its places in q and u if it turns freely."""

    rotor: Rotor
    axis: Vector
    inertia: Scalar | None
    place: tuple[int, int] | None


@dataclass(frozen=True)
class Carried:
    """What a link carries: a body, how its own frame B stands in H, and its inertia."""

    body: str
    R_HB: Matrix
    r_HB_H: Vector
    mass: Scalar
    moment: Vector
    """Mass times the mass centre's position, in H."""
    inertia: Matrix
    """Inertia about the origin of H, in H."""
    wheels: tuple[Wheel, ...]


SomeLink = TypeVar("SomeLink", bound=Carried, covariant=True)


@dataclass(frozen=True)
class Mechanism(Generic[SomeLink]):
    """The links of a mechanism, with everything constant evaluated on one engine."""

    coordinates: Coordinates
    value: Evaluator
    gravity: Vector
    links: tuple[SomeLink, ...]

    @cached_property
    def index_of(self) -> Mapping[str, int]:
        """The index of each body's link; the ground has −1."""
        return {GROUND: GROUND_INDEX, **{link.body: i for i, link in self.bodies}}

    @cached_property
    def bodies(self) -> tuple[tuple[int, SomeLink], ...]:
        """The links that carry a body, with their indices, outward from the ground."""
        return tuple((i, link) for i, link in enumerate(self.links) if link.body)

    def placement_in_hinge(self, end: End) -> tuple[Matrix, Vector]:
        """Return R_HE and r_HE_H of an end; on the ground, in world axes."""
        placement = self.coordinates.topology.model.placement(end, self.value)
        assert placement is not None, "a checked model has every end"
        R_BE, r_BE_B = placement
        if end.body == GROUND:
            return R_BE, r_BE_B
        link = self.links[self.index_of[end.body]]
        return product(link.R_HB, R_BE), plus(link.r_HB_H, apply(link.R_HB, r_BE_B))


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
