"""MuJoCo: forward dynamics with contacts and constraints disabled."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import mujoco
import numpy as np
from mujoco.rollout import Rollout
from scipy.spatial.transform import Rotation
from timing import Candidate

from peers.peer import Peer, States, Task
from peers.tree import Link, Tree

_STEP = 1.0
"""One step of Euler's method changes speeds by exactly their rates."""


class MuJoCo(Peer):
    """The same tree in MuJoCo, a universal joint being two hinges of one body."""

    name: ClassVar[str] = "MuJoCo"
    distribution: ClassVar[str] = "mujoco"
    about_call: ClassVar[str] = "`mj_forward`"
    about_batch: ClassVar[str] = "`rollout` of one Euler step for each state, one thread: `mj_forward` and an update"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        spec = specification(tree)
        spec.option.timestep = _STEP
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def call(self, states: States) -> Task:
        """Return `mj_forward` at the first state."""
        own = states.outwards(self.tree)
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = own.q[0], own.u[0], own.tau[0]
        run = partial(mujoco.mj_forward, self.model, self.data)
        return Task(Candidate(run), lambda: {"udot": self.tree.back(np.array(self.data.qacc))[None, :]})

    def batch(self, states: States) -> Task:
        """Return a rollout of one step from each state."""
        own = states.outwards(self.tree)
        count, size = own.q.shape
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        initial = np.hstack([np.zeros((count, 1)), own.q, own.u])
        assert initial.shape[1] == mujoco.mj_stateSize(self.model, full)
        after = np.zeros((count, 1, initial.shape[1]))
        rollout = Rollout(nthread=0)
        loads = own.tau[:, None, :]
        run = partial(
            rollout.rollout,
            self.model,
            mujoco.MjData(self.model),
            initial,
            loads,
            control_spec=int(mujoco.mjtState.mjSTATE_QFRC_APPLIED),
            state=after,
            sensordata=np.zeros((count, 1, 0)),
            skip_checks=False,
        )
        return Task(Candidate(run, count), lambda: {"udot": self.tree.back((after[:, 0, 1 + size :] - own.u) / _STEP)})


def specification(tree: Tree) -> Any:
    """Return the description of a tree without contacts."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.gravity = tree.gravity
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    bodies = {-1: spec.worldbody}
    for i, link in enumerate(tree.links):
        bodies[i] = add_body(bodies[link.parent], link)
    return spec


def add_body(parent: Any, link: Link) -> Any:
    """Add a link with its hinges to a body of a specification."""
    x, y, z, w = Rotation.from_matrix(link.R_PH).as_quat()
    inertia = link.inertia
    body = parent.add_body(
        name=link.name,
        pos=link.r_PH_P,
        quat=[w, x, y, z],
        mass=link.mass,
        ipos=link.com,
        fullinertia=[*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]],
        explicitinertial=True,
    )
    for i, axis in enumerate(link.axes):
        body.add_joint(name=f"{link.name}_{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    return body
