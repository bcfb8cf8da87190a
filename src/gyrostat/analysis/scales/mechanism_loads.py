"""The equations of a mechanism, split by source: inertia, gravity, and each force element."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gyrostat.coordinates.layout import acceleration_name
from gyrostat.equations.dynamics import inverse_dynamics
from gyrostat.equations.loads import applied_loads
from gyrostat.errors import FormulaError, StateError
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.instant import StateInstant
from gyrostat.kinematics.parallel_axes import harmonics_expected
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import TIME, Formula
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Expansion
from gyrostat.scalar.exact.graded import GradedScalars, series_of
from gyrostat.scalar.exact.taylor import Series
from gyrostat.signals import Level, formula_value
from gyrostat.signals.formulas import check_input_formulas
from gyrostat.spatial import ZERO
from gyrostat.system import System
from gyrostat.written.exact_trace import ExactTrace, exact_trace

INERTIA = "inertia"
GRAVITY = "gravity"
_HARMONIC_LIMIT = 60
"""With more products of sines and cosines, the loads are evaluated with series instead of exact formulas."""


@dataclass(frozen=True, eq=False)
class MechanismLoads:
    """The equations of motion Σ parts = 0 with a column for each source: inertia M u̇ + …, and minus each load.

    Accelerations are symbols like all others: M is never inverted. Loads of constraints are not among the parts.
    """

    system: System
    trace: ExactTrace
    inputs: Mapping[str, Formula]

    @property
    def acceleration_names(self) -> tuple[str, ...]:
        """The names of u̇, in order."""
        return tuple(acceleration_name(name) for name in self.system.speed_names)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources: inertia, gravity, and the force elements by name."""
        return (INERTIA, GRAVITY, *self.system.model.forces)

    @cached_property
    def is_short(self) -> bool:
        """Whether exact formulas are short enough to be formed before they are expanded."""
        return harmonics_expected(self.trace.motion.tree, self.trace.groups) <= _HARMONIC_LIMIT

    @cached_property
    def parts(self) -> Mapping[str, tuple[Scalar, ...]]:
        """The exact columns by source."""
        symbols = [self.trace.ring.symbol(name) for name in self.acceleration_names]
        motion = self.trace.motion
        by_cause = _LoadsAt(self, motion.at(self._with_inputs(motion)), symbols)
        return {source: tuple(by_cause.column(source)) for source in self.sources}

    def _with_inputs(self, motion: WorldMotion) -> MotionState:
        """Return the state with inputs by their formulas, zero where none is given."""
        table = self.system.signal_table
        silent = StateInstant(motion.at(replace(motion.state, inputs=dict.fromkeys(self.system.inputs, 0))))
        given = {name: formula_value(table, one, silent, motion.scalars) for name, one in self.inputs.items()}
        return replace(motion.state, inputs={**dict.fromkeys(self.system.inputs, 0), **given})

    def expanded(self, expansion: Expansion) -> LoadSeries:
        """Return the columns as series, by source, for given series of symbols."""
        if self.is_short:
            return LoadSeries(self, expansion, None)
        scalars = GradedScalars(expansion)
        coordinates = self.system.coordinates
        tree = build_mechanism(coordinates, Evaluator(scalars, scalars.symbol))
        q, u = ([scalars.symbol(n) for n in names] for names in (coordinates.coordinate_names, coordinates.speed_names))
        motion = tree.at(MotionState(q, u, scalars.symbol(TIME), {}))
        motion = motion.at(self._with_inputs(motion))
        rates = [scalars.symbol(name) for name in self.acceleration_names]
        return LoadSeries(self, expansion, _LoadsAt(self, motion, rates))


@dataclass(frozen=True, eq=False)
class _LoadsAt:
    """The columns at a state, on any engine."""

    loads: MechanismLoads
    motion: WorldMotion
    rates: list[Scalar]

    @cached_property
    def _weightless(self) -> WorldMotion:
        return replace(self.motion.tree, gravity=ZERO).at(self.motion.state)

    @cached_property
    def _still(self) -> list[Scalar]:
        """The inertial loads at constant speeds."""
        return inverse_dynamics(self._weightless, [0] * len(self.rates), applied_loads(self._weightless, []))

    def column(self, source: str) -> list[Scalar]:
        """Return the column of one source."""
        resting: list[Scalar] = [0] * len(self.rates)
        weightless = self._weightless
        if source == INERTIA:
            return inverse_dynamics(weightless, self.rates, applied_loads(weightless, []))
        if source == GRAVITY:
            return _difference(inverse_dynamics(self.motion, resting, applied_loads(self.motion, [])), self._still)
        force = self.loads.system.model.forces[source]
        return _difference(inverse_dynamics(weightless, resting, applied_loads(weightless, [force])), self._still)


@dataclass(frozen=True, eq=False)
class LoadSeries:
    """The columns as series."""

    loads: MechanismLoads
    expansion: Expansion
    at: _LoadsAt | None
    """The loads evaluated with series; None if exact formulas are expanded."""

    def column(self, source: str) -> list[Series]:
        """Return the column of one source."""
        if self.at is None:
            return [self.expansion(entry) for entry in self.loads.parts[source]]
        return [series_of(self.expansion, entry) for entry in self.at.column(source)]


def mechanism_loads(system: System, inputs: Mapping[str, object] | None = None) -> MechanismLoads:
    """Return the equations of a system by source; inputs are formulas of parameters, t and signals, zero by default.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81, "c": 0.1})
    >>> bar = model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> friction = model.add(gs.TorsionSpring("grease", "a1", damping="c"))
    >>> for cause, column in mechanism_loads(gs.formulate(model)).parts.items():
    ...     print(cause, column)
    inertia (m*l**2*a1.acc/3,)
    gravity (m*l*g*sin(a1)/2,)
    grease (c*a1.rate,)
    """
    return MechanismLoads(system, exact_trace(system.coordinates), _formulas(system, inputs or {}))


def _difference(left: list[Scalar], right: list[Scalar]) -> list[Scalar]:
    return [a - b for a, b in zip(left, right, strict=True)]


def _formulas(system: System, given: Mapping[str, object]) -> dict[str, Formula]:
    """Return the formulas of inputs; other values, and accelerations in formulas, are refused."""
    found: dict[str, Formula] = {}
    for name, value in given.items():
        try:
            found[name] = Formula.of(value)
        except FormulaError:
            raise StateError(
                f"Input {name!r} is {type(value).__name__}, which has no expansion. Give a formula, such as "
                "'F*cos(Omega*t)'."
            ) from None
    check_input_formulas(system.signal_table, found, Level.SPEED)
    return found
