"""Exudyn: the spin-up of a beam of plane ANCF cables, by generalised α."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import exudyn as exu
import numpy as np
from beam_models import AXIAL, LENGTH, LINE_MASS, STIFFNESS, spin_angle
from exudyn.itemInterface import CoordinateConstraint, MarkerNodeCoordinate, NodePointGround, ObjectANCFCable2D
from exudyn.itemInterface import NodePoint2DSlope1 as Point

from peers.exudyn_motion import solve, solver_settings
from peers.solver import Found, Solver


def exudyn_spin_up(duration: float, *, cables: int, step: float) -> list[Solver]:
    """Return the spin-up; the coordinate compared is the deflection of the tip in the rotating frame."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    tip = _assembled(system, cables)

    def run(size: float) -> Found:
        settings = solver_settings(duration)
        settings.timeIntegration.numberOfSteps = max(1, round(duration / size))
        newton = settings.timeIntegration.newton
        newton.useModifiedNewton = True
        newton.relativeTolerance, newton.absoluteTolerance = 1e-6, 1e-7  # its own 1e-8 is not reached at rest
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.95
        solve(system, settings, exu.DynamicSolverType.GeneralizedAlpha)
        kept = container  # the system lives in it
        assert kept is not None
        x, y, _ = system.GetNodeOutput(tip, exu.OutputVariableType.Position)
        angle = spin_angle(duration)
        return Found(np.array([np.cos(angle) * y - np.sin(angle) * x]))

    return [Solver("Exudyn", f"{cables} ANCF cables, generalised α", "step", run, step, 2.0)]


def _assembled(system: Any, cables: int) -> int:
    """Add nodes, cables and the driven clamp; return the number of the last node."""
    h = LENGTH / cables
    nodes = [system.AddNode(Point(referenceCoordinates=[i * h, 0, 1, 0])) for i in range(cables + 1)]
    for pair in pairwise(nodes):
        system.AddObject(
            ObjectANCFCable2D(
                physicsLength=h,
                physicsMassPerLength=LINE_MASS,
                physicsBendingStiffness=STIFFNESS,
                physicsAxialStiffness=AXIAL,
                nodeNumbers=list(pair),
                useReducedOrderIntegration=0,
            )
        )
    ground = system.AddMarker(MarkerNodeCoordinate(nodeNumber=system.AddNode(NodePointGround()), coordinate=0))
    slopes = {2: lambda _, t, *__: np.cos(spin_angle(t)) - 1, 3: lambda _, t, *__: np.sin(spin_angle(t))}
    for k in range(4):
        marker = system.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
        law = {"offsetUserFunction": slopes[k]} if k in slopes else {}
        system.AddObject(CoordinateConstraint(markerNumbers=[ground, marker], **law))
    system.Assemble()
    return nodes[-1]
