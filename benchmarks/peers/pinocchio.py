"""Pinocchio: articulated-body algorithm, its native batch, and its analytical derivatives."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
import pinocchio as pin
from timing import Candidate

from peers.peer import Peer, States, Task
from peers.tree import Floats, Link, Tree

_ALIGNED = {(1.0, 0.0, 0.0): pin.JointModelRX, (0.0, 1.0, 0.0): pin.JointModelRY, (0.0, 0.0, 1.0): pin.JointModelRZ}


class Pinocchio(Peer):
    """The same tree in Pinocchio, with its joint types for aligned hinges and universal joints."""

    name: ClassVar[str] = "Pinocchio"
    distribution: ClassVar[str] = "pin"
    about_call: ClassVar[str] = "`pin.aba`"
    about_batch: ClassVar[str] = "`pin.abaInParallel` on a `ModelPool` with one thread"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.model = pin.Model()
        self.model.gravity.linear = tree.gravity
        numbers = {-1: 0}
        for i, link in enumerate(tree.links):
            placement = pin.SE3(link.R_PH, link.r_PH_P)
            numbers[i] = self.model.addJoint(numbers[link.parent], _joint(link), placement, link.name)
            inertia = pin.Inertia(link.mass, link.com, link.inertia)
            self.model.appendBodyToJoint(numbers[i], inertia, pin.SE3.Identity())
        self.data = self.model.createData()

    def call(self, states: States) -> Task:
        """Return `pin.aba` on the first state."""
        q, u, tau = self._first(states)
        run = partial(pin.aba, self.model, self.data, q, u, tau)
        return Task(Candidate(run), lambda: {"udot": self.tree.back(np.array(self.data.ddq))[None, :]})

    def batch(self, states: States) -> Task:
        """Return `pin.abaInParallel`, which loops over columns of contiguous memory."""
        own = states.outwards(self.tree)
        q, u, tau = own.q.T, own.u.T, own.tau.T
        udot = np.zeros(u.shape, order="F")
        run = partial(pin.abaInParallel, 1, pin.ModelPool(self.model, 1), q, u, tau, udot)
        return Task(Candidate(run, len(own.q)), lambda: {"udot": self.tree.back(udot.T)})

    def derivatives(self, states: States) -> Task:
        """Return `pin.computeABADerivatives` on the first state."""
        q, u, tau = self._first(states)
        run = partial(pin.computeABADerivatives, self.model, self.data, q, u, tau)
        return Task(Candidate(run), self._found_derivatives)

    def _found_derivatives(self) -> dict[str, Floats]:
        # of the inverse mass matrix Pinocchio computes the upper half
        Minv = np.triu(self.data.Minv) + np.triu(self.data.Minv, 1).T
        places = np.argsort(self.tree.coordinates)
        found = {"q": self.data.ddq_dq, "u": self.data.ddq_dv, "inputs": Minv}
        return {name: np.array(matrix)[np.ix_(places, places)][None, :, :] for name, matrix in found.items()}

    def _first(self, states: States) -> tuple[Floats, Floats, Floats]:
        own = states.outwards(self.tree)
        return own.q[0].copy(), own.u[0].copy(), own.tau[0].copy()


def _joint(link: Link) -> Any:
    if len(link.axes) == 2:
        return pin.JointModelUniversal(*link.axes)
    aligned = _ALIGNED.get(tuple(link.axes[0]))
    return aligned() if aligned else pin.JointModelRevoluteUnaligned(link.axes[0])
