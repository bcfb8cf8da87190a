"""Scalars on which the formulas of a walkthrough run: the exact engine, or numbers at one state.

Both give the motion of a system, derivatives in time, rows of constraints, and values that a reader can use: matrices
of SymPy or of NumPy. A method written over abstract scalars needs no more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.constraint_loads import ConstraintLoads, all_constraint_loads
from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.world import WorldMotion, coordinate_rates
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.evaluator import Evaluator
from gyrostat.once import cached_property
from gyrostat.scalar import FloatScalars, Scalar
from gyrostat.scalar.exact import Differential
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.written.equation_set import Equations
from gyrostat.written.walkthrough.walkthrough import numbers_as_latex

if TYPE_CHECKING:
    from gyrostat.coordinates import Coordinates


_ROW_TOLERANCE = 1e-12
"""Rows whose entries are smaller than this share of the largest entry, or of one, are trivial at a state."""


class Evaluation(ABC):
    """The motion of a system on one engine, and how values are written."""

    @property
    def equations(self) -> Equations | None:
        """The equations of motion in symbols; None on numbers."""
        return None

    @property
    @abstractmethod
    def motion(self) -> WorldMotion:
        """The motion of the mechanism."""

    @abstractmethod
    def rate(self, value: Scalar) -> Scalar:
        """Return the derivative in time at constant speeds."""

    @abstractmethod
    def second_rate(self, value: Scalar) -> Scalar:
        """Return the second derivative in time at constant speeds."""

    @abstractmethod
    def by_speeds(self, form: Callable[[WorldMotion], Sequence[Scalar]]) -> list[list[Scalar]]:
        """Return the derivatives by u of values that are affine in u, a row for each value."""

    @abstractmethod
    def matrix(self, rows: Iterable[Iterable[Scalar]], columns: int | None = None) -> Any:
        """Return rows of scalars as a matrix; `columns` is needed where there may be no rows."""

    @abstractmethod
    def column(self, values: Sequence[Scalar]) -> Any:
        """Return scalars as a column."""

    @abstractmethod
    def latex(self, value: Any) -> str:
        """Return a written value as LaTeX."""

    @property
    @abstractmethod
    def rows(self) -> tuple[ConstraintRow, ...]:
        """The nontrivial rows of constraints, each with its speed."""

    @cached_property
    def row_entries(self) -> list[list[Scalar]]:
        """The matrix A of these rows: derivatives of their speeds by u."""
        names = {row.name for row in self.rows}
        return self.by_speeds(lambda motion: [row.speed for row in constraint_rows(motion) if row.name in names])

    @property
    @abstractmethod
    def loads(self) -> ConstraintLoads:
        """The loads of constraints for symbolic multipliers, or for those of the state."""


@dataclass(frozen=True, eq=False)
class ExactEvaluation(Evaluation):
    """Formulas of the user's symbols."""

    derived: Equations

    @property
    def equations(self) -> Equations:
        """The equations of motion, which share the derivation."""
        return self.derived

    @property
    def motion(self) -> WorldMotion:
        """The motion at a symbolic state."""
        return self.derived.trace.motion

    def rate(self, value: Scalar) -> Scalar:
        """Return the derivative on the exact engine."""
        return self.derived.exact_constraints.in_time(value)

    def second_rate(self, value: Scalar) -> Scalar:
        """Return the derivative of the derivative."""
        return self.rate(self.rate(value))

    def by_speeds(self, form: Callable[[WorldMotion], Sequence[Scalar]]) -> list[list[Scalar]]:
        """Return derivatives on the exact engine."""
        names = self.motion.tree.coordinates.speed_names
        rules = [Differential(self.derived.trace.ring, {name: 1}) for name in names]
        return [[rule(value) for rule in rules] for value in form(self.motion)]

    def matrix(self, rows: Iterable[Iterable[Scalar]], columns: int | None = None) -> Any:
        """Return SymPy's matrix."""
        written = [[self.derived.expression(entry) for entry in row] for row in rows]
        return sympy.ImmutableMatrix(written) if written else sympy.ImmutableMatrix(0, columns or 0, [])

    def column(self, values: Sequence[Scalar]) -> Any:
        """Return SymPy's column."""
        return self.derived.column(values)

    def latex(self, value: Any) -> str:
        """Return LaTeX in the user's symbols."""
        return self.derived.write_latex(value)

    @property
    def rows(self) -> tuple[ConstraintRow, ...]:
        """The rows whose speeds are not identically zero."""
        return self.derived.exact_constraints.rows

    @property
    def loads(self) -> ConstraintLoads:
        """The loads in symbols λ."""
        return self.derived.exact_constraints.loads


@dataclass(frozen=True, eq=False)
class NumericEvaluation(Evaluation):
    """Numbers at one state: jets, whose rates are derivatives in time at constant speeds."""

    coordinates: Coordinates
    parameters: dict[str, float]
    q: Sequence[float]
    u: Sequence[float]
    t: float
    inputs: dict[str, float]
    z: dict[str, float]
    multipliers: Callable[[], Mapping[str, float]]
    """Finds the loads along the constraints' directions at the state."""

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(JetScalars(FloatScalars()), self.parameters.__getitem__)

    @cached_property
    def motion(self) -> WorldMotion:
        """The motion at the state, in jets."""
        return self._moving(self.u)

    def _moving(self, u: Sequence[float]) -> WorldMotion:
        tree = build_mechanism(self.coordinates, self._evaluator)
        still = MotionState(self.q, u, self.t, self.inputs, self.z)
        rates = coordinate_rates(tree, still)
        first = [Jet(value, as_jet(rate).value) for value, rate in zip(self.q, rates, strict=True)]
        time = Jet(self.t, 1.0)
        again = coordinate_rates(tree, MotionState(first, u, time, self.inputs, self.z))
        q = [Jet(jet.value, jet.rate, as_jet(rate).rate) for jet, rate in zip(first, again, strict=True)]
        return tree.at(MotionState(q, list(u), time, self.inputs, self.z))

    def rate(self, value: Scalar) -> Scalar:
        """Return the rate of a jet."""
        return Jet(as_jet(value).rate, as_jet(value).acceleration)

    def second_rate(self, value: Scalar) -> Scalar:
        """Return the second derivative of a jet."""
        return as_jet(value).acceleration

    def by_speeds(self, form: Callable[[WorldMotion], Sequence[Scalar]]) -> list[list[Scalar]]:
        """Return differences, which are exact for affine functions."""
        n = len(self.u)
        found = [self.column(form(self._moving(list(unit)))) for unit in (np.zeros(n), *np.eye(n))]
        return [[float(column[i] - found[0][i]) for column in found[1:]] for i in range(len(found[0]))]

    def matrix(self, rows: Iterable[Iterable[Scalar]], columns: int | None = None) -> Any:
        """Return NumPy's matrix."""
        found = np.array([[float(as_jet(entry).value) for entry in row] for row in rows])
        return found if found.size else found.reshape(len(found), columns or 0)

    def column(self, values: Sequence[Scalar]) -> Any:
        """Return NumPy's vector."""
        return np.array([float(as_jet(value).value) for value in values])

    def latex(self, value: Any) -> str:
        """Return numbers as LaTeX."""
        return numbers_as_latex(value)

    @cached_property
    def rows(self) -> tuple[ConstraintRow, ...]:
        """The rows with a nonzero Jacobian at this state."""
        every = constraint_rows(self.motion)
        entries = np.array(self.by_speeds(lambda motion: [row.speed for row in constraint_rows(motion)]), dtype=float)
        size = np.abs(entries).max(initial=1.0)  # all of them may be trivial: rounding errors
        return tuple(
            row for row, line in zip(every, entries, strict=True) if np.abs(line).max() > _ROW_TOLERANCE * size
        )

    @cached_property
    def loads(self) -> ConstraintLoads:
        """The loads of the multipliers at the state."""
        return all_constraint_loads(self.motion, self.multipliers())
