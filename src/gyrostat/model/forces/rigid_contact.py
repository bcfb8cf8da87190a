"""Rigid contact of a point or sphere with a plane or sphere of another body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import (
    AxisKind,
    ChoiceKind,
    End,
    EndKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    Triple,
)
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, subtract
from gyrostat.spatial import Vector, apply, cross, dot, minus, normalised, opposite, plus, scale

ROWS = 4
"""Directions of a contact: the normal, and three components of the tangential velocity in world axes."""
INPUTS = ("normal", "tangent_x", "tangent_y", "tangent_z", "normal_margin", "tangent_margin")
"""Inputs of a contact, which the simulation gives: its load by direction, and the functions whose zeros end a mode."""
IMPACT_LAWS = ("newton", "poisson", "stronge")


@dataclass(frozen=True)
class Touching:
    """The geometry of a contact at an instant, in world axes."""

    gap: Scalar
    """Distance of the surfaces; negative where they overlap."""
    normal: Vector
    """Unit vector from b to a."""
    point: Vector
    """The point of a's surface nearest to b."""
    velocity: Vector
    """Velocity of a's material point there relative to that of b."""

    @property
    def sliding(self) -> Vector:
        """The tangential part of the velocity."""
        return _across(self.normal, self.velocity)


@dataclass(frozen=True)
class RigidContact(ForceElement):
    """Unilateral contact without compliance of a point or sphere of a with a plane or sphere of b.

    The contact is open, or closed and sticking or sliding, with Coulomb friction: |T| ≤ μ_s N where it sticks, |T| = μ N
    opposite to the sliding velocity where it slides. A simulation locates each change as an event; at a touch-down the
    speeds jump by an impact with the coefficient of restitution. Loads of closed contacts follow from accelerations.
    Elsewhere, as in `system.forward_dynamics`, the contact is open.
    """

    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "gap": ForceOutput(1, "m", "distance of the surfaces", kinematic=True),
        "force": ForceOutput(1, "N", "normal load"),
        "friction": ForceOutput(3, "N", "friction force on a"),
        "sliding": ForceOutput(3, "m/s", "velocity of a relative to b along the surface", kinematic=True),
        "point": ForceOutput(3, "m", "contact point", kinematic=True),
    }
    a: End = value(EndKind(), doc="the point, or the centre of the sphere")
    b: End = value(EndKind(), doc="a point of the plane, or the centre of the other sphere")
    normal: Triple | None = value(
        OptionalKind(AxisKind()), None, doc="outward normal of the plane of b, in the axes of that frame"
    )
    mu: Quantity = value(QuantityKind(), 0, doc="coefficient of friction of sliding μ")
    mu_static: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="coefficient of friction at rest μ_s, at least μ; by default μ"
    )
    restitution: Quantity = value(QuantityKind(), 0, doc="coefficient of restitution, from 0 to 1")
    law: str | None = value(
        OptionalKind(ChoiceKind(IMPACT_LAWS)), None, doc="meaning of restitution: newton, poisson or stronge"
    )
    radius: Quantity = value(QuantityKind(), 0, doc="radius of the sphere about a; 0 for a point (m)")
    other_radius: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="radius of a sphere about b, in place of a plane (m)"
    )

    def validate(self, place: Place) -> None:
        """Require one surface of b, and coefficients within their ranges."""
        if (self.normal is None) == (self.other_radius is None):
            fact = "no surface of b." if self.normal is None else "a plane and a sphere on b."
            place.report(f"it has {fact}", "Give either normal='z', a plane fixed in b, or other_radius, a sphere.")
        for name in ("mu", "mu_static", "radius", "other_radius"):
            given = getattr(self, name)
            if given is not None and given.number is not None and given.number < 0:
                place.inside(name).report(f"{given} is negative.", "Give a number that is not.")
        if self.restitution.number is not None and not 0 <= self.restitution.number <= 1:
            place.inside("restitution").report(f"{self.restitution} is not from 0 to 1.", "Give 0 for no rebound.")
        static = self.mu_static
        if static is not None and None not in (static.number, self.mu.number) and static.number < self.mu.number:  # type: ignore[operator]
            place.inside("mu_static").report(
                f"{static} is less than mu = {self.mu}.", "Friction at rest is at least that of sliding."
            )
        if self.a.body == self.b.body:
            place.report(f"both sides are on {self.a.body!r}.", "Name two bodies.")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The load by direction and the margins, which a simulation gives by itself."""
        return tuple(f"{self.name}.{one}" for one in INPUTS)

    @property
    def static_friction(self) -> Quantity:
        """The coefficient of friction at rest."""
        return self.mu if self.mu_static is None else self.mu_static

    def touching(self, motion: Motion) -> Touching:
        """Return gap, normal, contact point and relative velocity."""
        a, b = motion.end(self.a), motion.end(self.b)
        between, radius = minus(a.position, b.position), motion.evaluate(self.radius)
        if self.normal is not None:
            x, y, z = (motion.evaluate(one) for one in self.normal)
            normal = apply(b.rotation, normalised((x, y, z), motion.scalars))
            gap = subtract(dot(normal, between), radius)
        else:
            assert self.other_radius is not None, "a checked contact has a surface"
            length = motion.scalars.call("sqrt", (dot(between, between),))
            normal = (divide(between[0], length), divide(between[1], length), divide(between[2], length))
            gap = subtract(subtract(length, radius), motion.evaluate(self.other_radius))
        arm = opposite(scale(radius, normal))
        velocity = minus(
            plus(a.velocity, cross(a.omega, arm)), plus(b.velocity, cross(b.omega, plus(between, arm)))
        )
        return Touching(gap, normal, plus(a.position, arm), velocity)

    def _friction(self, motion: Motion, normal: Vector) -> Vector:
        x, y, z = (motion.input(f"{self.name}.{one}") for one in INPUTS[1:4])
        return _across(normal, (x, y, z))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force on a, and its opposite on b at the same point in space."""
        touching = self.touching(motion)
        push = scale(motion.input(f"{self.name}.{INPUTS[0]}"), touching.normal)
        force = plus(push, self._friction(motion, touching.normal))
        for end, own in ((self.a, force), (self.b, opposite(force))):
            yield PointLoad(end, own, cross(minus(touching.point, motion.end(end).position), own))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return gap, loads, sliding velocity and contact point."""
        load = motion.input(f"{self.name}.{INPUTS[0]}")
        return {"force": load, "friction": self._friction(motion, self.touching(motion).normal), **self.measured(motion)}

    def measured(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return gap, sliding velocity and contact point."""
        touching = self.touching(motion)
        return {"gap": touching.gap, "sliding": touching.sliding, "point": touching.point}


def _across(normal: Vector, vector: Vector) -> Vector:
    """Return the part of a vector perpendicular to a unit vector."""
    return minus(vector, scale(dot(normal, vector), normal))
