"""MuJoCo: spheres in contact with each other and with planes, by its own loop of fixed steps.

Contacts are springs and dampers per mass (negative `solref`) of nearly full impedance, damped for the restitution, with
the time of contact that a sphere at 1 m/s has in gyrostat's law.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np
from sphere_models import MU, RADIUS, RESTITUTION, Spheres

from peers.solver import Found, Solver

_FREQUENCY = 300.0
"""Undamped frequency of a contact (rad/s): half a period is the time of contact, about 10 ms."""
_INTEGRATORS = {"Euler": mujoco.mjtIntegrator.mjINT_EULER, "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST}


def mujoco_spheres(spheres: Spheres, *, first: float, mean: bool) -> list[Solver]:
    """Return motions of spheres; their end is the place of the last one, or the mean height of all."""
    model = mujoco.MjModel.from_xml_string(_text(spheres))
    return [_solver(model, spheres, method, first=first, mean=mean) for method in _INTEGRATORS]


def _solver(model: mujoco.MjModel, spheres: Spheres, method: str, *, first: float, mean: bool) -> Solver:
    data = mujoco.MjData(model)

    def run(step: float) -> Found:
        steps = max(1, round(spheres.duration / step))
        model.opt.integrator, model.opt.timestep = _INTEGRATORS[method], spheres.duration / steps
        mujoco.mj_resetData(model, data)
        data.qvel.reshape(-1, 6)[:, 0] = spheres.speed
        mujoco.mj_step(model, data, nstep=steps)
        places = data.qpos.reshape(-1, 7)[:, :3]
        return Found(np.array([places[:, 2].mean()]) if mean else np.array(places[-1]))

    return Solver("MuJoCo", method, "step", run, first, 1.0)


def _text(spheres: Spheres) -> str:
    decay = -math.log(RESTITUTION)
    ratio = decay / math.hypot(math.pi, decay)
    stiffness, damping = _FREQUENCY**2, 2 * ratio * _FREQUENCY
    contact = f'solref="-{stiffness} -{damping}" solimp="0.999 0.999 0.001" friction="{MU} 0 0"'
    planes = [("0 0 0", "0 0 1")]
    if spheres.width is not None:
        width = spheres.width
        planes += [("0 0 0", "1 0 0"), (f"{width} 0 0", "-1 0 0"), ("0 0 0", "0 1 0"), (f"0 {width} 0", "0 -1 0")]
    walls = "".join(f'<geom type="plane" size="0 0 1" pos="{pos}" zaxis="{z}" {contact}/>' for pos, z in planes)
    ball = f'<freejoint/><geom type="sphere" size="{RADIUS}" mass="1" {contact}/>'
    bodies = "".join(f'<body pos="{x} {y} {z}">{ball}</body>' for x, y, z in spheres.centres)
    return f'<mujoco><option gravity="0 0 -9.81"/><worldbody>{walls}{bodies}</worldbody></mujoco>'
