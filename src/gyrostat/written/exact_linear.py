"""Exact linear equations: the formulas of mechanics evaluated on first-order expansions at a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gyrostat.coordinates import Coordinates
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix
from gyrostat.equations.loads import applied_loads
from gyrostat.errors import StateError
from gyrostat.kinematics.constraint_loads import all_constraint_loads
from gyrostat.kinematics.constraints import constraint_rows, has_constraints
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.names import first_few
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_zero, multiply, total
from gyrostat.scalar.exact import Differential, ExactScalars
from gyrostat.scalar.tangents import Tangent, TangentScalars, as_tangent
from gyrostat.written.exact_trace import ExactTrace, exact_trace


@dataclass(frozen=True, eq=False)
class ExactLinear:
    """A system on tangents at a point: coordinates q0 + δq, speeds u0 + δu, and no acceleration.

    The deviations are the symbols of the coordinates and speeds themselves.
    """

    trace: ExactTrace
    point: Mapping[str, Scalar]
    """The exact values of coordinates and speeds, and of inputs, by name."""

    @property
    def _layout(self) -> Coordinates:
        return self.trace.motion.tree.coordinates

    @cached_property
    def motion(self) -> WorldMotion:
        """The motion close to the point."""
        ring, tree = self.trace.ring, self.trace.motion.tree
        value = Evaluator(TangentScalars(ExactScalars(ring)), tree.value.lookup)

        def near(names: Sequence[str]) -> list[Scalar]:
            return [Tangent(self.point[name], ring.symbol(name)) for name in names]

        old = self.trace.motion.state
        state = MotionState(near(self._layout.coordinate_names), near(self._layout.speed_names), old.t, self._inputs)
        return replace(tree, value=value).at(state)

    @property
    def _inputs(self) -> dict[str, Scalar]:
        return {name: self.point.get(name, 0) for name in self._layout.topology.model.inputs}

    @cached_property
    def mass(self) -> Entries:
        """The lower half of M at the point."""
        ring, tree = self.trace.ring, self.trace.motion.tree
        names = (self._layout.coordinate_names, self._layout.speed_names)
        q, u = ([self.point[name] for name in part] for part in names)
        state = MotionState(q, u, self.trace.motion.state.t, self._inputs)
        value = Evaluator(ExactScalars(ring), tree.value.lookup)
        return mass_matrix(replace(tree, value=value).at(state))

    @cached_property
    def rows(self) -> list[ConstraintRow]:
        """The nontrivial constraints at the point; nonholonomic ones are refused."""
        if not has_constraints(self._layout):
            return []
        found = [row for row in constraint_rows(self.motion) if not is_zero(as_tangent(row.residual or 0).slope)]
        rolling = next((row.owner for row in constraint_rows(self.motion) if row.residual is None), None)
        if rolling is not None:
            raise StateError(f"{rolling!r} restricts speeds alone: its linear model is numeric. Leave symbolic out.")
        return found

    def loads(self, multipliers: Mapping[str, Scalar]) -> list[Tangent]:
        """Return the inverse dynamics at u̇ = 0 with given constraint loads by names of rows."""
        extra = all_constraint_loads(self.motion, multipliers).total if multipliers else []
        still: list[Scalar] = [0] * self._layout.n_u
        found = inverse_dynamics(self.motion, still, applied_loads(self.motion, extra=extra))
        return [as_tangent(load) for load in found]

    def jacobian(self, values: Sequence[Scalar], names: Sequence[str]) -> dict[tuple[int, int], Scalar]:
        """Return the nonzero derivatives of values by deviations, by row and place of the name."""
        rules = [Differential(self.trace.ring, {name: 1}) for name in names]
        found = {
            (i, j): rule(as_tangent(value).slope) for i, value in enumerate(values) for j, rule in enumerate(rules)
        }
        return {place: entry for place, entry in found.items() if not is_zero(entry)}


def exact_linear(coordinates: Coordinates, at: Mapping[str, Formula]) -> ExactLinear:
    """Return a system on tangents at a point; values that are not given are the model's, or zero."""
    if coordinates.euler_parameters:
        joint = next(iter(coordinates.euler_parameters))
        raise StateError(
            f"Joint {joint!r} has Euler parameters, of which there are no symbolic linear equations. Give it angles, "
            "angles='zxz', or use the numeric linear model."
        )
    if coordinates.state_names:
        raise StateError(
            f"The model has states ({first_few(coordinates.state_names)}), of which there are no symbolic linear "
            "equations. Use the numeric linear model, without symbolic."
        )
    trace = exact_trace(coordinates)
    scalars = ExactScalars(trace.ring)
    given = {
        joint.full_name(label): formula
        for joint in coordinates.topology.joints.values()
        for label, formula in joint.initial.items()
    }
    known = {**given, **at}
    names = (*coordinates.coordinate_names, *coordinates.speed_names)
    point = {
        name: known[name].evaluate(scalars, trace.ring.symbol) if name in known else 0
        for name in (*names, *coordinates.topology.model.inputs)
    }
    return ExactLinear(trace, point)


def reduced(
    entries: Mapping[tuple[int, int], Scalar], basis: Sequence[Sequence[Scalar]], *, size: int
) -> list[list[Scalar]]:
    """Return TᵀXT as rows, for X given by its entries and T by its columns."""
    columns: list[list[Scalar]] = []
    for right in basis:
        rows: list[list[Scalar]] = [[] for _ in range(size)]
        for (i, j), entry in entries.items():
            if not is_zero(right[j]):
                rows[i].append(multiply(entry, right[j]))
        columns.append([total(parts) for parts in rows])
    return [[total([multiply(left[i], column[i]) for i in range(size)]) for column in columns] for left in basis]


def solved(rows: Sequence[Sequence[Scalar]], rights: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return X with rows · X = rights by elimination, of independent rows; any nonzero pivot is admissible."""
    n = len(rows)
    table = [[*rows[i], *rights[i]] for i in range(n)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if not is_zero(table[i][k]))
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [entry / table[k][k] for entry in table[k]]
        for i in range(n):
            if i != k and not is_zero(table[i][k]):
                factor = table[i][k]
                table[i] = [a - multiply(factor, b) for a, b in zip(table[i], table[k], strict=True)]
    return [row[n:] for row in table]
