"""Constraints: rows A u̇ = γ from residuals and speeds, and the motion that satisfies them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import casadi

from gyrostat.coordinates import Coordinates
from gyrostat.equations.constraint_solver import factorise_constraints
from gyrostat.equations.delassus import Delassus
from gyrostat.equations.dynamics import (
    forward_dynamics,
    inverse_dynamics,
    joint_loads,
    mass_matrix,
    mass_solver,
    weak_speeds,
)
from gyrostat.equations.least_loads import least_loads
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.saddle_point import SaddlePoint, factorise_mass
from gyrostat.errors import StateError
from gyrostat.kinematics.chords import driver_row
from gyrostat.kinematics.constraint_loads import ConstraintLoads, all_constraint_loads
from gyrostat.kinematics.constraints import constraint_rows, has_constraints
from gyrostat.kinematics.load_power import load_power
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.constraints import ConstraintRow
from gyrostat.recipes.ports import working_owners
from gyrostat.recipes.states import zdot_port
from gyrostat.recipes.symbolic_state import begin_trace
from gyrostat.recipes.trace import SparseMatrix, Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero, negate
from gyrostat.scalar.traced import column, sparse_matrix
from gyrostat.scalar.tracing import in_turn


@dataclass(frozen=True)
class ConstraintEquations:
    """The constraint rows of a system with a nonzero Jacobian, at the state of a trace."""

    rows: tuple[ConstraintRow, ...]
    trivial: tuple[ConstraintRow, ...]
    """Rows whose Jacobian is zero, such as those out of the plane of a planar mechanism."""
    trivial_values: list[Scalar]
    """Residual and speed of each trivial row."""
    residuals: list[Scalar]
    """Residuals of position, zero for nonholonomic rows."""
    speeds: list[Scalar]
    """A u − b, zero in every motion that satisfies the constraints."""
    entries: dict[tuple[int, int], Scalar]
    """The entries of the Jacobian A by row and speed."""
    rates: list[Scalar]
    """γ = A u̇."""
    columns: int
    """The number of columns of A."""

    @property
    def matrix(self) -> SparseMatrix:
        """The Jacobian A."""
        return SparseMatrix(self.entries, len(self.rows), self.columns)

    @property
    def sx(self) -> Any:
        """The Jacobian A for CasADi."""
        return sparse_matrix(self.entries, len(self.rows), self.columns)


def constraints_of(trace: Trace) -> ConstraintEquations:
    """Return the constraints of a system at the state of a trace."""
    return trace.once("constraints", _constraints_at)


def _constraints_at(trace: Trace) -> ConstraintEquations:
    every, calculus = constraint_rows(trace.motion), trace.calculus
    speeds = [row.speed if row.speed is not None else calculus.in_time(trace, [row.residual])[0] for row in every]
    jacobian = calculus.by_speeds(trace, speeds)
    places = sorted({i for i, _ in jacobian})
    number = {i: k for k, i in enumerate(places)}
    trivial = [i for i in range(len(every)) if i not in number]
    acting = [speeds[i] for i in places]
    entries = {(number[i], j): value for (i, j), value in jacobian.items()}
    return ConstraintEquations(
        tuple(every[i] for i in places),
        tuple(every[i] for i in trivial),
        [x for i in trivial for x in (every[i].residual or 0, speeds[i])],
        [every[i].residual or 0 for i in places],
        acting,
        entries,
        [negate(rate) for rate in calculus.in_time(trace, acting)],
        trace.motion.tree.coordinates.n_u,
    )


@in_turn
def named_rows(coordinates: Coordinates) -> tuple[ConstraintRow, ...]:
    """Return the nontrivial constraint rows of a system, without their formulas."""
    return without_formulas(constraints_of(begin_trace(coordinates)).rows)


@in_turn
def trivial_rows(coordinates: Coordinates) -> tuple[ConstraintRow, ...]:
    """Return the constraint rows of a system whose Jacobian is zero, without their formulas."""
    return without_formulas(constraints_of(begin_trace(coordinates)).trivial)


def without_formulas(rows: Iterable[ConstraintRow]) -> tuple[ConstraintRow, ...]:
    """Return rows with their names and units alone."""
    return tuple(ConstraintRow(row.owner, row.label, unit=row.unit) for row in rows)


def constrained(trace: Trace) -> bool:
    """Tell whether a system has constraints."""
    return has_constraints(trace.motion.tree.coordinates)


def accelerations(trace: Trace) -> list[Scalar]:
    """Return u̇ of the motion: by the articulated-body recursion of a tree, or with the constraints satisfied."""
    if constrained(trace):
        return solved(trace)[0]
    try:
        return forward_dynamics(trace.motion)
    except ZeroDivisionError:
        raise _without_inertia(trace) from None


def solved(trace: Trace) -> tuple[list[Scalar], list[Scalar]]:
    """Return u̇ and the constraint loads along the directions of the rows (No, eq. 24)."""
    rates, loads, _ = _solved_with_pivots(trace)
    return rates, loads


def _solved_with_pivots(trace: Trace) -> tuple[list[Scalar], list[Scalar], tuple[Scalar, ...]]:
    """Return u̇, the loads of the rows, and the pivots of their multipliers, which vanish at singular positions."""
    return trace.once("solution", _solution)


def _solution(trace: Trace) -> tuple[list[Scalar], list[Scalar], tuple[Scalar, ...]]:
    found = constraints_of(trace)
    factor = saddle_point(trace)
    still: list[Scalar] = [0] * trace.motion.tree.coordinates.n_u
    forcing = [negate(load) for load in inverse_dynamics(trace.motion, still)]
    moving, multipliers = factor.solve(forcing, found.rates)
    return moving, [negate(multiplier) for multiplier in multipliers], factor.pivots


def saddle_point(trace: Trace) -> SaddlePoint | Delassus:
    """Return the factors by which accelerations, multipliers and projections are found."""
    return trace.once("saddle point", _saddle_point)


def _saddle_point(trace: Trace) -> SaddlePoint | Delassus:
    found = constraints_of(trace)
    size = trace.motion.tree.coordinates.size
    try:
        return factorise_constraints(
            trace.motion, found.entries, len(found.rows), softness=trace.softness, floor=1e-8 * min(1.0, size * size)
        )
    except ZeroDivisionError:
        raise _without_inertia(trace) from None


def _without_inertia(trace: Trace) -> StateError:
    """Return the error for a speed without inertia at every position, whatever the constraints."""
    entries = mass_matrix(trace.motion)
    names = trace.motion.tree.coordinates.speed_names
    idle = [name for i, name in enumerate(names) if is_zero(entries.get((i, i), 0))]
    which = f"Speed {idle[0]!r} moves no mass" if idle else "Some speeds move no mass together"
    return StateError(
        f"{which}, so that accelerations cannot be solved for. Give the body inertia about all axes (a slender rod has "
        "none about its own), or use coordinates in which joints hold it."
    )


def joint_loads_of(trace: Trace) -> Any:
    """Return the loads through all arcs for given u̇; constraint loads are those of forward dynamics."""
    if not constrained(trace):
        return joint_loads(trace.motion, trace.rates)
    extra = constraint_loads_of(trace).total
    return joint_loads(trace.motion, trace.rates, applied_loads(trace.motion, extra=extra))


def constraint_loads_of(trace: Trace) -> ConstraintLoads:
    """Return the loads of all constraints on bodies and coordinates."""
    return trace.once("constraint loads", lambda trace: all_constraint_loads(trace.motion, multipliers_of(trace)))


def multipliers_of(trace: Trace) -> dict[str, Scalar]:
    """Return the loads along the rows' directions by the names of rows."""
    return trace.once("loads", _loads)


def _loads(trace: Trace) -> dict[str, Scalar]:
    """Return the loads of all rows; statically indeterminate ones with the least sum of squares over all joints."""
    found, (rates, multipliers) = constraints_of(trace), solved(trace)
    known = {row.name: multiplier for row, multiplier in zip(found.rows, multipliers, strict=True)}
    if not (trace.softness or found.trivial):
        return known
    if any(joint.flexible for joint in trace.motion.tree.coordinates.topology.joints.values()):
        return dict.fromkeys((row.name for row in found.trivial), 0) | known  # least loads are those of rigid bodies
    return least_loads(trace.motion, rates, known, redundant=bool(trace.softness))


def driving_multipliers_of(trace: Trace) -> dict[str, Scalar]:
    """Return the loads of drivers of coordinates that no tree has, by the names of these."""
    return driving_multipliers(trace.motion.tree.coordinates, lambda: multipliers_of(trace))


def driving_multipliers(coordinates: Coordinates, multipliers: Callable[[], Mapping[str, Scalar]]) -> dict[str, Scalar]:
    """Return the loads of drivers of coordinates that no tree has from the multipliers, which are formed if needed."""
    if not coordinates.driven_by_rows:
        return {}
    value = multipliers()
    joints = coordinates.topology.joints.values()
    rows = {joint.full_name(label): driver_row(joint, label) for joint in joints for label in joint.driven}
    return {name: value.get(rows[name], 0) for name in coordinates.driven_by_rows}


def acting_loads_of(trace: Trace) -> ConstraintLoads:
    """Return the loads of the rows with a nonzero Jacobian: those of trivial rows do no work."""
    return trace.once("acting loads", _acting_loads)


def _acting_loads(trace: Trace) -> ConstraintLoads:
    if not constrained(trace):
        return all_constraint_loads(trace.motion, {})
    names = (row.name for row in constraints_of(trace).rows)
    return all_constraint_loads(trace.motion, dict(zip(names, solved(trace)[1], strict=True)))


def constraint_powers_of(trace: Trace, loads_of: Callable[[Trace], ConstraintLoads]) -> dict[str, Scalar]:
    """Return the power of the loads of each owner of constraints that may do work, by name."""
    owners = working_owners(trace.motion.tree.coordinates)
    if not owners:
        return {}
    loads = loads_of(trace)
    return {name: load_power(loads.of_owner(name), trace.motion) for name in owners}


def form_constraints(trace: Trace) -> dict[str, Any]:
    """Return residuals, speeds and the matrix of all rows."""
    found = constraints_of(trace)
    return {
        "residuals": found.residuals,
        "speeds": found.speeds,
        "matrix": found.matrix,
        "trivial": found.trivial_values,
    }


def form_guarded_rates(trace: Trace) -> dict[str, Any]:
    """Return q̇, u̇ and ż, and the pivots of multipliers, by which an integrator detects a singular position."""
    rates, _, pivots = _solved_with_pivots(trace)
    qdot = coordinate_rates(trace.motion.tree, trace.motion.state)
    return {"qdot": qdot, "udot": rates, **zdot_port(trace), "pivots": list(pivots)}


def form_multipliers(trace: Trace) -> dict[str, Any]:
    """Return the loads along the directions of the rows."""
    loads = multipliers_of(trace)
    return {"multipliers": column(loads[row.name] for row in constraints_of(trace).rows)}


def form_projected_coordinates(trace: Trace) -> dict[str, Any]:
    """Return the coordinates after one Newton step of least norm in the metric of M, and the residuals before."""
    found, motion = constraints_of(trace), trace.motion
    change = _projection(trace, found.residuals)
    moved = coordinate_rates(motion.tree, replace(motion.state, u=change))
    projected = [add(x, step) for x, step in zip(motion.state.q, moved, strict=True)]
    return {"projected_q": projected, "residuals": found.residuals}


def form_projected_speeds(trace: Trace) -> dict[str, Any]:
    """Return the speeds projected on the constraints in the metric of M, and the residual speeds before."""
    found = constraints_of(trace)
    change = _projection(trace, found.speeds)
    return {
        "projected_u": [add(x, step) for x, step in zip(trace.motion.state.u, change, strict=True)],
        "speeds": found.speeds,
    }


def _projection(trace: Trace, residuals: list[Scalar]) -> list[Scalar]:
    """Return the change of speeds, least in the metric of M, that removes residuals of the rows."""
    still: list[Scalar] = [0] * trace.motion.tree.coordinates.n_u
    return saddle_point(trace).solve(still, [negate(x) for x in residuals])[0]


def form_constraint_directions(trace: Trace) -> dict[str, Any]:
    """Return Aᵀ, and M⁻¹ Aᵀ: the changes of speeds that loads along the rows bring about.

    Where speeds move no mass, M has a share of the rows, so that the columns of M⁻¹ Aᵀ span these changes.
    """
    found = constraints_of(trace)
    solve, speeds = _solver_of_mass(trace, found), range(len(trace.rates))
    moved = [column(solve([found.entries.get((i, j), 0) for j in speeds])) for i in range(len(found.rows))]
    directions = casadi.horzcat(casadi.SX(len(speeds), 0), *moved)
    return {"rows": casadi.densify(found.sx.T), "directions": casadi.densify(directions)}


def _solver_of_mass(trace: Trace, found: ConstraintEquations) -> Callable[[list[Scalar]], list[Scalar]]:
    """Return the function that gives M⁻¹ times a column."""
    motion, speeds = trace.motion, len(trace.rates)
    entries, weak = mass_matrix(motion), weak_speeds(motion)
    if not weak and not any(is_zero(entries.get((i, i), 0)) for i in range(speeds)):
        return mass_solver(motion)
    try:
        factor = factorise_mass(entries, found.entries, speeds, weak=weak)
    except ZeroDivisionError:
        raise _without_inertia(trace) from None
    return lambda right: factor.solve(right, [])[0]


def form_constraint_rates(trace: Trace) -> dict[str, Any]:
    """Return γ of A u̇ = γ."""
    return {"rates": constraints_of(trace).rates}


def form_rates_of_coordinates(trace: Trace) -> dict[str, Any]:
    """Return q̇ = N(q) u alone."""
    return {"qdot": coordinate_rates(trace.motion.tree, trace.motion.state)}


def form_chord_jacobian(trace: Trace) -> dict[str, Any]:
    """Return coordinates of joints that close loops, their rates and speeds, and the Jacobian of these by u."""
    motion = trace.motion
    names, speeds = motion.tree.coordinates.chord_coordinates, motion.tree.coordinates.chord_speeds
    rates = column(motion.quantity(name) for name in (*(f"{name}.rate" for name in names), *speeds))
    return {
        "values": column(motion.quantity(name) for name in names),
        "rates": rates,
        "jacobian": casadi.densify(casadi.jacobian(rates, trace.arguments["u"])),
    }
