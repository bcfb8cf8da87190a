"""Exudyn: a KinematicTree, which has minimal coordinates and a full mass matrix."""

from __future__ import annotations

from typing import Any, ClassVar

import exudyn as exu
import numpy as np
from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree
from timing import Candidate

from peers.peer import Peer, States, Task
from peers.tree import Floats, Tree

_STEPS = 50
_SMALL_STEP = 1e-9
_ALIGNED = {(1.0, 0.0, 0.0): exu.JointType.RevoluteX, (0.0, 1.0, 0.0): exu.JointType.RevoluteY}


class Exudyn(Peer):
    """The same tree in Exudyn, as hinges.

    It offers no evaluation of accelerations alone; the nearest is a step of the explicit Euler method in its own loop.
    """

    name: ClassVar[str] = "Exudyn"
    distribution: ClassVar[str] = "exudyn"
    about_batch: ClassVar[str] = "a step of its explicit Euler solver: mass matrix, solution and an update"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._description = kinematic_tree(tree.with_hinges())

    def call(self, states: States) -> None:
        """Return nothing: there is no such call."""

    def batch(self, states: States) -> Task:
        """Return steps so short that the state stays; results come from one step of unit length."""
        own = states.outwards(self.tree)
        q, u, tau = own.q[0], own.u[0], own.tau[0]
        system, settings = self._system(q, u, tau), _settings(_STEPS, _SMALL_STEP)

        def run() -> None:
            system.SolveDynamic(settings, solverType=exu.DynamicSolverType.ExplicitEuler)

        def results() -> dict[str, Floats]:
            once = self._system(q, u, tau)
            once.SolveDynamic(
                _settings(1, 1.0), solverType=exu.DynamicSolverType.ExplicitEuler, updateInitialValues=True
            )
            after = np.array(once.systemData.GetODE2Coordinates_t(exu.ConfigurationType.Initial))
            return {"udot": self.tree.back(after - u)[None, :]}

        return Task(Candidate(run, _STEPS), results)

    def _system(self, q: Floats, u: Floats, tau: Floats) -> Any:
        container = exu.SystemContainer()
        system = container.AddSystem()
        zeros = [0.0] * len(q)
        node = system.AddNode(
            NodeGenericODE2(
                referenceCoordinates=zeros,
                initialCoordinates=q.tolist(),
                initialCoordinates_t=u.tolist(),
                numberOfODE2Coordinates=len(q),
            )
        )
        system.AddObject(
            ObjectKinematicTree(
                nodeNumber=node, gravity=self.tree.gravity, jointForceVector=tau.tolist(), **self._description
            )
        )
        system.Assemble()
        self._container = container
        return system


def _settings(steps: int, step: float) -> Any:
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * step
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsStoreAndWriteFiles = False
    return settings


def kinematic_tree(tree: Tree) -> dict[str, Any]:
    """Return the lists that describe a tree of hinges, in frames A turned so that each axis lies along x, y or z."""
    R_HA = {-1: np.eye(3), **{i: _alignment(link.axes[0]) for i, link in enumerate(tree.links)}}
    links = [(link, R_HA[link.parent].T, R_HA[i]) for i, link in enumerate(tree.links)]
    return {
        "jointTypes": [_ALIGNED.get(tuple(link.axes[0]), exu.JointType.RevoluteZ) for link in tree.links],
        "linkParents": [link.parent for link in tree.links],
        "jointTransformations": exu.Matrix3DList([R_AP @ link.R_PH @ R for link, R_AP, R in links]),
        "jointOffsets": exu.Vector3DList([R_AP @ link.r_PH_P for link, R_AP, _ in links]),
        "linkInertiasCOM": exu.Matrix3DList([R.T @ link.inertia @ R for link, _, R in links]),
        "linkCOMs": exu.Vector3DList([R.T @ link.com for link, _, R in links]),
        "linkMasses": [link.mass for link in tree.links],
    }


def _alignment(axis: Floats) -> Floats:
    """Return R_HA: the identity where the axis is along x, y or z, else a rotation whose third column is the axis."""
    if tuple(axis) in _ALIGNED or axis[2] == 1.0:
        return np.eye(3)
    first = np.cross([0.0, 0.0, 1.0], axis)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])
