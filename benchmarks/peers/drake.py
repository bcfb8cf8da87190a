"""Drake: derivatives of the state of a continuous MultibodyPlant."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    Frame,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
    UniversalJoint,
)
from pydrake.systems.analysis import BatchEvalTimeDerivatives
from timing import Candidate

from peers.peer import Peer, States, Task
from peers.tree import Floats, Link, Tree


class Drake(Peer):
    """The same tree in Drake."""

    name: ClassVar[str] = "Drake"
    distribution: ClassVar[str] = "drake"
    about_call: ClassVar[str] = "setting the state and `EvalTimeDerivatives`"
    about_batch: ClassVar[str] = "`BatchEvalTimeDerivatives`, one thread"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.plant = MultibodyPlant(0.0)
        self.plant.mutable_gravity_field().set_gravity_vector(tree.gravity)
        frames: dict[int, Frame] = {-1: self.plant.world_frame()}
        joints = []
        for i, link in enumerate(tree.links):
            body = self.plant.AddRigidBody(link.name, _inertia(link))
            frames[i] = body.body_frame()
            placement = RigidTransform(RotationMatrix(link.R_PH), link.r_PH_P)
            inboard = self.plant.AddFrame(FixedOffsetFrame(f"to_{link.name}", frames[link.parent], placement))
            if len(link.axes) == 2:
                joint = UniversalJoint(f"joint_{link.name}", inboard, frames[i])
            else:
                joint = RevoluteJoint(f"joint_{link.name}", inboard, frames[i], link.axes[0])
            joints.append(self.plant.AddJoint(joint))
        self.plant.Finalize()
        starts = [(joint.velocity_start(), joint.num_velocities()) for joint in joints]
        self._places = np.concatenate([np.arange(start, start + size) for start, size in starts])
        self.context = self.plant.CreateDefaultContext()
        self.port = self.plant.get_applied_generalized_force_input_port()

    def call(self, states: States) -> Task:
        """Return setting the first state, which empties Drake's cache, and evaluating the derivatives."""
        x, tau = (column[:, 0].copy() for column in self._columns(states))
        self.port.FixValue(self.context, tau)
        set_state, evaluate = self.plant.SetPositionsAndVelocities, self.plant.EvalTimeDerivatives

        def run() -> None:
            set_state(self.context, x)
            evaluate(self.context)

        def results() -> dict[str, Floats]:
            return {"udot": self._rates(evaluate(self.context).CopyToVector()[:, None])}

        return Task(Candidate(run), results)

    def batch(self, states: States) -> Task:
        """Return `BatchEvalTimeDerivatives`."""
        x, tau = self._columns(states)
        count = x.shape[1]
        run = partial(
            BatchEvalTimeDerivatives,
            self.plant,
            self.context,
            np.zeros((1, count)),
            x,
            tau,
            self.port.get_index(),
            parallelize=False,
        )
        return Task(Candidate(run, count), lambda: {"udot": self._rates(run())})

    def _columns(self, states: States) -> tuple[Floats, Floats]:
        """Return states (2n, N) and loads (n, N) in the order of Drake's velocities."""
        own = states.outwards(self.tree)
        back = np.argsort(self._places)
        x = np.hstack([own.q[:, back], own.u[:, back]])
        return np.asfortranarray(x.T), np.asfortranarray(own.tau[:, back].T)

    def _rates(self, xdot: Floats) -> Floats:
        size = len(self._places)
        return self.tree.back(xdot[size:].T[:, self._places])


def _inertia(link: Link) -> SpatialInertia:
    inertia = link.inertia
    products = (inertia[0, 1], inertia[0, 2], inertia[1, 2])
    about_com = RotationalInertia(*np.diag(inertia), *products)
    return SpatialInertia.MakeFromCentralInertia(link.mass, link.com, about_com)
