"""Exudyn: spheres in contact with each other and with walls of triangles, by `GeneralContact` and explicit steps.

Its contacts are springs in series and dampers in parallel, which may pull, damped for the restitution of a sphere on
the floor; they become rigid as steps become short.
"""

from __future__ import annotations

import exudyn as exu
import numpy as np
from exudyn.utilities import InertiaSphere, MarkerBodyRigid, ObjectGround
from sphere_models import GRAVITY, MU, RADIUS, Floats, Spheres, contact_frequency, damping_ratio

from peers.solver import Found, Solver

_METHODS = {
    "ExplicitEuler": exu.DynamicSolverType.ExplicitEuler,
    "ExplicitMidpoint": exu.DynamicSolverType.ExplicitMidpoint,
}
_FLOOR = 100.0
"""Half the length of a floor without walls (m)."""
_DENSE = 50
"""Number of spheres up to which the mass matrix is inverted as a dense one; of 1000 spheres that takes 20 times as long
as the sparse factorisation.
"""


def exudyn_spheres(spheres: Spheres, *, first: float, mean: bool) -> list[Solver]:
    """Return motions of spheres; their end is the place of the last one, or the mean height of all."""
    return [_solver(spheres, name, kind, first=first, mean=mean) for name, kind in _METHODS.items()]


def _solver(spheres: Spheres, name: str, kind: exu.DynamicSolverType, *, first: float, mean: bool) -> Solver:
    def run(step: float) -> Found:
        steps = max(1, round(spheres.duration / step))
        moved = [_moved(spheres, lift, steps, kind) for lift in spheres.lifts]
        ends = [np.array([places[:, 2].mean()]) if mean else places[-1] for places, _ in moved]
        return Found(np.concatenate(ends), sum(seconds for _, seconds in moved))

    return Solver("Exudyn", name, "step", run, first, 1.0)


def _moved(spheres: Spheres, lift: float, steps: int, kind: exu.DynamicSolverType) -> tuple[Floats, float]:
    """Return the places of all spheres at the end, and the seconds of the solver."""
    mbs, nodes = _assembled(spheres, lift, contact_frequency(spheres.duration / steps))
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = steps, spheres.duration
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    if len(nodes) > _DENSE:
        settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.solutionSettings.writeSolutionToFile = False
    settings.displayStatistics = settings.displayComputationTime = False
    settings.parallel.numberOfThreads = 1
    mbs.SolveDynamic(settings, solverType=kind, autoAssemble=False, storeSolver=True)
    places = np.array([mbs.GetNodeOutput(node, exu.OutputVariableType.Position) for node in nodes])
    return places, float(mbs.sys["dynamicSolver"].timer.total)


def _assembled(spheres: Spheres, lift: float, frequency: float) -> tuple[exu.MainSystem, list[int]]:
    """Return the spheres and walls, with contacts of a frequency (rad/s), and the nodes of the spheres."""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    contact = mbs.AddGeneralContact()
    contact.verboseMode = 0
    contact.frictionProportionalZone = 1e-3
    contact.SetFrictionPairings(np.diag([MU]))
    cells = max(1, round(len(spheres.centres) ** (1 / 3)))
    contact.SetSearchTreeCellSize(numberOfCells=[cells, cells, cells])
    stiffness, damping = 2 * frequency**2, damping_ratio(pulls=True) * frequency  # of each side
    ground = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
    points, triangles = _walls(spheres)
    contact.AddTrianglesRigidBodyBased(
        rigidBodyMarkerIndex=ground, contactStiffness=stiffness, contactDamping=damping, frictionMaterialIndex=0,
        pointList=points, triangleList=triangles,
    )  # fmt: skip
    nodes = []
    for centre in spheres.centres + np.array([0, 0, lift]):
        made = mbs.CreateRigidBody(
            referencePosition=list(centre), initialVelocity=[spheres.speed, 0, 0], inertia=InertiaSphere(1.0, RADIUS),
            gravity=[0, 0, -GRAVITY], nodeType=exu.NodeType.RotationRotationVector, returnDict=True,
        )  # fmt: skip
        nodes.append(made["nodeNumber"])
        marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=made["bodyNumber"]))
        contact.AddSphereWithMarker(
            marker, radius=RADIUS, contactStiffness=stiffness, contactDamping=damping, frictionMaterialIndex=0
        )
    mbs.Assemble()
    return mbs, nodes


def _walls(spheres: Spheres) -> tuple[list[list[float]], list[list[int]]]:
    """Return points and triangles of the floor, and of the walls if there are any, which look at the spheres."""
    low, high = (-_FLOOR, _FLOOR) if spheres.width is None else (0.0, spheres.width)
    faces = [[(low, low, 0.0), (high, low, 0.0), (high, high, 0.0), (low, high, 0.0)]]
    if spheres.width is not None:
        top = 2 * spheres.width
        faces += [
            [(low, low, 0), (low, high, 0), (low, high, top), (low, low, top)],
            [(high, high, 0), (high, low, 0), (high, low, top), (high, high, top)],
            [(high, low, 0), (low, low, 0), (low, low, top), (high, low, top)],
            [(low, high, 0), (high, high, 0), (high, high, top), (low, high, top)],
        ]
    points = [list(map(float, corner)) for face in faces for corner in face]
    triangles = [[4 * f + i for i in turn] for f in range(len(faces)) for turn in ((0, 1, 2), (0, 2, 3))]
    return points, triangles
