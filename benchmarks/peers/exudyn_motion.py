"""Exudyn: motions of a kinematic tree by its explicit and implicit solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import exudyn as exu
import numpy as np
from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree

from peers.exudyn import kinematic_tree
from peers.solver import Found, Solver
from peers.tree import Floats, Tree

_KINDS = exu.DynamicSolverType
_BY_STEP = {"RK44": (_KINDS.RK44, 4.0), "RK67": (_KINDS.RK67, 6.0), "GeneralizedAlpha": (_KINDS.GeneralizedAlpha, 2.0)}
_BY_TOLERANCE = {"DOPRI5": _KINDS.DOPRI5, "DVERK6": _KINDS.DVERK6}


def exudyn_solvers(
    tree: Tree, q: Floats, u: Floats, duration: float, *, damping: float = 0.0, step: float, tolerance: float
) -> list[Solver]:
    """Return motions of a tree of hinges, from a state in gyrostat's order."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    start = tree.outwards(q), tree.outwards(u)
    size = len(q)
    node = system.AddNode(
        NodeGenericODE2(
            referenceCoordinates=[0.0] * size,
            initialCoordinates=start[0].tolist(),
            initialCoordinates_t=start[1].tolist(),
            numberOfODE2Coordinates=size,
        )
    )
    description = kinematic_tree(tree.with_hinges())
    if damping:
        zeros = [0.0] * size
        description |= {
            "jointPositionOffsetVector": zeros,
            "jointVelocityOffsetVector": zeros,
            "jointPControlVector": zeros,
            "jointDControlVector": [damping] * size,
        }
    system.AddObject(ObjectKinematicTree(nodeNumber=node, gravity=tree.gravity, **description))
    system.Assemble()

    def coordinates() -> Floats:
        kept = container  # the system lives in it
        assert kept is not None
        return tree.back(np.array(system.systemData.GetODE2Coordinates()))

    return solvers_of(system, coordinates, duration, step=step, tolerance=tolerance)


def solvers_of(
    system: Any,
    coordinates: Callable[[], Floats],
    duration: float,
    *,
    step: float,
    tolerance: float,
    by_step: tuple[str, ...] = ("RK44", "RK67"),
) -> list[Solver]:
    """Return the solvers of a system: fixed steps of some methods, and variable steps."""

    def fixed(method: str) -> Solver:
        kind, order = _BY_STEP[method]

        def run(size: float) -> Found:
            settings = solver_settings(duration)
            settings.timeIntegration.numberOfSteps = max(1, round(duration / size))
            solve(system, settings, kind)
            return Found(coordinates())

        return Solver("Exudyn", method, "step", run, step, order)

    def variable(method: str) -> Solver:
        def run(accuracy: float) -> Found:
            settings = solver_settings(duration)
            settings.timeIntegration.automaticStepSize = True
            settings.timeIntegration.numberOfSteps = 1
            settings.timeIntegration.initialStepSize = 1e-3 * duration
            settings.timeIntegration.minimumStepSize = 1e-12
            settings.timeIntegration.relativeTolerance = settings.timeIntegration.absoluteTolerance = accuracy
            solve(system, settings, _BY_TOLERANCE[method])
            return Found(coordinates())

        return Solver("Exudyn", method, "tolerance", run, tolerance, 1.0)

    return [*map(fixed, by_step), *map(variable, _BY_TOLERANCE)]


def solve(system: Any, settings: Any, kind: Any) -> None:
    """Run a solver; raise where it stops before the end."""
    exu.config.suppressWarnings = True
    if not system.SolveDynamic(settings, solverType=kind, showHints=False, showCausingItems=False):
        raise ArithmeticError("its solver stopped")


def solver_settings(duration: float) -> Any:
    """Return settings for the end of a motion alone: no output, nothing written."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.automaticStepSize = False
    settings.timeIntegration.adaptiveStep = False
    settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsStoreAndWriteFiles = False
    return settings
