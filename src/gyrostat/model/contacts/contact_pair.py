"""The two sides of a contact: their shapes, points of contact, laws and states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from gyrostat.model.contacts.nearest import Nearest, ShapePose
from gyrostat.model.contacts.normal_law import Indentation, NormalLaw
from gyrostat.model.contacts.rolling_resistance import RollingResistance
from gyrostat.model.contacts.side import Side
from gyrostat.model.contacts.surface_pair import SurfacePair, point_labels
from gyrostat.model.contacts.touch import Touch
from gyrostat.model.friction import FrictionLaw, Sliding
from gyrostat.model.kinds import End
from gyrostat.model.state_variable import StateVariable
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, negate
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import ZERO, Vector, dot, minus, plus, scale

if TYPE_CHECKING:
    from gyrostat.model.forces import Motion

_AXES = "xyz"


class ContactLaws(NamedTuple):
    """The laws of a contact."""

    normal: NormalLaw
    friction: FrictionLaw | None = None
    rolling: RollingResistance | None = None


@dataclass(frozen=True)
class ContactPair:
    """Two sides with their laws."""

    name: str
    a: Side
    b: Side
    laws: ContactLaws

    @cached_property
    def geometry(self) -> SurfacePair | None:
        """How nearest points are found; None where a pair of shapes has no closed form."""
        return SurfacePair.of(self.a, self.b)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the points of contact."""
        return point_labels(self.name, self.geometry)

    @cached_property
    def directions(self) -> int:
        """The number of components of sliding: two in the axes of a plane, otherwise three in those of b."""
        return 2 if self.a.is_plane or self.b.is_plane else 3

    @cached_property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The speeds of approach and deflections of bristles, as far as laws have them."""
        found = []
        for label in self.labels:
            if self.laws.normal.remembers:
                found.append(StateVariable(f"{label}.approach", "m/s", f"speed of approach of {label} at touch"))
            found += [
                StateVariable(name, "m", f"deflection of the bristles of {label}") for name in self._bristle(label)
            ]
        return tuple(found)

    def _bristle(self, label: str) -> list[str]:
        if self.laws.friction is None or not self.laws.friction.has_bristle:
            return []
        return [f"{label}.bristle.{axis}" for axis in _AXES[: self.directions]]

    # --- at an instant ----------------------------------------------------------------------------------------------

    def nearest(self, motion: Motion) -> tuple[list[Nearest], ShapePose]:
        """Return the nearest points, and the pose of the frame in whose axes bristles are."""
        assert self.geometry is not None, "a checked contact has a closed form"
        side = self.a if self.a.is_plane else self.b
        return self.geometry.touches(motion), side.frame(motion)

    def gap(self, motion: Motion) -> Scalar:
        """Return the least gap."""
        gaps = tuple(one.gap for one in self.nearest(motion)[0])
        return gaps[0] if len(gaps) == 1 else without_switches(motion.scalars).call("min", gaps)

    def touches(self, motion: Motion) -> list[Touch]:
        """Return all points of contact, formed once for each instant."""

        def form() -> list[Touch]:
            found, frame = self.nearest(motion)
            axes = [frame.axis(k) for k in range(self.directions)]
            return [self._touch(motion, label, one, axes) for label, one in zip(self.labels, found, strict=True)]

        return motion.once(f"{self.name}.touches", form)

    def _touch(self, motion: Motion, label: str, near: Nearest, axes: list[Vector]) -> Touch:
        """Return a point of contact, with bristles in given axes."""
        laws, n, point = self.laws, near.normal, near.middle
        a, b = motion.end(End(self.a.end.body)), motion.end(End(self.b.end.body))
        relative = minus(a.velocity_at(point), b.velocity_at(point))
        rate = dot(relative, n)
        sliding = minus(relative, scale(rate, n))
        approach = motion.quantity(f"{label}.approach") if laws.normal.remembers else 0
        pressed = Indentation(near.gap, rate, approach, motion.scalars, motion.evaluate)
        normal, touching, smooth = laws.normal.normal(pressed), pressed.touching, without_switches(motion.scalars)
        rates: dict[str, Scalar] = {}
        at_touch: dict[str, Scalar] = {}
        if laws.normal.remembers:
            rates[f"{label}.approach"] = 0
            at_touch[f"{label}.approach"] = smooth.call("max", (negate(rate), 0))
        friction, on_a = None, ZERO
        if laws.friction is not None:
            names = self._bristle(label)
            bristle = across_normal([motion.quantity(name) for name in names], axes, n)
            velocity = tuple(dot(sliding, axis) for axis in axes)
            rubbing = Sliding(velocity, normal.friction_load, bristle, smooth, motion.evaluate)
            friction = laws.friction.friction(rubbing)
            if normal.seat is not None and names:
                seated = laws.friction.friction(replace(rubbing, load=normal.seat))
                friction = friction._replace(stored=seated.stored)
            for force, axis in zip(friction.force, axes, strict=True):
                on_a = plus(on_a, scale(force, axis))
            for name, change in zip(names, friction.rates, strict=True):
                rates[name] = motion.scalars.call("where", (touching, change, 0))
            at_touch |= dict(zip(names, laws.friction.bristle_at_touch(rubbing), strict=False))
        moment, resistance = ZERO, 0
        if laws.rolling is not None:
            omega = minus(a.omega, b.omega)
            moment = laws.rolling.moment(omega, n, normal.friction_load, smooth, motion.evaluate)
            resistance = negate(dot(moment, omega))
        return Touch(near.gap, touching, point, n, sliding, normal, friction, on_a, moment, resistance, rates, at_touch)


def across_normal(bristle: list[Scalar], axes: list[Vector], n: Vector) -> tuple[Scalar, ...]:
    """Return a deflection without its part along the normal, which has turned since; in a plane there is none."""
    if len(bristle) < 3:
        return tuple(bristle)
    along = [dot(n, axis) for axis in axes]
    normal = dot((bristle[0], bristle[1], bristle[2]), (along[0], along[1], along[2]))
    return tuple(z - multiply(normal, one) for z, one in zip(bristle, along, strict=True))
