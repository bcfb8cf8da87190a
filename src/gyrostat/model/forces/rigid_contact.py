"""Rigid contact of two bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts.nearest import Nearest
from gyrostat.model.contacts.surface_pair import SurfacePair, point_labels
from gyrostat.model.contacts.touch import total_of
from gyrostat.model.forces.force_element import ForceOutput, Load, Motion, PointLoad
from gyrostat.model.forces.touching_pair import TOUCH_OUTPUTS, TouchingPair
from gyrostat.model.kinds import ChoiceKind, End, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, total
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Matrix, Vector, apply, cross, dot, minus, opposite, plus, scale

ROWS = 4
"""Directions of a contact: the normal, and three components of the tangential velocity in the axes of b's shape."""
INPUTS = ("normal", "tangent_x", "tangent_y", "tangent_z", "normal_margin", "tangent_margin")
"""Inputs of a contact, which the simulation gives: its load by direction, and the functions whose zeros end a mode."""
IMPACT_LAWS = ("newton", "poisson", "stronge")


_SLIGHT = 1e-9
"""Load that is added to that of each point (N), so that means are defined in open contacts."""


@dataclass(frozen=True)
class Touching:
    """A point of contact at an instant, in world axes."""

    gap: Scalar
    normal: Vector
    """Unit vector from b to a."""
    point: Vector
    velocity: Vector
    """Velocity of a's material point there relative to that of b."""
    axes: Matrix
    """Rotation to the world from the axes of b's shape, in which tangential loads have their components."""

    @property
    def sliding(self) -> Vector:
        """The tangential part of the velocity."""
        return _across(self.normal, self.velocity)


@dataclass(frozen=True)
class RigidContact(TouchingPair):
    """Unilateral contact of two bodies without compliance, with Coulomb friction.

    The contact is open, or closed and sticking or sliding: |T| ≤ μ_s N where it sticks, |T| = μ N opposite to the
    sliding velocity where it slides. A simulation locates each change as an event; at a touch-down the speeds jump by
    an impact with the coefficient of restitution. Loads of closed contacts follow from accelerations. Each side is a
    body, whose solid or only surface is meant, a named surface of a body, or a point on a body, as of a `Contact`. Flat
    shapes touch at several points, `name.p1` and so on. Methods at a given state, as `system.forward_dynamics`, have
    contacts open.

    >>> import gyrostat as gs
    >>> contact = RigidContact("table", "ball", "ground.table", mu=0.3, restitution=0.8)
    """

    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = TOUCH_OUTPUTS
    mu: Quantity = value(QuantityKind(), 0, doc="coefficient of friction of sliding μ")
    mu_static: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="coefficient of friction at rest μ_s, at least μ; by default μ"
    )
    restitution: Quantity = value(QuantityKind(), 0, doc="coefficient of restitution, from 0 to 1")
    law: str | None = value(
        OptionalKind(ChoiceKind(IMPACT_LAWS)),
        None,
        doc="meaning of restitution: newton, poisson or stronge",
        keyword=True,
    )

    def validate(self, place: Place) -> None:
        """Require two different bodies, and coefficients within their ranges."""
        super().validate(place)
        mu, static, e = (
            self.mu.number,
            None if self.mu_static is None else self.mu_static.number,
            self.restitution.number,
        )
        for name, given in (("mu", mu), ("mu_static", static)):
            if given is not None and given < 0:
                place.inside(name).report(f"{given:g} is negative.", "Give a coefficient of friction of at least 0.")
        if e is not None and not 0 <= e <= 1:
            place.inside("restitution").report(f"{e:g} is not from 0 to 1.", "Give 0 where bodies do not rebound.")
        if mu is not None and static is not None and static < mu:
            remedy = "Friction at rest is at least that of sliding."
            place.inside("mu_static").report(f"{static:g} is less than mu = {mu:g}.", remedy)

    @cached_property
    def geometry(self) -> SurfacePair | None:
        """How nearest points are found; None where a pair of shapes has no closed form."""
        return SurfacePair.of(*self.sides)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the points of contact."""
        return point_labels(self.name, self.geometry)

    @property
    def inputs(self) -> tuple[str, ...]:
        """For each point its load by direction and its margins, which a simulation gives by itself."""
        return tuple(f"{label}.{one}" for label in self.labels for one in INPUTS)

    @property
    def solved_inputs(self) -> tuple[str, ...]:
        """All inputs."""
        return self.inputs

    @property
    def static_friction(self) -> Quantity:
        """The coefficient of friction at rest."""
        return self.mu if self.mu_static is None else self.mu_static

    def touches(self, motion: Motion) -> list[Touching]:
        """Return all points of contact."""
        assert self.geometry is not None, "a checked contact has a closed form"
        axes = self.sides[1].frame(motion).R_WS
        return [self._touching(motion, one, axes) for one in self.geometry.touches(motion)]

    def _touching(self, motion: Motion, near: Nearest, axes: Matrix) -> Touching:
        a, b, point = motion.end(End(self.a.body)), motion.end(End(self.b.body)), near.middle
        return Touching(near.gap, near.normal, point, minus(a.velocity_at(point), b.velocity_at(point)), axes)

    def _load(self, motion: Motion, label: str, touching: Touching) -> tuple[Scalar, Vector]:
        """Return the normal load and the friction on a."""
        normal, x, y, z = (motion.input(f"{label}.{one}") for one in INPUTS[:ROWS])
        return normal, _across(touching.normal, apply(touching.axes, (x, y, z)))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the forces on a, and their opposites on b at the same points in space."""
        for label, touching in zip(self.labels, self.touches(motion), strict=True):
            normal, friction = self._load(motion, label, touching)
            force = plus(scale(normal, touching.normal), friction)
            for end, own in ((End(self.a.body), force), (End(self.b.body), opposite(force))):
                yield PointLoad(end, own, cross(minus(touching.point, motion.end(end).position), own))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the least gap, sums of forces, and means of sliding and place, weighted by loads."""
        touches = self.touches(motion)
        loads = [self._load(motion, label, one) for label, one in zip(self.labels, touches, strict=True)]
        whole = [
            plus(scale(normal, one.normal), friction) for (normal, friction), one in zip(loads, touches, strict=True)
        ]
        return {
            "total": total_of(whole),
            "force": total([normal for normal, _ in loads]),
            "friction": total_of([friction for _, friction in loads]),
            "sliding": _mean([normal for normal, _ in loads], [one.sliding for one in touches]),
            "point": _mean([normal for normal, _ in loads], [one.point for one in touches]),
            **self.measured(motion),
        }

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the least gap."""
        gaps = tuple(one.gap for one in self.touches(motion))
        return {"gap": gaps[0] if len(gaps) == 1 else without_switches(motion.scalars).call("min", gaps)}


def _across(normal: Vector, vector: Vector) -> Vector:
    """Return the part of a vector perpendicular to a unit vector."""
    return minus(vector, scale(dot(normal, vector), normal))


def _mean(loads: list[Scalar], vectors: list[Vector]) -> Vector:
    """Return the mean of vectors, weighted by loads."""
    if len(vectors) == 1:
        return vectors[0]
    weights = [add(load, _SLIGHT) for load in loads]
    whole = total(weights)
    return total_of([scale(divide(weight, whole), one) for weight, one in zip(weights, vectors, strict=True)])
