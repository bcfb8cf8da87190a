"""A bond between two bodies that breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import AxisKind, End, EndKind, OptionalKind, Quantity, QuantityKind, Triple
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import Reset, StateVariable
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Vector, apply, cross, dot, minus, normalised, opposite, plus, scale, transpose

_COMPRESSION_SHARE = 1e-6
"""The force from which on compression counts, relative to the limit of tension."""


@dataclass(frozen=True)
class _Bonded:
    """A bond at an instant; vectors are in the axes of its end a."""

    normal: Vector
    stretch: Scalar
    """Distance along the normal beyond the natural one."""
    stretch_rate: Scalar
    slip: Vector
    """Displacement across the normal."""
    slip_rate: Vector
    normal_law: tuple[Scalar, Scalar]
    shear_law: tuple[Scalar, Scalar]
    """Stiffness and damping along and across the normal."""
    limits: tuple[Scalar, Scalar]
    broken: Scalar
    """1 where the bond is broken, 0 where it is not."""
    scalars: Scalars

    @cached_property
    def _depth(self) -> Scalar:
        """The depth of compression, zero in tension, up to a force of `_COMPRESSION_SHARE` limits.

        In some mechanisms places stay at touch, where the sign of the stretch is that of rounding errors.
        """
        least = multiply(_COMPRESSION_SHARE, divide(self.limits[0], self.normal_law[0]))
        depth = negate(self.stretch)
        return self.scalars.call("where", (self.scalars.compare(">", depth, least), depth, 0))

    @property
    def _smooth(self) -> Scalars:
        return without_switches(self.scalars)

    @property
    def _pressing(self) -> Scalar:
        """The compression in a broken bond: never a pull, and with a damping force up to the elastic one."""
        elastic, call = multiply(self.normal_law[0], self._depth), self._smooth.call
        damped = subtract(elastic, multiply(self.normal_law[1], self.stretch_rate))
        return call("min", (call("max", (damped, 0)), multiply(2, elastic)))

    @property
    def _compressed(self) -> Scalar:
        """The elastic energy of compression."""
        return divide(multiply(self.normal_law[0], square(self._depth)), 2)

    @property
    def _tension(self) -> Scalar:
        stiffness, damping = self.normal_law
        return add(multiply(stiffness, self.stretch), multiply(damping, self.stretch_rate))

    @property
    def _shear(self) -> Vector:
        stiffness, damping = self.shear_law
        return plus(scale(stiffness, self.slip), scale(damping, self.slip_rate))

    @cached_property
    def load(self) -> Scalar:
        """(N/limit)² + (S/shear limit)² of the elastic tension N and shear S, which is 1 where the bond breaks."""
        tension = self._smooth.call("max", (multiply(self.normal_law[0], self.stretch), 0))
        shear = multiply(square(self.shear_law[0]), dot(self.slip, self.slip))
        return add(square(divide(tension, self.limits[0])), divide(shear, square(self.limits[1])))

    @cached_property
    def breaking(self) -> Scalar:
        """The truth value of a load beyond the limits."""
        return self.scalars.compare(">=", self.load, 1)

    @cached_property
    def _whole(self) -> Scalar:
        """1 where the bond holds, 0 where it is broken."""
        unbroken = subtract(1, self.broken)
        return multiply(unbroken, self.scalars.call("where", (self.breaking, 0, 1)))

    def _either(self, whole: Scalar, broken: Scalar) -> Scalar:
        return add(broken, multiply(self._whole, subtract(whole, broken)))

    @cached_property
    def tension(self) -> Scalar:
        """The force along the normal; compression is negative."""
        return self._either(self._tension, negate(self._pressing))

    @cached_property
    def shear(self) -> Vector:
        """The force across the normal on the body of a."""
        return scale(self._whole, self._shear)

    @property
    def _elastic(self) -> Scalar:
        along = multiply(self.normal_law[0], square(self.stretch))
        return divide(add(along, multiply(self.shear_law[0], dot(self.slip, self.slip))), 2)

    @property
    def stored(self) -> Scalar:
        """The elastic energy."""
        return self._either(self._elastic, self._compressed)

    @property
    def released(self) -> Scalar:
        """The elastic energy that is lost when the bond breaks here; none of one that is broken."""
        return multiply(subtract(1, self.broken), subtract(self._elastic, self._compressed))


@dataclass(frozen=True)
class Bond(ForceElement):
    """Two places held together until a limit, such as lumps of frozen ground.

    The normal leads from a to b, in the axes of a. Along it the bond resists compression always, and tension until it
    breaks; across it, it resists shear until it breaks. That is where (N/limit)² + (S/shear_limit)² reaches 1, with the
    elastic tension N and shear S. A broken bond resists compression alone, without friction and with a damping force up
    to the elastic one, and does not heal. Whether it is broken is the state `name.broken`, 0 or
    1, and the elastic energy that was lost the state `name.released`.

    >>> import gyrostat as gs
    >>> bond = gs.Bond("ice", "lump.bottom", "bucket.floor", 2e3, stiffness=1e6, damping=500, axis="-z")
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N", "tension along the normal, compression negative"),
        "shear": ForceOutput(3, "N", "force across the normal on the body of a"),
        "load": ForceOutput(1, "1", "(N/limit)² + (S/shear limit)² of the elastic forces; at 1 the bond breaks"),
        "stretch": ForceOutput(1, "m", "distance along the normal beyond the natural one", kinematic=True),
    }
    a: End = value(EndKind(), doc="one place, in whose axes the normal is given")
    b: End = value(EndKind(), doc="the other place")
    limit: Quantity = value(QuantityKind(), doc="tension at which it breaks (N)")
    stiffness: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="stiffness along the normal (N/m), required", keyword=True
    )
    damping: Quantity = value(QuantityKind(), 0, doc="damping along and across the normal (N·s/m)", keyword=True)
    axis: Triple = value(AxisKind(), "z", doc="normal, from a to b, in the axes of a", keyword=True)
    length: Quantity = value(QuantityKind(), 0, doc="natural distance of the places along the normal (m)", keyword=True)
    shear_stiffness: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="stiffness across the normal (N/m); by default stiffness", keyword=True
    )
    shear_limit: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="shear at which it breaks (N); by default limit", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require strength and stiffness, and two bodies."""
        if self.stiffness is None:
            place.inside("stiffness").report("it is missing.", "Give stiffness=…, the force per stretch (N/m).")
        if self.a.body == self.b.body:
            place.report(f"both places are on {self.a.body!r}.", "Name places on two bodies.")
        self.check_limits(lambda formula: formula.number, place)

    def check_limits(self, known: Callable[[Quantity], float | None], place: Place) -> None:
        """Report known values that are not positive, or negative."""
        for field, remedy in _POSITIVE_FIELDS.items():
            number = self._known(field, known)
            if number is not None and not number > 0:
                place.inside(field).report(f"it is {number:g}: {remedy[0]}.", remedy[1])
        for field in ("damping", "shear_stiffness"):
            number = self._known(field, known)
            if number is not None and number < 0:
                place.inside(field).report(f"it is {number:g}.", "It cannot be negative.")

    def _known(self, field: str, known: Callable[[Quantity], float | None]) -> float | None:
        given: Quantity | None = getattr(self, field)
        return None if given is None else known(given)

    @property
    def broken(self) -> str:
        """The name of the state that tells whether the bond is broken."""
        return f"{self.name}.broken"

    @property
    def released(self) -> str:
        """The name of the state with the elastic energy that was lost."""
        return f"{self.name}.released"

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """Whether the bond is broken, and the energy lost."""
        return (
            StateVariable(self.broken, "", "1 where the bond is broken, otherwise 0"),
            StateVariable(self.released, "J", "elastic energy lost when the bond broke"),
        )

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return zeros: both states change when the bond breaks alone."""
        return {self.broken: 0, self.released: 0}

    def resets(self, motion: Motion) -> Iterator[Reset]:
        """Yield the states of a bond that breaks."""
        bonded = self._bonded(motion)
        lost = add(motion.quantity(self.released), bonded.released)
        yield Reset(bonded.breaking, {self.broken: 1, self.released: lost})

    def _bonded(self, motion: Motion) -> _Bonded:
        return motion.once(f"{self.name}.bonded", lambda: self._formed(motion))

    def _formed(self, motion: Motion) -> _Bonded:
        assert self.stiffness is not None, "validated when it was made"
        a, b, value = motion.end(self.a), motion.end(self.b), motion.evaluate
        R_AW, arm = transpose(a.rotation), minus(b.position, a.position)
        apart = apply(R_AW, arm)
        moving = apply(R_AW, minus(minus(b.velocity, a.velocity), cross(a.omega, arm)))
        normal = _unit(self.axis, motion)
        along, along_rate = dot(normal, apart), dot(normal, moving)
        damping = value(self.damping)
        return _Bonded(
            normal,
            subtract(along, value(self.length)),
            along_rate,
            minus(apart, scale(along, normal)),
            minus(moving, scale(along_rate, normal)),
            (value(self.stiffness), damping),
            (value(self.stiffness if self.shear_stiffness is None else self.shear_stiffness), damping),
            (value(self.limit), value(self.limit if self.shear_limit is None else self.shear_limit)),
            motion.quantity(self.broken),
            motion.scalars,
        )

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force at the place b on both bodies."""
        bonded, a, b = self._bonded(motion), motion.end(self.a), motion.end(self.b)
        pull = apply(a.rotation, plus(scale(bonded.tension, bonded.normal), bonded.shear))
        yield PointLoad(self.a, pull, cross(minus(b.position, a.position), pull))
        yield PointLoad(self.b, opposite(pull))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return tension, shear, load and stretch."""
        bonded = self._bonded(motion)
        shear = apply(motion.end(self.a).rotation, bonded.shear)
        return {"force": bonded.tension, "shear": shear, "load": bonded.load, "stretch": bonded.stretch}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the stretch."""
        return {"stretch": self._bonded(motion).stretch}

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy, and that which was lost, so that it does not jump."""
        return add(self._bonded(motion).stored, motion.quantity(self.released))

    @property
    def may_switch(self) -> bool:
        """True: it breaks."""
        return True


_POSITIVE_FIELDS = {
    "limit": ("a bond without strength is broken", "Give the tension that it bears, or use a Contact."),
    "stiffness": ("without stiffness it bears nothing", "Give the force per stretch (N/m)."),
    "shear_limit": ("a bond without strength is broken", "Give the shear that it bears, or leave it out."),
}
"""Facts and remedies of fields that must be positive."""


def _unit(axis: Triple, motion: Motion) -> Vector:
    x, y, z = (motion.evaluate(entry) for entry in axis)
    return normalised((x, y, z), motion.scalars)
