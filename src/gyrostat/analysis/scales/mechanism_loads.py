"""The exact equations of a mechanism, split by what causes each part: inertia, gravity, each force element."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gyrostat.equations.dynamics import inverse_dynamics
from gyrostat.equations.loads import applied_loads
from gyrostat.errors import FormulaError, SizeError, StateError
from gyrostat.kinematics.parallel_axes import harmonics_expected
from gyrostat.kinematics.signals import check_signals, signal_readers, signal_value
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.pipeline import System
from gyrostat.pipeline.exact_trace import ExactTrace, exact_trace
from gyrostat.pipeline.symbols import acceleration_name
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Substitution
from gyrostat.spatial import ZERO

_MOST_HARMONICS = 30_000
INERTIA = "inertia"
GRAVITY = "gravity"


@dataclass(frozen=True, eq=False)
class MechanismLoads:
    """Σ parts = 0 are the equations of motion, a column for each cause: inertia M u̇ + …, the others minus their loads.

    Accelerations are symbols like all others: M is never inverted. Loads of constraints are not among the parts.
    """

    system: System
    trace: ExactTrace
    parts: Mapping[str, tuple[Scalar, ...]]

    @property
    def acceleration_names(self) -> tuple[str, ...]:
        """The names of u̇, in order."""
        return tuple(acceleration_name(name) for name in self.system.speed_names)


def mechanism_loads(system: System, inputs: Mapping[str, object] | None = None) -> MechanismLoads:
    """Return the equations of a system by cause; inputs are formulas over parameters, t and signals, zero if not given.

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
    trace = exact_trace(system.coordinates)
    _refuse_large(system, trace)
    given = _inputs(system, trace, inputs or {})
    weightless = WorldMotion.of(replace(trace.motion.tree, gravity=ZERO), trace.motion.state)
    rates = [trace.ring.symbol(acceleration_name(name)) for name in system.speed_names]
    still: list[Scalar] = [0] * len(rates)
    none = applied_loads(weightless, [])
    moving = inverse_dynamics(weightless, still, none)
    found = {
        INERTIA: inverse_dynamics(weightless, rates, none),
        GRAVITY: _difference(inverse_dynamics(trace.motion, still, none), moving),
    }
    for name, force in system.model.forces.items():
        loads = applied_loads(weightless, [force])
        found[name] = _difference(inverse_dynamics(weightless, still, loads), moving)
    put_in = Substitution(trace.ring, given)
    return MechanismLoads(
        system, trace, {name: tuple(put_in(entry) for entry in column) for name, column in found.items()}
    )


def _refuse_large(system: System, trace: ExactTrace) -> None:
    expected = harmonics_expected(trace.motion.tree, trace.groups)
    if expected > _MOST_HARMONICS:
        raise SizeError(
            f"The exact equations of {system.model.name!r} would have up to {expected:,} products of sines and cosines "
            "before they are expanded: too many hinges in a row turn about different axes. Hold some of them, by welds "
            "or driven coordinates."
        )


def _difference(left: list[Scalar], right: list[Scalar]) -> list[Scalar]:
    return [a - b for a, b in zip(left, right, strict=True)]


def _inputs(system: System, trace: ExactTrace, given: Mapping[str, object]) -> dict[str, Scalar]:
    """Return the values of all inputs on the exact engine."""
    readers = signal_readers(system.coordinates)
    values: dict[str, Scalar] = dict.fromkeys(system.inputs, 0)
    for name, value in given.items():
        if name not in system.inputs:
            have = did_you_mean(name, list(system.inputs)) if system.inputs else "The model has no inputs."
            raise StateError(f"There is no input {name!r}. {have}")
        try:
            formula = Formula.of(value)
        except FormulaError:
            raise StateError(
                f"Input {name!r} is {type(value).__name__}, which has no expansion. Give a formula, such as "
                "'F*cos(Omega*t)'."
            ) from None
        check_signals(readers, formula, f"input {name!r}")
        values[name] = signal_value(trace.motion, formula, readers)
    return values
