"""Exudyn: trusses of hinged rods as plane rigid bodies with plane revolute joints, beginning with the description."""

from __future__ import annotations

from collections.abc import Mapping
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


def exudyn_truss(side: int, gravity: float, start: Mapping[str, float], duration: float, *, first: float) -> Solver:
    """Return the motion of the posts at one side, from speeds at the start by gyrostat's names."""

    def run(step: float) -> Found:
        container = exu.SystemContainer()
        system = container.AddSystem()
        posts = _assembled(system, side, gravity, start)
        settings = solver_settings(duration)
        settings.timeIntegration.numberOfSteps = max(1, round(duration / step))
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.newton.relativeTolerance = 1e-10
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
        solve(system, settings, exu.DynamicSolverType.GeneralizedAlpha)
        return Found(np.array([system.GetNodeOutput(post, exu.OutputVariableType.Coordinates)[2] for post in posts]))

    return Solver("Exudyn", "generalised α, from the model", "step", run, first, 2.0)


def _assembled(system: Any, side: int, gravity: float, start: Mapping[str, float]) -> list[int]:
    """Add all rods and hinges, and return the nodes of the posts at one side."""
    ground = system.AddObject(ObjectGround())
    at: dict[tuple[int, int], list[tuple[int, tuple[float, float]]]] = {}

    def rod(name: str, middle: tuple[float, float], along: tuple[float, float], ends: Any) -> int:
        speeds = [start.get(f"{name}.{label}.rate", 0.0) for label in ("x", "y", "angle")]
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[*middle, 0.0], initialVelocities=speeds))
        body = system.AddObject(ObjectRigidBody2D(mass=1.0, inertia=1.0 / 12.0, nodeNumber=node))
        marker = system.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))
        system.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0, -gravity, 0]))
        for place, sign in zip(ends, (-0.5, 0.5), strict=True):
            at.setdefault(place, []).append((body, (sign * along[0], sign * along[1])))
        return int(node)

    posts: list[int] = []
    for j in range(side):
        for i in range(side + 1):
            node = rod(f"post{j}_{i}", (i, j + 0.5), (0, 1), ((i, j), (i, j + 1)))
            posts += [node] * (i == 0)
        for i in range(side):
            rod(f"beam{j}_{i}", (i + 0.5, j + 1), (1, 0), ((i, j + 1), (i + 1, j + 1)))
    for (i, j), rods in at.items():
        first = (ground, (float(i), 0.0)) if j == 0 else rods[0]
        for other in rods if j == 0 else rods[1:]:
            markers = [
                system.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[*place, 0.0]))
                for body, place in (first, other)
            ]
            system.AddObject(ObjectJointRevolute2D(markerNumbers=markers))
    system.Assemble()
    return posts
