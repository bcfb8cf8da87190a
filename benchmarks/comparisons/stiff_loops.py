"""Stiff closed loops at equal achieved error: our method beside multistep methods and generalised α."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from peers.gyrostat_motion import INTEGRATION, bdf, own_solvers, rodas5p, scipy_solver
from peers.solver import Solver
from stiff_models import STIFF_LOOPS, StiffMotion

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

ERROR = 1e-6
TARGETS = {"SciPy": 1.0, "gyrostat's CVODE": 1.0, "SUNDIALS": 1.0, "generalised α": 1.0}


def compare_stiff_loops(
    *, rounds: int, motions: Sequence[Callable[[], StiffMotion]] = STIFF_LOOPS, error: float = ERROR
) -> list[MotionRow]:
    """Return our times beside those of the peers; errors are those of coordinates at the end."""
    rows: list[MotionRow] = []
    for make in motions:
        motion = make()
        system, initial, duration = gs.formulate(motion.model), motion.initial, motion.duration
        own = own_solvers(system, duration, rodas5p, initial=initial, first=error)
        multistep = own_solvers(system, duration, bdf, initial=initial, first=1e-2 * error)
        peers = [
            *(
                scipy_solver(system, duration, method, initial=initial, first=1e-1 * error)
                for method in ("Radau", "BDF", "LSODA")
            ),
            *(replace(one, package="gyrostat's CVODE") for one in multistep if one.method.endswith(INTEGRATION)),
            *_descriptor_solvers(system, motion, error),
        ]
        exact = gs.simulate(system, duration, step=duration, initial=initial, integrator=rodas5p(1e-12)).q[-1]
        name = f"{motion.model.name}, {duration:g} s"
        rows += compare_motions(name, own, peers, TARGETS, exact, error=error, rounds=rounds)
    return rows


def _descriptor_solvers(system: gs.System, motion: StiffMotion, error: float) -> list[Solver]:
    """Return what needs the equations in descriptor form."""
    from peers.descriptor_form import descriptor_form
    from peers.generalised_alpha import GeneralisedAlpha
    from peers.ida_motion import ida_solvers

    form = descriptor_form(system)
    alpha = GeneralisedAlpha(form, motion.duration, initial=motion.initial)
    return [
        *ida_solvers(form, motion.duration, initial=motion.initial, first=1e-2 * error),
        alpha.solver(1e-3 * motion.duration),
    ]
