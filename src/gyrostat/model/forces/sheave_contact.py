"""Contact of one point of a rope with a pulley."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gyrostat.model.contacts import NORMAL_LAWS, Indentation, NormalForce, NormalLaw
from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.friction import FRICTION_LAWS, Friction, FrictionLaw, Sliding
from gyrostat.model.kinds import End, EndKind, OptionalKind, Quantity, QuantityKind, TaggedKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.ropes.path_kind import PathKind
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Vector, cross, dot, minus, opposite, plus, scale

_DISTANCE_ROUNDING = 1e-30
"""Added to the squared distance from the axis (m²), so that its root has a derivative on the axis itself."""


class _Touch(NamedTuple):
    """A point of a rope on a pulley at an instant: the triad ξ with its origin, forces and speeds along it."""

    arm: Vector
    """From the centre of the pulley to the point."""
    radial: Vector
    along: Vector
    """Direction of friction."""
    axis: Vector
    gap: Scalar
    sliding: Scalar
    normal: NormalForce
    friction: Friction | None
    side: Scalar
    """Force along the axis of the pulley."""
    side_speed: Scalar
    beyond: Scalar
    """By how much the lever of friction is longer than the distance from the axis."""

    @property
    def rubbing(self) -> Scalar:
        """The friction on the rope, against e_ξ3."""
        return 0 if self.friction is None else self.friction.force[0]

    @property
    def force(self) -> Vector:
        """The whole force on the rope (Crous 2000, eqs 3.5.34 and 3.5.35)."""
        across = plus(scale(self.normal.force, self.radial), scale(self.side, self.axis))
        return plus(across, scale(self.rubbing, self.along))


@dataclass(frozen=True)
class SheaveContact(ForceElement):
    """Contact of one point of a rope with a pulley by penalty (Crous 2000, eqs 3.5.20 to 3.5.37).

    In the plane of the pulley the normal law acts on the depth below the pulley's radius, along the axis a spring and a
    damper while the point is pressed on the pulley, and along the circumference friction. A rope has many of these:
    their conditions are no switches, steps do not end where a point touches or leaves. Laws that are continuous at
    touch, such as `HuntCrossley(…, speed=…)` or `KelvinVoigt(…, fade_depth=…)`, take fewer steps.

    The moment on the pulley is that of the whole distance from its centre, also along the axis, so that the loads on
    rope and pulley balance; eq. 3.5.37 leaves that part out. Points of a polygon lie outside of the line that a rope
    has on the pulley: with `line` friction acts at its radius, so that a rope that sticks runs as fast as the line.
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "gap": ForceOutput(1, "m", "distance from the pulley, negative where the rope is pressed in", kinematic=True),
        "force": ForceOutput(1, "N", "normal force"),
        "friction": ForceOutput(1, "N", "friction on the rope, positive in the direction of e_ξ3 = e_ξ1 × z"),
        "sliding": ForceOutput(1, "m/s", "speed of the rope against the pulley along e_ξ3"),
        "dissipation": ForceOutput(1, "W", "power that is lost"),
    }
    point: End = value(EndKind(), doc="the point of the rope")
    pulley: Pulley = value(PathKind(), doc="the pulley")
    normal: NormalLaw = value(TaggedKind(lambda: NORMAL_LAWS), doc="normal law of this point")
    friction: FrictionLaw | None = value(
        OptionalKind(TaggedKind(lambda: FRICTION_LAWS)), None, doc="friction law; by default there is no friction"
    )
    side_stiffness: Quantity = value(
        QuantityKind(), 0, doc="stiffness along the axis of the pulley (N/m)", keyword=True
    )
    side_damping: Quantity = value(QuantityKind(), 0, doc="damping along the axis (N·s/m)", keyword=True)
    side_load: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="normal force at which stiffness and damping along the axis have these values, in proportion to it (N); "
        "by default they do not depend on it, and jump at touch",
        keyword=True,
    )

    line: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="radius of the rope's centre line, by which friction has its speed and its lever (m); by default that of "
        "the point itself",
        keyword=True,
    )

    def validate(self, place: Place) -> None:
        """Require two bodies, and a normal law without a memory of the touch."""
        if not isinstance(self.pulley, Pulley):
            place.inside("pulley").report(f"{self.pulley} is not a pulley.", "Write Pulley(name, frame, radius, side).")
            return
        if self.point.body == self.pulley.frame.body:
            place.report(f"rope and pulley are both on body {self.point.body!r}.", "Name two different bodies.")
        if self.normal.remembers:
            place.inside("normal").report(
                "the law remembers the speed of approach, which contacts of ropes do not record.",
                "Give the law a typical speed of approach, speed=….",
            )

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The deflection of the bristles, for friction laws that have them."""
        if self.friction is None or not self.friction.has_bristle:
            return ()
        return (StateVariable(f"{self.name}.bristle", "m", f"deflection of the bristles of {self.name}"),)

    # --- at an instant ----------------------------------------------------------------------------------------------

    def _touch(self, motion: Motion) -> _Touch:
        return motion.once(f"{self.name}.touch", lambda: self._formed(motion))

    def _formed(self, motion: Motion) -> _Touch:
        """Return triad, speeds and forces, by the equations' numbers."""
        scalars, evaluate = without_switches(motion.scalars), motion.evaluate
        arm, axis, radial, distance = self._triad(motion)
        along = cross(radial, axis)  # 3.5.26
        point, wheel = motion.end(self.point), motion.end(self.pulley.frame)
        across = minus(point.velocity, wheel.velocity)  # 3.5.22
        surface = minus(across, cross(wheel.omega, arm))  # 3.5.31
        beyond = 0 if self.line is None else subtract(evaluate(self.line), distance)
        gap, sliding, side_speed = (
            subtract(distance, evaluate(self.pulley.radius)),
            add(dot(surface, along), multiply(dot(wheel.omega, axis), beyond)),  # 3.5.32
            dot(surface, axis),
        )
        normal = self.normal.normal(Indentation(gap, dot(surface, radial), 0, scalars, evaluate))  # 3.5.29
        pressed = scalars.compare(">", normal.friction_load, 0)
        friction = None
        if self.friction is not None:  # 3.5.33
            bristle = tuple(motion.quantity(one.name) for one in self.state_variables)
            friction = self.friction.friction(Sliding((sliding,), normal.friction_load, bristle, scalars, evaluate))
        held = add(
            multiply(evaluate(self.side_stiffness), dot(arm, axis)), multiply(evaluate(self.side_damping), side_speed)
        )
        if self.side_load is not None:
            held = multiply(held, divide(normal.friction_load, evaluate(self.side_load)))
        side = scalars.call("where", (pressed, negate(held), 0))  # 3.5.30
        return _Touch(arm, radial, along, axis, gap, sliding, normal, friction, side, side_speed, beyond)

    def _triad(self, motion: Motion) -> tuple[Vector, Vector, Vector, Scalar]:
        """Return the arm, the axis, e_ξ1 and the distance from the axis (3.5.20 to 3.5.25)."""
        point, wheel = motion.end(self.point), motion.end(self.pulley.frame)
        (_, _, ax), (_, _, ay), (_, _, az) = wheel.rotation
        axis = (ax, ay, az)
        arm = minus(point.position, wheel.position)
        flat = minus(arm, scale(dot(arm, axis), axis))
        distance = motion.scalars.call("sqrt", (add(dot(flat, flat), _DISTANCE_ROUNDING),))
        return arm, axis, scale(divide(1, distance), flat), distance

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force on the rope, and the opposite force with its moment on the pulley (3.5.36, 3.5.37)."""
        touch = self._touch(motion)
        back = opposite(touch.force)
        yield PointLoad(self.point, touch.force)
        twist = scale(multiply(touch.rubbing, touch.beyond), touch.axis)
        yield PointLoad(self.pulley.frame, back, plus(cross(touch.arm, back), twist))

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of the bristles; off the pulley they straighten."""
        (state,) = self.state_variables
        touch = self._touch(motion)
        assert touch.friction is not None, "only friction has states"
        pressed = without_switches(motion.scalars).compare(">", touch.normal.friction_load, 0)
        free = multiply(-_STRAIGHTENING, motion.quantity(state.name))
        return {state.name: motion.scalars.call("where", (pressed, touch.friction.rates[0], free))}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return gap, normal force, friction, sliding and the power lost."""
        touch = self._touch(motion)
        lost = add(touch.normal.dissipation, negate(multiply(touch.side, touch.side_speed)))
        return {
            "gap": touch.gap,
            "force": touch.normal.force,
            "friction": touch.rubbing,
            "sliding": touch.sliding,
            "dissipation": lost if touch.friction is None else add(lost, touch.friction.dissipation),
        }

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the gap."""
        return {"gap": subtract(self._triad(motion)[3], motion.evaluate(self.pulley.radius))}

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy of the surface and of bristles."""
        touch = self._touch(motion)
        return touch.normal.stored if touch.friction is None else add(touch.normal.stored, touch.friction.stored)


_STRAIGHTENING = 100.0
"""The rate at which bristles straighten off the pulley (1/s)."""
