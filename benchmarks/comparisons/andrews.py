"""Andrews' squeezing mechanism to eight digits, beside CasADi's IDAS and SciPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from peers.casadi_andrews import idas_solver
from peers.gyrostat_motion import dop853, own_solvers, scipy_solver
from peers.solver import Found, Solver

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

DURATION = 0.03
ERROR = 1e-8
_MODEL = Path(__file__).parents[2] / "examples" / "andrews_squeezer.yaml"
_END = (
    *("15.81077119515370709712", "-15.75637105841183946973", "0.04082224011964580485828", "-0.5347301163420795937702"),
    *("0.5244099658799540693717", "0.5347301163420795937702", "1.048080741041937873069"),
)
"""The angles β, Θ, γ, Φ, δ, Ω, ε at the end, after the test set for IVP solvers, with more digits."""


def compare_andrews(*, rounds: int) -> list[MotionRow]:
    """Return our times beside the peers'; errors are relative to each angle at the end."""
    system = gs.formulate(gs.Model.load(_MODEL))
    start = gs.assemble(system)
    end = np.array([float(angle) for angle in _END])

    def relative(solver: Solver) -> Solver:
        def run(setting: float) -> Found:
            found = solver.run(setting)
            return Found(found.q / end, found.seconds)

        return Solver(solver.package, solver.method, solver.setting, run, solver.first, solver.order)

    values = system.model.values(None)
    peers = [
        *(scipy_solver(system, DURATION, method, first=1e-9) for method in ("DOP853", "LSODA", "Radau")),
        idas_solver(values, start.q, DURATION),
    ]
    return compare_motions(
        f"{system.model.name}, {DURATION:g} s",
        [relative(solver) for solver in own_solvers(system, DURATION, dop853)],
        [relative(solver) for solver in peers],
        {"SciPy": 0.2, "CasADi": 0.2},
        np.ones(len(end)),
        error=ERROR,
        rounds=rounds,
    )
