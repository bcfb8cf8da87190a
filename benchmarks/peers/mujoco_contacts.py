"""MuJoCo: spheres in contact with each other and with planes, by its own loop of fixed steps.

Contacts are springs and dampers per mass (negative `solref`) of nearly full impedance, damped for the restitution, and
become rigid as steps become short.
"""

from __future__ import annotations

import mujoco
import numpy as np
from sphere_models import MU, RADIUS, Floats, Spheres, contact_frequency, damping_ratio

from peers.solver import Found, Solver

_INTEGRATORS = {"Euler": mujoco.mjtIntegrator.mjINT_EULER, "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST}


def mujoco_spheres(spheres: Spheres, *, first: float, mean: bool) -> list[Solver]:
    """Return motions of spheres; their end is the place of the last one, or the mean height of all."""
    model = mujoco.MjModel.from_xml_string(_text(spheres))
    return [_solver(model, spheres, method, first=first, mean=mean) for method in _INTEGRATORS]


def _solver(model: mujoco.MjModel, spheres: Spheres, method: str, *, first: float, mean: bool) -> Solver:
    data = mujoco.MjData(model)
    ratio = damping_ratio(pulls=False)

    def run(step: float) -> Found:
        steps = max(1, round(spheres.duration / step))
        frequency = contact_frequency(spheres.duration / steps)
        model.geom_solref[:] = -(frequency**2), -2 * ratio * frequency
        model.opt.integrator, model.opt.timestep = _INTEGRATORS[method], spheres.duration / steps
        return Found(np.concatenate([moved(lift, steps) for lift in spheres.lifts]))

    def moved(lift: float, steps: int) -> Floats:
        mujoco.mj_resetData(model, data)
        data.qpos.reshape(-1, 7)[:, 2] += lift
        data.qvel.reshape(-1, 6)[:, 0] = spheres.speed
        mujoco.mj_step(model, data, nstep=steps)
        places = data.qpos.reshape(-1, 7)[:, :3]
        return np.array([places[:, 2].mean()]) if mean else np.array(places[-1])

    return Solver("MuJoCo", method, "step", run, first, 1.0)


def _text(spheres: Spheres) -> str:
    contact = f'solimp="0.999 0.999 0.001" friction="{MU} 0 0"'
    planes = [("0 0 0", "0 0 1")]
    if spheres.width is not None:
        width = spheres.width
        planes += [("0 0 0", "1 0 0"), (f"{width} 0 0", "-1 0 0"), ("0 0 0", "0 1 0"), (f"0 {width} 0", "0 -1 0")]
    walls = "".join(f'<geom type="plane" size="0 0 1" pos="{pos}" zaxis="{z}" {contact}/>' for pos, z in planes)
    ball = f'<freejoint/><geom type="sphere" size="{RADIUS}" mass="1" {contact}/>'
    bodies = "".join(f'<body pos="{x} {y} {z}">{ball}</body>' for x, y, z in spheres.centres)
    return f'<mujoco><option gravity="0 0 -9.81"/><worldbody>{walls}{bodies}</worldbody></mujoco>'
