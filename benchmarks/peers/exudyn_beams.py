"""Exudyn: the spin-up of a beam and the flexible slider-crank of ANCF cables, by generalised α."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import exudyn as exu
import numpy as np
from beam_models import (
    AXIAL,
    CRANK,
    CRANK_SPEED,
    DENSITY,
    LENGTH,
    LINE_MASS,
    MODULUS,
    OFFSET,
    RADIUS,
    ROD,
    STIFFNESS,
    spin_angle,
)
from exudyn.itemInterface import (
    CoordinateConstraint,
    MarkerNodeCoordinate,
    Node1D,
    NodePoint2DSlope1,
    NodePointGround,
    NodePointSlope1,
    ObjectANCFCable,
    ObjectANCFCable2D,
    ObjectMass1D,
)

from peers.exudyn_motion import solve, solver_settings
from peers.solver import Found, Solver

_NEWTON = ((1e-6, 1e-7), (1e-3, 1e-3))
"""Relative and absolute tolerances of Newton's method. Its own of 1e-8 is not reached at rest; coarse ones leave the
error of the steps as it is and save a third of the time."""


def exudyn_spin_up(duration: float, *, cables: int, step: float) -> list[Solver]:
    """Return the spin-up; the coordinate compared is the deflection of the tip in the rotating frame."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    tip = _spun_beam(system, cables)

    def position() -> Any:
        kept = container  # the system lives in it
        assert kept is not None
        x, y, _ = system.GetNodeOutput(tip, exu.OutputVariableType.Position)
        angle = spin_angle(duration)
        return np.array([np.cos(angle) * y - np.sin(angle) * x])

    return _solvers(system, position, duration, cables=cables, step=step)


def exudyn_slider_crank(duration: float, *, cables: int, step: float) -> list[Solver]:
    """Return the slider-crank; the coordinates compared are the position of the middle of the rod."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    nodes = _flexible_rod(system, cables)

    def position() -> Any:
        kept = container  # the system lives in it
        assert kept is not None
        return np.array(system.GetNodeOutput(nodes[cables // 2], exu.OutputVariableType.Position))

    return _solvers(system, position, duration, cables=cables, step=step)


def _solvers(system: Any, position: Callable[[], Any], duration: float, *, cables: int, step: float) -> list[Solver]:
    """Return the motion with each pair of tolerances of Newton's method."""

    def solver(relative: float, absolute: float) -> Solver:
        def run(size: float) -> Found:
            _solve(system, duration, size, (relative, absolute))
            return Found(position())

        method = f"{cables} ANCF cables, generalised α, Newton to {relative:.0e}"
        return Solver("Exudyn", method, "step", run, step, 2.0)

    return [solver(*tolerances) for tolerances in _NEWTON]


def _solve(system: Any, duration: float, step: float, tolerances: tuple[float, float]) -> None:
    settings = solver_settings(duration)
    settings.timeIntegration.numberOfSteps = max(1, round(duration / step))
    newton = settings.timeIntegration.newton
    newton.useModifiedNewton = True
    newton.relativeTolerance, newton.absoluteTolerance = tolerances
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.95
    solve(system, settings, exu.DynamicSolverType.GeneralizedAlpha)


def _flexible_rod(system: Any, cables: int) -> list[int]:
    """Add nodes, cables, the driven pin and the slider; return the numbers of the nodes.

    The rod begins straight, with the velocities of a rigid rod: that of the pin at one end, zero at the other.
    """
    along = np.array([np.sqrt(ROD**2 - OFFSET**2), 0.0, -OFFSET]) / ROD
    pin, velocity = np.array([CRANK, 0.0, OFFSET]), np.array([0.0, CRANK * CRANK_SPEED, 0.0])
    area, second = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
    nodes = []
    for i in range(cables + 1):
        part = i / cables
        start = np.concatenate((pin + part * ROD * along, along))
        rates = np.concatenate((velocity * (1 - part), -velocity / ROD))
        nodes.append(system.AddNode(NodePointSlope1(referenceCoordinates=start, initialVelocities=rates)))
    for pair in pairwise(nodes):
        system.AddObject(
            ObjectANCFCable(
                length=ROD / cables,
                massPerLength=DENSITY * area,
                bendingStiffness=MODULUS * second,
                axialStiffness=MODULUS * area,
                nodeNumbers=list(pair),
            )
        )
    slider = system.AddNode(Node1D())
    system.AddObject(ObjectMass1D(mass=DENSITY * area * ROD / 2, nodeNumber=slider))
    ground = system.AddNode(NodePointGround())
    laws = [lambda _, t, *__: CRANK * (np.cos(CRANK_SPEED * t) - 1), lambda _, t, *__: CRANK * np.sin(CRANK_SPEED * t)]
    for k, law in enumerate([*laws, None]):
        _tie(system, (ground, 0), (nodes[0], k), law)
        _tie(system, (slider, 0) if k == 0 else (ground, 0), (nodes[-1], k), None)
    system.Assemble()
    return nodes


def _tie(system: Any, first: tuple[int, int], second: tuple[int, int], law: Any) -> None:
    """Add the constraint that two coordinates, by node and number, differ by a function of time."""
    markers = [system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=k)) for node, k in (first, second)]
    given = {} if law is None else {"offsetUserFunction": law}
    system.AddObject(CoordinateConstraint(markerNumbers=markers, **given))


def _spun_beam(system: Any, cables: int) -> int:
    """Add nodes, cables and the driven clamp; return the number of the last node."""
    h = LENGTH / cables
    nodes = [system.AddNode(NodePoint2DSlope1(referenceCoordinates=[i * h, 0, 1, 0])) for i in range(cables + 1)]
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
    ground = system.AddNode(NodePointGround())
    slopes = {2: lambda _, t, *__: np.cos(spin_angle(t)) - 1, 3: lambda _, t, *__: np.sin(spin_angle(t))}
    for k in range(4):
        _tie(system, (ground, 0), (nodes[0], k), slopes.get(k))
    system.Assemble()
    return nodes[-1]
