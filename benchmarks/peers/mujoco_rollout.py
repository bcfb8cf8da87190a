"""MuJoCo: many motions of one tree by its native loop over motions, `rollout`."""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco.rollout import Rollout

from peers.mujoco import specification
from peers.solver import Found, Solver
from peers.tree import Floats, Tree


def mujoco_rollout(tree: Tree, starts: Floats, duration: float, *, first: float) -> Solver:
    """Return motions by RK4 from rest at each of the positions, shape (motions, coordinates), on one thread."""
    spec = specification(tree)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model = spec.compile()
    data, rollout = mujoco.MjData(model), Rollout(nthread=0)
    q = tree.outwards(starts)
    initial = np.hstack([np.zeros((len(q), 1)), q, np.zeros_like(q)])

    def run(step: float) -> Found:
        steps = max(1, round(duration / step))
        model.opt.timestep = duration / steps
        states, _ = rollout.rollout(model, data, initial, nstep=steps)
        return Found(tree.back(np.asarray(states)[:, -1, 1 : 1 + q.shape[1]]).ravel())

    return Solver("MuJoCo", "rollout, RK4", "step", run, first, 4.0)
