"""Equations of motion in descriptor form as native programs: q̇ = u, M u̇ + h + Aᵀλ = 0, with the constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np

import gyrostat as gs
from gyrostat.equations.dynamics import inverse_dynamics
from gyrostat.program import Program, compile_program
from gyrostat.recipes import begin_trace, constraints_of
from gyrostat.scalar.traced import column
from peers.tree import Floats


@dataclass(frozen=True)
class DescriptorForm:
    """Residuals of the equations and their matrices, for systems whose speeds are rates of coordinates."""

    system: gs.System
    n: int
    rows: int
    stabilised: Program
    """Gear, Gupta and Leimkuhler: residuals of q̇ − u + Aᵀμ, the balance, speeds and positions of the constraints."""
    stabilised_matrix: Program
    """Their derivatives by y = (q, u, λ, μ) and, times cj, by ẏ."""
    index_one: Program
    """Residuals of q̇ − u, the balance and A u̇ − γ."""
    index_one_matrix: Program
    balance: Program
    """Residuals of the balance and of positions, at given u̇ and λ."""
    balance_matrix: Program
    """Their derivatives by q, times `by_u` by u, and times `by_udot` by u̇."""

    def multipliers(self, start: Floats) -> Floats:
        """Return λ at an initial state."""
        n = self.n
        return np.asarray(self.system.program("multipliers").loop(self.vector(start[:n], start[n:])[None])[0])

    def vector(self, q: Floats, u: Floats, t: float = 0.0) -> Floats:
        """Return the input vector of the system's programs."""
        return np.concatenate(([t], q, u, self.system.parameter_values(), np.zeros(len(self.system.inputs))))


def descriptor_form(system: gs.System) -> DescriptorForm:
    """Return the programs of a system without inputs whose speeds are rates of coordinates."""
    trace = begin_trace(system.coordinates)
    t, q, u, p, udot = (trace.arguments[name] for name in ("t", "q", "u", "parameters", "udot"))
    found = constraints_of(trace)
    A, speeds, residuals, gamma = found.sx, *(column(x) for x in (found.speeds, found.residuals, found.rates))
    n, rows = q.numel(), len(found.rows)
    loads, mu, qdot = casadi.SX.sym("loads", rows), casadi.SX.sym("mu", rows), casadi.SX.sym("qdot", n)
    cj, by_u, by_udot = (casadi.SX.sym(name) for name in ("cj", "by_u", "by_udot"))
    balance = column(inverse_dynamics(trace.motion, trace.rates)) + A.T @ loads
    given = {"t": t, "q": q, "u": u, "loads": loads, "mu": mu, "qdot": qdot, "udot": udot, "parameters": p}

    def program(name: str, value: Any, **further: Any) -> Program:
        inputs = {**given, **further}
        return compile_program(casadi.Function(name, [*inputs.values()], [value], [*inputs], ["value"]), cache=False)

    def with_matrix(name: str, residual: Any, y: Any) -> tuple[Program, Program]:
        rates = casadi.vertcat(qdot, udot)
        slopes = casadi.jacobian(residual, y)
        slopes[:, : 2 * n] += cj * casadi.jacobian(residual, rates)
        return program(name, casadi.densify(residual)), program(f"{name}_matrix", casadi.densify(slopes), cj=cj)

    stabilised = casadi.vertcat(qdot - u + A.T @ mu, balance, speeds, residuals)
    index_one = casadi.vertcat(qdot - u, balance, A @ udot - gamma)
    both = casadi.vertcat(balance, residuals)
    changes = casadi.jacobian(both, q) + by_u * casadi.jacobian(both, u) + by_udot * casadi.jacobian(both, udot)
    matrix = casadi.densify(casadi.horzcat(changes, casadi.jacobian(both, loads)))
    return DescriptorForm(
        system, n, rows,
        *with_matrix("stabilised", stabilised, casadi.vertcat(q, u, loads, mu)),
        *with_matrix("index_one", index_one, casadi.vertcat(q, u, loads)),
        program("balance", casadi.densify(both)),
        program("balance_matrix", matrix, by_u=by_u, by_udot=by_udot),
    )  # fmt: skip
