"""Rigid contact of two bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts.nearest import Nearest
from gyrostat.model.contacts.surface_pair import SurfacePair, point_labels
from gyrostat.model.contacts.touch import total_of
from gyrostat.model.forces.force_element import ForceOutput, Load, Motion, PointLoad
from gyrostat.model.forces.rigid_element import INPUTS, ROWS, RigidElement, Touching, across
from gyrostat.model.forces.touching_pair import TOUCH_OUTPUTS, TouchingPair
from gyrostat.model.kinds import ChoiceKind, End, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, total
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Matrix, Vector, apply, cross, minus, opposite, plus, scale

IMPACT_LAWS = ("newton", "poisson", "stronge")


_LOAD_OFFSET = 1e-9
"""Load that is added to that of each point (N), so that means are defined in open contacts."""


@dataclass(frozen=True)
class RigidContact(TouchingPair, RigidElement):
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
    def laws(self) -> tuple[Quantity, ...]:
        """None: the load of a contact supplies no energy, and takes some while it is closed."""
        return ()

    @property
    def is_rigid(self) -> bool:
        """True."""
        return True

    @property
    def frictions(self) -> tuple[Quantity, Quantity]:
        """The coefficients of friction of sliding and of rest."""
        return self.mu, self.static_friction

    @property
    def impact(self) -> tuple[Quantity, str | None]:
        """The coefficient of restitution and its meaning."""
        return self.restitution, self.law

    @property
    def separation(self) -> str:
        """Remedy for surfaces that overlap."""
        return f"Move {self.a.body!r} out of {self.b.body!r}."

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
        return normal, across(touching.normal, apply(touching.axes, (x, y, z)))

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


def _mean(loads: list[Scalar], vectors: list[Vector]) -> Vector:
    """Return the mean of vectors, weighted by loads."""
    if len(vectors) == 1:
        return vectors[0]
    weights = [add(load, _LOAD_OFFSET) for load in loads]
    whole = total(weights)
    return total_of([scale(divide(weight, whole), one) for weight, one in zip(weights, vectors, strict=True)])
