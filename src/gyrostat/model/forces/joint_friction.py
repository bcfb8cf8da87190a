"""Friction on a coordinate of a joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.friction import FRICTION_LAWS, Friction, FrictionLaw, Sliding
from gyrostat.model.kinds import FormulaUse, OptionalKind, Path, Quantity, QuantityKind, ReferenceKind, TaggedKind, Use
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Vector, cross, dot, minus, plus, scale

OWN_REACTION = "reaction"
"""The load of friction by the joint's own reaction."""


@dataclass(frozen=True)
class JointFriction(ForceElement):
    """Friction on one coordinate of a joint, by a friction law: `Coulomb`, `Stribeck`, `LuGre` or `Bristle`.

    The normal load multiplies the coefficients of the law. By default it is 1, so that coefficients are forces, or
    torques on an angle. Laws with bristles have the deflection as a state, `name.bristle`; they are stiff, and
    `gs.Rodas5P()` integrates them best.

    With `load="reaction"`, or with a `radius` or `length` and no load, it is the joint's own reaction, which friction
    changes in turn: both are solved together. In a slide it is the force across the axis; in a hinge of the given
    journal radius the radial force, with the friction at that radius and the sliding speed there. With a `length` the
    joint has two bearings at this distance along its axis, which carry the moment across it as well, and the load is
    the sum of both forces.
    """

    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "friction on the coordinate", sliding_unit="N"),
        "load": ForceOutput(1, "N", "normal load"),
        "sliding": ForceOutput(1, "rad/s", "rate of the coordinate", sliding_unit="m/s", kinematic=True),
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    law: FrictionLaw = value(TaggedKind(lambda: FRICTION_LAWS), doc="the friction law")
    load: Quantity | None = value(
        OptionalKind(QuantityKind(LAW)),
        None,
        doc='normal load, a formula, at least zero, or "reaction"; by default 1, with a radius or length the reaction',
    )
    radius: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="radius of the journal of a hinge, for its own reaction (m)",
        keyword=True,
    )
    length: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="distance of two bearings along the axis (m)", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Refuse dimensions of bearings without a reaction, and dimensions that are not positive."""
        for name, given in (("radius", self.radius), ("length", self.length)):
            if given is None:
                continue
            require_positive(place, name, given, "Give a length in metres.")
            if not self.by_reaction:
                fact = f"the {name} has no meaning with a given load."
                place.inside(name).report(fact, 'Use load="reaction", the joint\'s own.')

    @property
    def by_reaction(self) -> bool:
        """Whether the normal load is the joint's own reaction."""
        if self.load is None:
            return self.radius is not None or self.length is not None
        return self.load.names == {OWN_REACTION}

    @property
    def stores_energy(self) -> bool:  # type: ignore[override]
        """Whether the bristles of the law store energy, under a load that is given.

        The rate of the joint's own reaction is not known: under it the energy of bristles counts as lost while it is
        stored.
        """
        return self.law.has_bristle and not self.by_reaction

    @property
    def inputs(self) -> tuple[str, ...]:
        """The load, where it is the joint's own reaction."""
        return (f"{self.name}.solved_load",) if self.by_reaction else ()

    @property
    def solved_inputs(self) -> tuple[str, ...]:
        """The load."""
        return self.inputs

    def uses(self, path: Path = ()) -> Iterator[Use]:
        """Yield references and formulas, without the word for the joint's own reaction."""
        for use in super().uses(path):
            if not (isinstance(use, FormulaUse) and use.formula.names == {OWN_REACTION}):
                yield use

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The deflection of the bristles, for laws that have them."""
        if not self.law.has_bristle:
            return ()
        return (StateVariable(f"{self.name}.bristle", "", f"deflection of the bristles of {self.name}"),)

    def _friction(self, motion: Motion) -> Friction:
        bristle = (motion.quantity(f"{self.name}.bristle"),) if self.law.has_bristle else ()
        velocity = (multiply(self._radius(motion), motion.speed(self.joint)),)
        return self.law.friction(
            # laws of friction are continuous: their conditions are no switches
            Sliding(velocity, self._load(motion), bristle, without_switches(motion.scalars), motion.evaluate)
        )

    def _load(self, motion: Motion) -> Scalar:
        if self.by_reaction:
            return motion.input(f"{self.name}.solved_load")
        return 1 if self.load is None else motion.evaluate(self.load)

    def _radius(self, motion: Motion) -> Scalar:
        """Return the radius at which friction acts; 1 where it acts on the coordinate itself."""
        return 1 if self.radius is None else motion.evaluate(self.radius)

    def _force(self, motion: Motion) -> Scalar:
        return multiply(self._radius(motion), self._friction(motion).force[0])

    def bearing_forces(self, force: Vector, moment: Vector, axis: Vector, motion: Motion) -> list[Vector]:
        """Return the forces across the axis in the bearings, from the reaction of the joint; in world axes."""
        across = minus(force, scale(dot(force, axis), axis))
        if self.length is None:
            return [across]
        half, lever = scale(0.5, across), scale(divide(1, motion.evaluate(self.length)), cross(axis, moment))
        return [minus(half, lever), plus(half, lever)]

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the friction on the coordinate."""
        yield CoordinateLoad(self.joint, self._force(motion))

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy of the bristles."""
        return self._friction(motion).stored

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of the deflection."""
        return {f"{self.name}.bristle": self._friction(motion).rates[0]}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the friction, the normal load and the rate of the coordinate."""
        return {"force": self._force(motion), "load": self._load(motion), **self.measured(motion)}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of the coordinate."""
        return {"sliding": motion.speed(self.joint)}

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint
