"""Derivatives of the motion of trees on tapes: what is differentiated, for rolled programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gyrostat.equations.articulated_factor import ArticulatedFactor
from gyrostat.equations.dynamics import inverse_dynamics, mass_solver
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.program.rolled.tangents import Differential
from gyrostat.recipes.constraints import accelerations
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Tape

Chain = tuple[Differential, ...]


class Matrix(NamedTuple):
    """An output that has derivatives: of the last results of chains, one below the other, by the same variables."""

    name: str
    chains: tuple[Chain, ...]


class Derivatives(NamedTuple):
    """The outputs of a program of derivatives: values, then matrices."""

    values: dict[str, list[Scalar]]
    matrices: tuple[Matrix, ...]


def accelerations_by(trace: Trace, tape: Tape, variables: Sequence[Scalar]) -> Chain:
    """Return the chain of u̇ by variables: −M⁻¹ ∂(inverse dynamics), at constant u̇."""
    motion = trace.motion
    assert isinstance(motion, TreeMotion)
    rates = _accelerations(trace)
    loads = trace.once("loads at accelerations", lambda _: inverse_dynamics(motion, rates))
    given, found = trace.once("solution by articulated bodies", lambda _: _solution(motion, tape))
    return Differential(variables, loads, held=rates, opposite=True), Differential(given, found)


def _accelerations(trace: Trace) -> list[Scalar]:
    """Return u̇; once, since these very values count as constant."""
    return trace.once("accelerations on the tape", accelerations)


def _solution(motion: TreeMotion, tape: Tape) -> tuple[list[Scalar], list[Scalar]]:
    """Return a column of loads, each in a block of its own, and M⁻¹ times it."""
    given = [tape.tabled(0.0) for _ in range(motion.tree.coordinates.n_u)]
    solve = mass_solver(motion) if motion.tree.groups else ArticulatedFactor.of(motion).solve
    return given, solve(given)


def _forward_dynamics_derivatives(trace: Trace, tape: Tape) -> Derivatives:
    state = trace.motion.state
    by = {"q": state.q, "u": state.u, "inputs": list(state.inputs.values())}
    matrices = (Matrix(f"udot_{name}", (accelerations_by(trace, tape, column),)) for name, column in by.items())
    return Derivatives({"udot": _accelerations(trace)}, tuple(matrices))


def _rates_by(trace: Trace, tape: Tape, name: str, variables: Sequence[Scalar]) -> Derivatives:
    """Return the derivatives of q̇ and u̇."""
    rates = coordinate_rates(trace.motion.tree, trace.motion.state)
    chains = (Differential(variables, rates),), accelerations_by(trace, tape, variables)
    return Derivatives({}, (Matrix(name, chains),))


def _rates_jacobian(trace: Trace, tape: Tape) -> Derivatives:
    state = trace.motion.state
    return _rates_by(trace, tape, "jacobian", [*state.q, *state.u])


def _rates_in_time(trace: Trace, tape: Tape) -> Derivatives:
    return _rates_by(trace, tape, "derivatives", [trace.motion.state.t])


DERIVATIVES: dict[str, Callable[[Trace, Tape], Derivatives]] = {
    "forward_dynamics_derivatives": _forward_dynamics_derivatives,
    "rates_jacobian": _rates_jacobian,
    "rates_in_time": _rates_in_time,
}
"""Programs of derivatives of systems without states of their own, by name."""
