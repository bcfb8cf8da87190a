"""A mass on a body that varies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from gyrostat.model.forces.force_element import LAW, ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.forces.mass_flow import MassFlow, MassNow, triangle_margin
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import (
    End,
    EndKind,
    FlagKind,
    InertiaKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    ReferenceKind,
    Scope,
    Tensor,
    Triple,
    VectorKind,
)
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet, as_jet
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import ZERO, MassProperties, Matrix, Vector, apply, plus

_MARGIN = ForceOutput(
    1,
    "1",
    "least principal minor of ½ tr(J) 1 − J, relative to tr(J); the triangle inequality holds where it is not negative",
    kinematic=True,
)
MASS_SCOPE = Scope(time=True, positions=True, states=True)
"""The names of formulas whose rates a state determines."""


@runtime_checkable
class MotionInTime(Motion, Protocol):
    """A motion that gives the rates of formulas as well."""

    @property
    def gravity(self) -> Vector:
        """The acceleration of gravity, in world axes."""

    def in_time(self, formula: Formula) -> Jet:
        """Return a formula of positions, states and time with its rate; of time alone, with its acceleration too."""


@dataclass(frozen=True)
class VariableMass(ForceElement):
    """A mass on a body whose size, centre and inertia are formulas of time, positions and states.

    It is added to the body's own mass, which may be zero. What leaves or arrives without a velocity relative to the
    body causes no load: equations of motion have the present mass, centre and inertia, and no terms of their rates.
    `exit_velocity` is that of leaving mass relative to the body, in the body's axes: at the rate q it causes the thrust
    −q w. `entry_velocity` is the velocity of arriving mass before it arrives, relative to the `source`, by default the
    ground, and in its axes: it causes the force q (v_in − v), with the velocity v of the body where it arrives. Both
    act at `at`, by default the centre.

    With `shifts`, centre and inertia are formulas of time, by which material moves within the body: that adds the loads
    −m (c̈ + 2 ω × ċ) and −J̇ ω.

    >>> import gyrostat as gs
    >>> fuel = gs.VariableMass("fuel", "rocket", mass="80 - 5*t", exit_velocity=(0, 0, -200))
    """

    supplies_power: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "mass": ForceOutput(1, "kg", "mass", kinematic=True),
        "center": ForceOutput(3, "m", "position of the centre of the mass", kinematic=True),
        "flow": ForceOutput(1, "kg/s", "rate at which mass leaves"),
        "thrust": ForceOutput(3, "N", "force of what leaves or arrives on the body"),
        "carried": ForceOutput(1, "W", "power that leaves with the mass: kinetic energy and that of gravity"),
    }
    body: str = value(ReferenceKind("body"), doc="the body that carries it")
    mass: Quantity = value(
        QuantityKind(MASS_SCOPE), doc="mass (kg), a formula of t, positions and states", keyword=True
    )
    center: Triple = value(VectorKind(MASS_SCOPE), (0, 0, 0), doc="centre, in body axes (m)", keyword=True)
    inertia: Tensor = value(
        InertiaKind(MASS_SCOPE), (0, 0, 0), doc="inertia about the centre, in body axes (kg·m²)", keyword=True
    )
    shifts: bool = value(
        FlagKind(), False, doc="whether centre and inertia change because material moves within the body", keyword=True
    )
    exit_velocity: Triple | None = value(
        OptionalKind(VectorKind(LAW)),
        None,
        doc="velocity of leaving mass relative to the body, in body axes (m/s)",
        keyword=True,
    )
    entry_velocity: Triple | None = value(
        OptionalKind(VectorKind(LAW)),
        None,
        doc="velocity of arriving mass relative to the source, in its axes (m/s)",
        keyword=True,
    )
    source: End = value(EndKind(), GROUND, doc="the body or frame that arriving mass comes from", keyword=True)
    at: End | None = value(
        OptionalKind(EndKind()),
        None,
        doc="where mass leaves and arrives, a place on the body; by default the centre",
        keyword=True,
    )

    def validate(self, place: Place) -> None:
        """Refuse a negative mass, the ground, and an exit on another body."""
        if self.mass.number is not None and self.mass.number < 0:
            place.inside("mass").report(f"it is {self.mass}.", "A mass cannot be negative.")
        if self.body == GROUND:
            place.inside("body").report("the ground has no mass.", "Name a body that moves.")
        if self.at is None:
            return
        if self.exit_velocity is None and self.entry_velocity is None:
            remedy = "Give exit_velocity=… or entry_velocity=…, or leave it out."
            place.inside("at").report("mass that leaves without relative velocity causes no load there.", remedy)
        if self.at.body != self.body:
            place.inside("at").report(f"it is on {self.at.body!r}.", f"Name a place on {self.body!r}.")

    @property
    def all_outputs(self) -> Mapping[str, ForceOutput]:
        """The outputs; an inertia of formulas has a margin."""
        if all(entry.number is not None for row in self.inertia for entry in row):
            return self.outputs
        return {**self.outputs, "inertia_margin": _MARGIN}

    @property
    def entries(self) -> tuple[Quantity, ...]:
        """The formulas of mass, centre and inertia."""
        return (self.mass, *self.center, *(entry for row in self.inertia for entry in row))

    # --- mass properties ----------------------------------------------------------------------------------------

    def properties(self, motion: Motion) -> MassProperties:
        """Return mass, centre and inertia at an instant, in the axes of the body."""
        com, inertia = _values(self.center, motion), [_values(row, motion) for row in self.inertia]
        return MassProperties(motion.evaluate(self.mass), com, (inertia[0], inertia[1], inertia[2]))

    def shift_velocity(self, motion: Motion) -> Vector:
        """Return the velocity of the centre relative to the body, in its axes."""
        x, y, z = (_in_time(motion).in_time(entry).rate for entry in self.center)
        return (x, y, z)

    def _now(self, motion: Motion) -> MassNow:
        """Return the mass at an instant with its rates."""
        return motion.once(f"{self.name}.now", lambda: self._formed(motion, _in_time(motion).in_time))

    def accelerated(self, moving: Motion) -> MassNow:
        """Return the mass at an instant of a motion on jets, with the acceleration of its body."""
        return self._formed(moving, lambda formula: as_jet(moving.evaluate(formula)))

    def _formed(self, motion: Motion, in_time: Callable[[Formula], Jet]) -> MassNow:
        inertia = [[in_time(entry) for entry in row] for row in self.inertia]
        return MassNow(
            motion.end(End(self.body)),
            in_time(self.mass),
            tuple(in_time(entry) for entry in self.center),
            _matrix([[entry.value for entry in row] for row in inertia]),
            _matrix([[entry.rate for entry in row] for row in inertia]),
            shifts=self.shifts,
        )

    def flow(self, motion: Motion) -> MassFlow:
        """Return what leaves and arrives at an instant."""

        def form() -> MassFlow:
            now = self._now(motion)
            leaving = arriving = None
            position, velocity = now.position, now.body_velocity
            if self.at is not None:
                place = motion.end(self.at)
                position, velocity = place.position, place.velocity
            if self.exit_velocity is not None:
                leaving = apply(now.place.rotation, _values(self.exit_velocity, motion))
            if self.entry_velocity is not None:
                source = motion.end(self.source)
                own = apply(source.rotation, _values(self.entry_velocity, motion))
                arriving = plus(source.velocity_at(position), own)
            return MassFlow(now.gain, velocity, leaving, arriving, motion.scalars)

        return motion.once(f"{self.name}.flow", form)

    # --- force element ------------------------------------------------------------------------------------------

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force of what leaves or arrives, and the loads of material that shifts."""
        if self.exit_velocity is not None or self.entry_velocity is not None:
            force = self.flow(motion).force
            at, moment = (End(self.body), self._now(motion).moment_of(force)) if self.at is None else (self.at, ZERO)
            yield PointLoad(at, force, moment)
        if self.shifts:
            now = self._now(motion)
            force = now.shift_force
            yield PointLoad(End(self.body), force, plus(now.moment_of(force), now.shift_moment))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return mass, centre, flow, thrust and the power carried away."""
        flow = self.flow(motion)
        return {
            **self.measured(motion),
            "flow": flow.leaving_rate,
            "thrust": flow.force,
            "carried": self.carried_power(motion),
        }

    def measured(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return mass and centre."""
        place, held = motion.end(End(self.body)), self.properties(motion)
        found: dict[str, Scalar | Vector] = {"mass": held.mass}
        found["center"] = plus(place.position, apply(place.rotation, held.com))
        if "inertia_margin" in self.all_outputs:
            found["inertia_margin"] = triangle_margin(held.inertia, without_switches(motion.scalars))
        return found

    # --- energy -------------------------------------------------------------------------------------------------

    def carried_power(self, motion: Motion) -> Scalar:
        """Return the power that leaves the system with the mass."""
        gained = self._now(motion).gained_power(_in_time(motion).gravity)
        return self.flow(motion).carried_power(gained)

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the power that gives leaving mass its relative velocity."""
        return self.flow(motion).supplied_power

    def lost_power(self, motion: Motion) -> Scalar:
        """Return the power lost where arriving mass takes the velocity of the body."""
        return self.flow(motion).lost_power

    @property
    def may_switch(self) -> bool:
        """Whether loads depend on whether mass leaves or arrives."""
        return self.exit_velocity is not None or self.entry_velocity is not None


def _in_time(motion: Motion) -> MotionInTime:
    assert isinstance(motion, MotionInTime), "masses vary in the motion of a mechanism"
    return motion


def _values(formulas: Triple, motion: Motion) -> Vector:
    x, y, z = (motion.evaluate(formula) for formula in formulas)
    return (x, y, z)


def _matrix(rows: list[list[Scalar]]) -> Matrix:
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    return ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))
