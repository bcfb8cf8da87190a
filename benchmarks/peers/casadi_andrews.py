"""Andrews' mechanism in CasADi, derived there from its energies, for SUNDIALS' IDAS with the index reduced to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from peers.solver import Found, Solver
from peers.tree import Floats

_ACCELERATION, _LOAD = 1e5, 1e2
"""Sizes of accelerations (1/s²) and loads (N): in these units IDAS reaches tighter tolerances."""
_OPTIONS = {"suppress_algebraic": True, "calc_ic": False}
"""Errors of algebraic variables do not hold the step down, and their initial values are consistent already."""


def idas_solver(p: Mapping[str, float], start: Floats, duration: float) -> Solver:
    """Return IDAS on q̇ = u, u̇ = w, M w + Aᵀλ = f, A w + Ȧ u = 0, from rest, with numbers of the model by name."""
    dae, order = _equations(p)
    rest = np.concatenate((start, np.zeros(order)))
    guess = _accelerations(dae, rest)
    rates = np.concatenate((np.zeros(order), _ACCELERATION * guess[:order]))

    def run(tolerance: float) -> Found:
        options = {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 1_000_000, "init_xdot": rates, **_OPTIONS}
        solver = solvers.setdefault(tolerance, ca.integrator("andrews", "idas", dae, 0.0, duration, options))
        return Found(np.array(solver(x0=rest, z0=guess)["xf"]).ravel()[:order])

    solvers: dict[float, Any] = {}
    return Solver("CasADi", "IDAS, index 1", "tolerance", run, 1e-10, 1.0)


def _equations(p: Mapping[str, float]) -> tuple[dict[str, Any], int]:
    """Return the equations in the coordinates β, Θ, γ, Φ, δ, Ω, ε."""
    q, u, z = (ca.SX.sym(name, size) for name, size in (("q", 7), ("u", 7), ("z", 13)))
    w, loads = _ACCELERATION * z[:7], _LOAD * z[7:]
    beta, theta, gamma, phi, delta, omega, epsilon = ca.vertsplit(q)

    def place(origin: Any, angle: Any, x: float, y: float) -> Any:
        return origin + ca.vertcat(ca.cos(angle) * x - ca.sin(angle) * y, ca.sin(angle) * x + ca.cos(angle) * y)

    o, a, b, c = (ca.DM(point) for point in ((0, 0), (p["xa"], p["ya"]), (p["xb"], p["yb"]), (p["xc"], p["yc"])))
    f = place(o, beta, p["rr"], 0)
    g = place(a, delta, p["zt"], 0)
    h = place(a, epsilon, 0, -p["u"])
    bodies = (
        (1, o, beta, p["ra"], 0.0),
        (2, f, beta + theta, -p["da"], 0.0),
        (3, b, gamma, p["sb"], -p["sa"]),
        (4, g, delta + phi, 0.0, p["ea"] - p["e"]),
        (5, a, delta, p["ta"], p["tb"]),
        (6, h, epsilon + omega, p["zf"] - p["fa"], 0.0),
        (7, a, epsilon, -p["ub"], -p["ua"]),
    )
    energy = 0.0
    for i, origin, angle, x, y in bodies:
        speed, turning = (ca.jtimes(of, q, u) for of in (place(origin, angle, x, y), angle))
        energy += 0.5 * p[f"m{i}"] * ca.dot(speed, speed) + 0.5 * p[f"i{i}"] * turning**2
    stretch = ca.norm_2(place(b, gamma, p["sd"], -p["sc"]) - c) - p["l0"]
    potential = 0.5 * p["c0"] * stretch**2 - p["mom"] * beta
    meeting = place(f, beta + theta, -p["d"], 0)
    ends = (
        place(b, gamma, 0, -p["ss"]),
        place(g, delta + phi, 0, -p["e"]),
        place(h, epsilon + omega, p["zf"], 0),
    )
    gaps = ca.vertcat(*(end - meeting for end in ends))
    momenta = ca.gradient(energy, u)
    mass, slopes = ca.jacobian(momenta, u), ca.jacobian(gaps, q)
    forces = ca.gradient(energy - potential, q) - ca.jtimes(momenta, q, u)
    balance = mass @ w + slopes.T @ loads - forces
    closing = ca.jtimes(slopes @ u, q, u) + slopes @ w
    dae = {
        "x": ca.vertcat(q, u),
        "z": z,
        "ode": ca.vertcat(u, w),
        "alg": ca.vertcat(balance, closing),
    }
    return dae, 7


def _accelerations(dae: Mapping[str, Any], state: Floats) -> Floats:
    """Return the algebraic variables, in which the equations are linear."""
    matrix, rest = ca.jacobian(dae["alg"], dae["z"]), ca.substitute(dae["alg"], dae["z"], 0)
    left, right = (np.array(value) for value in ca.Function("start", [dae["x"]], [matrix, rest])(state))
    return np.linalg.solve(left, -right.ravel())
