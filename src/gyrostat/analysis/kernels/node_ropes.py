"""The kernels of ropes of nodes, which loops of systems with such ropes take as arguments."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Equations, Floats
from gyrostat.analysis.kernels.rope_error import largest_error
from gyrostat.analysis.kernels.rope_factors import factorise_ropes
from gyrostat.analysis.kernels.rope_jacobian import differentiate_ropes
from gyrostat.analysis.kernels.rope_rates import load_power, rope_rates
from gyrostat.analysis.kernels.rope_sliding import differentiate_sliding, follow_in_time
from gyrostat.analysis.kernels.rope_stage import solve_ropes
from gyrostat.analysis.kernels.rope_tables import RopeTables
from gyrostat.program.translation import kernel


@kernel
def present() -> bool:
    """Return True."""
    return True


@kernel
def rates(function: int, tables: RopeTables, x: Floats, state: Floats, found: Floats) -> None:
    """Write ẏ of ropes and of the rest of the system."""
    rope_rates(tables, x, state, found)


@kernel
def power(function: int, tables: RopeTables, x: Floats, state: Floats, room: Floats, found: Floats) -> None:
    """Write the power of all loads on nodes and on the rest of the system, weights left out."""
    rope_rates(tables, x, state, room)
    found[0] = load_power(tables)


@kernel
def differentiate(equations: Equations, h: float, by_time: Floats) -> bool:
    """Store the derivatives of ẏ by the state, and write those by time; return whether all are finite."""
    tables, exponential = equations.ropes.tables, equations.rotations.exponential
    differentiate_sliding(equations, tables, h)
    good = bool(differentiate_ropes(tables, equations.x, equations.state, exponential, by_time))
    if tables.memory.held.counts[0] > 0:
        follow_in_time(tables, by_time)
    return good


@kernel
def factorise(equations: Equations, step: float) -> bool:
    """Store the factors of m/step − J; return whether it is regular."""
    return bool(factorise_ropes(equations.ropes.tables, step, equations.ropes.kernels.width))


@kernel
def solve(equations: Equations, right: Floats) -> None:
    """Replace a right side by the solution of the stage."""
    solve_ropes(equations.ropes.tables, equations.ropes.kernels.width, right)


@kernel
def error(equations: Equations, scaled: Floats) -> float:
    """Return the square of the largest error of a node, or of the rest of the system."""
    return float(largest_error(equations.ropes.tables, scaled))
