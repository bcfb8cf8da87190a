"""MuJoCo: four-bars in a row as trees of hinges, whose loops are closed by equality constraints."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from peers.solver import Found, Solver

_HARDEST = (0.9999, 0.9999, 0.001, 0.5, 2.0)
"""The impedance: MuJoCo's constraints are soft, and this is the hardest that it takes."""
_STEPS_OF_RETURN = 2.0
"""The time in which a gap closes, in steps: MuJoCo's manual asks for at least two."""


def mujoco_four_bars(count: int, gravity: float, rate: float, duration: float, *, first: float) -> list[Solver]:
    """Return motions of cranks that start upright with a rate."""
    model = _specification(count, gravity).compile()
    data = mujoco.MjData(model)
    cranks = [model.joint(f"c{i}").qposadr[0] for i in range(count + 1)]
    couplers = [model.joint(f"k{i}").qposadr[0] for i in range(count)]

    def solver(method: str, kind: Any, order: float) -> Solver:
        def run(step: float) -> Found:
            steps = max(1, round(duration / step))
            model.opt.integrator, model.opt.timestep = kind, duration / steps
            model.eq_solref[:] = (_STEPS_OF_RETURN * model.opt.timestep, 1.0)
            mujoco.mj_resetData(model, data)
            data.qvel[cranks], data.qvel[couplers] = rate, -rate
            mujoco.mj_step(model, data, nstep=steps)
            return Found(np.array(data.qpos[cranks]))

        return Solver("MuJoCo", method, "step", run, first, order)

    kinds = mujoco.mjtIntegrator
    return [solver("RK4", kinds.mjINT_RK4, 2.0), solver("implicitfast", kinds.mjINT_IMPLICITFAST, 1.0)]


def mujoco_four_bars_from_text(count: int, gravity: float, rate: float, duration: float, *, first: float) -> Solver:
    """Return the motion that begins with the XML text of the model."""
    spec = _specification(count, gravity)
    spec.compile()
    text = spec.to_xml()

    def run(step: float) -> Found:
        return _moved(mujoco.MjModel.from_xml_string(text), count, rate, duration, step)

    return Solver("MuJoCo", "implicitfast, from text", "step", run, first, 1.0)


def _moved(model: Any, count: int, rate: float, duration: float, step: float) -> Found:
    """Return the angles of all cranks at the end."""
    data = mujoco.MjData(model)
    cranks = [model.joint(f"c{i}").qposadr[0] for i in range(count + 1)]
    couplers = [model.joint(f"k{i}").qposadr[0] for i in range(count)]
    steps = max(1, round(duration / step))
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_IMPLICITFAST, duration / steps
    model.eq_solref[:] = (_STEPS_OF_RETURN * model.opt.timestep, 1.0)
    data.qvel[cranks], data.qvel[couplers] = rate, -rate
    mujoco.mj_step(model, data, nstep=steps)
    return Found(np.array(data.qpos[cranks]))


def _specification(count: int, gravity: float) -> Any:
    spec = mujoco.MjSpec()
    spec.option.gravity = (0.0, -gravity, 0.0)
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    spec.option.solver, spec.option.iterations, spec.option.tolerance = mujoco.mjtSolver.mjSOL_NEWTON, 100, 1e-14
    across = 1.0 / 12.0
    for i in range(count + 1):
        crank = spec.worldbody.add_body(name=f"crank{i}", pos=(i, 0, 0), mass=1.0, ipos=(0, 0.5, 0))
        crank.inertia, crank.explicitinertial = (across, 1e-4, across), True
        crank.add_joint(name=f"c{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 0, -1))
        if i < count:
            coupler = crank.add_body(name=f"coupler{i}", pos=(0, 1, 0), mass=1.0, ipos=(0.5, 0, 0))
            coupler.inertia, coupler.explicitinertial = (1e-4, across, across), True
            coupler.add_joint(name=f"k{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 0, -1))
    for i in range(count):
        close = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY)
        close.name1, close.name2 = f"coupler{i}", f"crank{i + 1}"
        close.data[:3] = (1.0, 0.0, 0.0)
        close.solimp = _HARDEST
    return spec
