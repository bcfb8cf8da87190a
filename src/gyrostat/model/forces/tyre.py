"""A tyre on the ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

from gyrostat.model.contacts import NORMAL_LAWS, NormalLaw
from gyrostat.model.contacts.contact_pair import ContactLaws, ContactPair
from gyrostat.model.contacts.nearest import SQUARE_ROUNDING
from gyrostat.model.contacts.side import Side
from gyrostat.model.contacts.surface_pair import SurfacePair
from gyrostat.model.contacts.touch import Touch
from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.forces.touching_pair import TOUCH_OUTPUTS
from gyrostat.model.kinds import ChoiceKind, End, EndKind, FlagKind, OptionalKind, Quantity, QuantityKind, TaggedKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import Component, value
from gyrostat.model.shapes import SHAPES, Ring, Shape
from gyrostat.model.state_variable import Reset, StateVariable
from gyrostat.model.tyres import TYRE_LAWS, Slip, TyreForce, TyreLaw
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import UNIT, Vector, apply, cross, dot, minus, opposite, plus, scale


class _Rolling(NamedTuple):
    """A tyre at an instant, in world axes."""

    touch: Touch
    forward: Vector
    left: Vector
    travel: Scalar
    """Size of the velocity of the wheel's centre along the wheel, smoothed over `low_speed` without relaxation."""
    sliding: Mapping[str, Scalar]
    """Velocities that make slip, positive where they drive the wheel forward and to its left."""
    slip: Slip
    force: TyreForce


@dataclass(frozen=True)
class Tyre(ForceElement):
    """A tyre: a wheel that touches the ground at one point, with a normal law, and forces by its slip.

    The wheel is a circle about `axis` of its end, which points to the left of the direction of travel. The ground is a
    `Plane` or a `Relief`. Slips are κ = −V_sx/|V_x| and tan α = −V_y/|V_x|. With a relaxation length σ the slip is a
    state that follows with the distance travelled, σ ṡ + |V_x| s = −V_s: `name.relaxed.slip`, `name.relaxed.angle`
    (tan α). Without it, |V_x| is √(V_x² + w²) with the `low_speed` w. The body of the end spins with the wheel; with
    `spins=False` it carries a wheel that rolls freely, without longitudinal slip.

    >>> import gyrostat as gs
    >>> spring = gs.KelvinVoigt(2e5, 500)
    >>> tyre = Tyre("front", "wheel", "ground.road", gs.LinearTyre(6e4, 8e4), radius=0.3, normal=spring)
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        **TOUCH_OUTPUTS,
        "total": ForceOutput(3, "N", "whole force on the wheel"),
        "friction": ForceOutput(3, "N", "force on the wheel along the ground"),
        "sliding": ForceOutput(3, "m/s", "velocity of the tyre against the ground along the surface"),
        "slip": ForceOutput(1, "1", "longitudinal slip"),
        "angle": ForceOutput(1, "rad", "slip angle, positive where it drives the wheel to its left"),
        "camber": ForceOutput(1, "rad", "camber angle, positive where the top leans to the right"),
    }
    wheel: End = value(EndKind(), doc="centre of the wheel, with its axes")
    ground: End = value(EndKind(), doc="the ground: a body, or a surface of a body")
    law: TyreLaw = value(TaggedKind(lambda: TYRE_LAWS), doc="the law of the forces along the ground")
    radius: Quantity = value(QuantityKind(), doc="radius without load (m)", keyword=True)
    normal: NormalLaw = value(TaggedKind(lambda: NORMAL_LAWS), doc="the normal law", keyword=True)
    axis: str = value(ChoiceKind(tuple(UNIT)), "y", doc="axis of the wheel, which points to its left", keyword=True)
    spins: bool = value(FlagKind(), True, doc="whether the body of the end spins with the wheel", keyword=True)
    relaxation: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="relaxation length of lateral slip (m)", keyword=True
    )
    relaxation_along: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="relaxation length of longitudinal slip (m)", keyword=True
    )
    low_speed: Quantity = value(
        QuantityKind(), 0.1, doc="speed below which slips without relaxation grow no more (m/s)", keyword=True
    )
    surface: Shape | None = value(
        OptionalKind(TaggedKind(lambda: SHAPES)), None, doc="shape of the ground, in the axes of its end", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require two bodies and positive lengths."""
        if self.wheel.body == self.ground.body:
            place.report(f"wheel and ground are both on body {self.wheel.body!r}.", "Name two different bodies.")
        require_positive(place, "radius", self.radius, "Give the radius of the wheel.")
        require_positive(place, "low_speed", self.low_speed, "Give a speed far below that of travel.")
        for name in ("relaxation", "relaxation_along"):
            given = getattr(self, name)
            if given is not None:
                require_positive(place, name, given, "Leave it out where forces follow slip at once.")
        if self.relaxation_along is not None and not self.spins:
            fact, remedy = "a wheel that rolls freely has no longitudinal slip.", "Leave it out, or spins=False."
            place.inside("relaxation_along").report(fact, remedy)

    def resolved(self, components: Mapping[str, Component]) -> Self:
        """Return the tyre with the shape of the ground, as its body has it."""
        side = Side.of(self.ground, self.surface, components.get(self.ground.body))
        return replace(self, ground=side.end, surface=side.shape)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """The wheel and the ground."""
        return Side(self.wheel, Ring(self.radius, along=self.axis)), Side(self.ground, self.surface)

    @cached_property
    def pair(self) -> ContactPair:
        """The rim of the wheel and the ground."""
        return ContactPair(self.name, *self.sides, ContactLaws(self.normal))

    @property
    def geometry(self) -> SurfacePair | None:
        """How the point of contact is found; None where the ground is no plane or relief."""
        return self.pair.geometry

    @property
    def may_switch(self) -> bool:
        """True: forces begin where the tyre touches."""
        return True

    # --- states -----------------------------------------------------------------------------------------------------

    @cached_property
    def _relaxed(self) -> dict[str, Quantity]:
        """Relaxation lengths by the name of the slip."""
        given = {"slip": self.relaxation_along, "angle": self.relaxation}
        return {name: length for name, length in given.items() if length is not None}

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The slips that follow with the distance, and the speed of approach where the normal law remembers it."""
        found = (
            StateVariable(f"{self.name}.relaxed.{one}", "1", f"relaxed {one} of {self.name}") for one in self._relaxed
        )
        return (*self.pair.state_variables, *found)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return ṡ = (−V_s − |V_x| s)/σ while the tyre touches."""
        now = self._rolling(motion)
        rates = dict(now.touch.state_rates)
        for one, length in self._relaxed.items():
            name = f"{self.name}.relaxed.{one}"
            left = subtract(now.sliding[one], multiply(now.travel, motion.quantity(name)))
            rate = divide(left, motion.evaluate(length))
            rates[name] = motion.scalars.call("where", (now.touch.touching, rate, 0))
        return rates

    def resets(self, motion: Motion) -> Iterator[Reset]:
        """Yield the states that are set at touch: the speed of approach, and no slip."""
        now = self._rolling(motion)
        values = {**now.touch.values_at_touch, **{f"{self.name}.relaxed.{one}": 0 for one in self._relaxed}}
        if values:
            yield Reset(now.touch.touching, values)

    def touching(self, motion: Motion) -> Iterator[Scalar]:
        """Yield the condition of an overlap."""
        yield self._rolling(motion).touch.touching

    # --- forces -----------------------------------------------------------------------------------------------------

    def _rolling(self, motion: Motion) -> _Rolling:
        return motion.once(f"{self.name}.rolling", lambda: self._formed(motion))

    def _formed(self, motion: Motion) -> _Rolling:
        (touch,), smooth = self.pair.touches(motion), without_switches(motion.scalars)
        wheel, ground, up = motion.end(self.wheel), motion.end(End(self.ground.body)), touch.direction
        axis = apply(wheel.rotation, UNIT[self.axis])
        lean = dot(axis, up)
        flat = smooth.call("sqrt", (subtract(1, square(lean)),))
        forward = scale(divide(1, flat), cross(axis, up))
        left = cross(up, forward)
        travel = dot(minus(wheel.velocity, ground.velocity_at(touch.point)), forward)
        sliding = {
            "slip": negate(dot(touch.sliding, forward)) if self.spins else 0,
            "angle": negate(dot(touch.sliding, left)),
        }
        smoothed = smooth.call("sqrt", (add(square(travel), square(motion.evaluate(self.low_speed))),))
        size = smooth.call("sqrt", (add(square(travel), SQUARE_ROUNDING),))
        found = {
            one: motion.quantity(f"{self.name}.relaxed.{one}") if one in self._relaxed else divide(speed, smoothed)
            for one, speed in sliding.items()
        }
        load, camber = touch.normal.friction_load, smooth.call("asin", (lean,))
        slip = Slip(found["slip"], found["angle"], load, camber, smooth, motion.evaluate)
        return _Rolling(touch, forward, left, size, sliding, slip, self._force(slip, touch, motion))

    def _force(self, slip: Slip, touch: Touch, motion: Motion) -> TyreForce:
        """Return the forces of the law while the tyre touches; none along a wheel that rolls freely."""
        along, across, moment = (motion.scalars.call("where", (touch.touching, one, 0)) for one in self.law.force(slip))
        return TyreForce(along if self.spins else 0, across, moment)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the forces on the wheel and on the ground."""
        now = self._rolling(motion)
        force = self._whole(now)
        moment = scale(now.force.moment, now.touch.direction)
        arm = minus(now.touch.point, motion.end(self.wheel).position)
        yield PointLoad(self.wheel, force, plus(moment, cross(arm, force)))
        ground, back = End(self.ground.body), opposite(force)
        arm = minus(now.touch.point, motion.end(ground).position)
        yield PointLoad(ground, back, plus(opposite(moment), cross(arm, back)))

    @staticmethod
    def _whole(now: _Rolling) -> Vector:
        return plus(scale(now.touch.normal.force, now.touch.direction), Tyre._along_ground(now))

    @staticmethod
    def _along_ground(now: _Rolling) -> Vector:
        return plus(scale(now.force.along, now.forward), scale(now.force.across, now.left))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return gap, load, force along the ground, place, slips and camber."""
        now = self._rolling(motion)
        return {
            **self.measured(motion),
            "force": now.touch.normal.force,
            "friction": self._along_ground(now),
            "sliding": now.touch.sliding if self.spins else scale(dot(now.touch.sliding, now.left), now.left),
            "point": now.touch.point,
            "total": self._whole(now),
            "slip": now.slip.along,
            "angle": now.slip.scalars.call("atan", (now.slip.across,)),
            "camber": now.slip.camber,
        }

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the gap."""
        return {"gap": self.pair.gap(motion)}

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy of the normal law."""
        return self._rolling(motion).touch.stored
