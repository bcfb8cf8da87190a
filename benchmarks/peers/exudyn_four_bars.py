"""Exudyn: four-bars in a row as plane rigid bodies with plane revolute joints."""

from __future__ import annotations

from typing import Any

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    LoadForceVector,
    MarkerBodyPosition,
    NodeRigidBody2D,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
)

from peers.exudyn_motion import solve, solver_settings
from peers.solver import Found, Solver


def exudyn_four_bars(count: int, gravity: float, rate: float, duration: float, *, first: float) -> list[Solver]:
    """Return motions of cranks that start upright with a rate, falling to the right."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(ObjectGround())

    def bar(x: float, y: float, angle: float, speed: tuple[float, float, float]) -> tuple[int, int]:
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[x, y, angle], initialVelocities=list(speed)))
        body = system.AddObject(ObjectRigidBody2D(mass=1.0, inertia=1.0 / 12.0, nodeNumber=node))
        middle = system.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))
        system.AddLoad(LoadForceVector(markerNumber=middle, loadVector=[0, -gravity, 0]))
        return node, body

    def hinge(body: int, at: tuple[float, float], other: int, there: tuple[float, float]) -> None:
        markers = [
            system.AddMarker(MarkerBodyPosition(bodyNumber=one, localPosition=[*place, 0.0]))
            for one, place in ((body, at), (other, there))
        ]
        system.AddObject(ObjectJointRevolute2D(markerNumbers=markers))

    cranks = [bar(i, 0.5, 0.5 * np.pi, (0.5 * rate, 0.0, -rate)) for i in range(count + 1)]
    for i, (_, crank) in enumerate(cranks):
        hinge(ground, (i, 0.0), crank, (-0.5, 0.0))
    for i in range(count):
        _, coupler = bar(i + 0.5, 1.0, 0.0, (rate, 0.0, 0.0))
        hinge(cranks[i][1], (0.5, 0.0), coupler, (-0.5, 0.0))
        hinge(cranks[i + 1][1], (0.5, 0.0), coupler, (0.5, 0.0))
    system.Assemble()

    def angles() -> Any:
        kept = container  # the system lives in it
        assert kept is not None
        return np.array([-system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)[2] for node, _ in cranks])

    def solver(method: str, kind: Any) -> Solver:
        def run(step: float) -> Found:
            settings = solver_settings(duration)
            settings.timeIntegration.numberOfSteps = max(1, round(duration / step))
            settings.timeIntegration.newton.useModifiedNewton = True
            settings.timeIntegration.newton.relativeTolerance = 1e-10
            settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
            settings.linearSolverType = exu.LinearSolverType.EXUdense if count < 4 else exu.LinearSolverType.EigenSparse
            solve(system, settings, kind)
            return Found(angles())

        return Solver("Exudyn", method, "step", run, first, 2.0)

    kinds = exu.DynamicSolverType
    return [solver("generalised α", kinds.GeneralizedAlpha), solver("trapezoidal, index 2", kinds.TrapezoidalIndex2)]
