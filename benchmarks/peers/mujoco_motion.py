"""MuJoCo: motions by its own loop of fixed steps."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from peers.mujoco import specification
from peers.solver import Found, Solver
from peers.tree import Floats, Tree

_INTEGRATORS = mujoco.mjtIntegrator
_METHODS = {
    "RK4": (_INTEGRATORS.mjINT_RK4, 4.0),
    "Euler": (_INTEGRATORS.mjINT_EULER, 1.0),
    "implicit": (_INTEGRATORS.mjINT_IMPLICIT, 1.0),
    "implicitfast": (_INTEGRATORS.mjINT_IMPLICITFAST, 1.0),
}


def mujoco_solvers(
    tree: Tree, q: Floats, u: Floats, duration: float, methods: tuple[str, ...], *, damping: float = 0.0, first: float
) -> list[Solver]:
    """Return motions of a tree without contacts, from a state in gyrostat's order."""
    model = specification(tree).compile()
    model.dof_damping[:] = damping
    start = tree.outwards(q), tree.outwards(u)
    return [_solver(tree, model, start, duration, method, first) for method in methods]


def _solver(tree: Tree, model: Any, start: tuple[Floats, Floats], duration: float, method: str, first: float) -> Solver:
    kind, order = _METHODS[method]
    data = mujoco.MjData(model)

    def run(step: float) -> Found:
        steps = max(1, round(duration / step))
        model.opt.integrator, model.opt.timestep = kind, duration / steps
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = start
        mujoco.mj_step(model, data, nstep=steps)
        return Found(tree.back(np.array(data.qpos)))

    return Solver("MuJoCo", method, "step", run, first, order)


def mujoco_from_text(tree: Tree, q: Floats, u: Floats, duration: float, *, first: float) -> Solver:
    """Return the motion of a tree by RK4, beginning with the XML text of its model."""
    spec = specification(tree)
    spec.compile()
    text = spec.to_xml()
    start = tree.outwards(q), tree.outwards(u)

    def run(step: float) -> Found:
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        steps = max(1, round(duration / step))
        model.opt.integrator, model.opt.timestep = _METHODS["RK4"][0], duration / steps
        data.qpos[:], data.qvel[:] = start
        mujoco.mj_step(model, data, nstep=steps)
        return Found(tree.back(np.array(data.qpos)))

    return Solver("MuJoCo", "RK4, from text", "step", run, first, 4.0)
