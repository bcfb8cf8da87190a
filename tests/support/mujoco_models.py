"""Models of MuJoCo beside their imports: states and accelerations in the coordinates of both."""

from __future__ import annotations

from typing import Any

import numpy as np

import gyrostat as gs

FREE, BALL = 0, 1


def rotation(quaternion: Any) -> Any:
    """Return the rotation matrix of a unit quaternion, e0 first."""
    e0, x, y, z = quaternion
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * e0 * K + 2 * K @ K


def random_state(mujoco: Any, m: Any, seed: int) -> Any:
    """Return MuJoCo's data at a random state, with random controls and activations, evaluated."""
    random, d = np.random.default_rng(seed), mujoco.MjData(m)
    d.qpos[:] = d.qpos + random.normal(size=m.nq) * 0.3
    mujoco.mj_normalizeQuat(m, d.qpos)
    d.qvel[:] = random.normal(size=m.nv)
    d.ctrl[:] = random.normal(size=m.nu)
    d.act[:] = random.uniform(-0.9, 0.9, size=m.na)  # within the ranges that steps keep it in
    mujoco.mj_forward(m, d)
    return d


def joint_names(model: gs.Model, m: Any) -> list[str]:
    """Return the joints of the import, in the order of MuJoCo's."""
    labels = {joint.label or name: name for name, joint in model.joints.items()}
    return [labels.get(m.joint(j).name or f"joint{j}", f"joint{j}") for j in range(m.njnt)]


def our_state(system: gs.System, m: Any, d: Any) -> tuple[Any, Any]:
    """Return q and u of the import at MuJoCo's state."""
    values: dict[str, float] = {}
    for j, name in enumerate(joint_names(system.model, m)):
        q, v = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
        if m.jnt_type[j] == FREE:
            e, moved = d.qpos[q + 3 : q + 7], f"{name}_position"
            apart = moved in system.model.joints
            values |= {f"{moved if apart else name}.{axis}": d.qpos[q + i] for i, axis in enumerate("xyz")}
            values |= {f"{name}.e{i}": e[i] for i in range(4)}
            values |= {f"{name}.w{i + 1}": d.qvel[v + 3 + i] for i in range(3)}
            seen = d.qvel[v : v + 3] if apart else rotation(e).T @ d.qvel[v : v + 3]
            names = [f"{moved}.{axis}.rate" for axis in "xyz"] if apart else [f"{name}.v{i}" for i in (1, 2, 3)]
            values |= dict(zip(names, seen, strict=True))
        elif m.jnt_type[j] == BALL:
            values |= {f"{name}.e{i}": d.qpos[q + i] for i in range(4)}
            values |= {f"{name}.w{i + 1}": d.qvel[v + i] for i in range(3)}
        else:
            values |= {name: d.qpos[q], f"{name}.rate": d.qvel[v]}
    return (
        np.array([values[name] for name in system.coordinate_names]),
        np.array([values[name] for name in system.speed_names]),
    )


def their_accelerations(system: gs.System, m: Any, d: Any, rates: Any) -> Any:
    """Return q̈ as MuJoCo has it, from the rates of the import's speeds."""
    found = dict(zip(system.speed_names, rates, strict=True))
    result = np.zeros(m.nv)
    for j, name in enumerate(joint_names(system.model, m)):
        q, v = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])
        if m.jnt_type[j] == FREE:
            R, moved = rotation(d.qpos[q + 3 : q + 7]), f"{name}_position"
            result[v + 3 : v + 6] = [found[f"{name}.w{i}"] for i in (1, 2, 3)]
            if moved in system.model.joints:
                result[v : v + 3] = [found[f"{moved}.{axis}.rate"] for axis in "xyz"]
            else:
                sliding = R.T @ d.qvel[v : v + 3]
                local = np.array([found[f"{name}.v{i}"] for i in (1, 2, 3)]) + np.cross(d.qvel[v + 3 : v + 6], sliding)
                result[v : v + 3] = R @ local
        elif m.jnt_type[j] == BALL:
            result[v : v + 3] = [found[f"{name}.w{i}"] for i in (1, 2, 3)]
        else:
            result[v] = found[f"{name}.rate"]
    return result


def acceleration_error(mujoco: Any, m: Any, model: gs.Model, seed: int) -> float:
    """Return the largest difference of accelerations at a random state, in terms of the largest one."""
    d = random_state(mujoco, m, seed)
    system = gs.formulate(model)
    q, u = our_state(system, m, d)
    controls = [m.actuator(a).name or f"actuator{a}" for a in range(m.nu)]
    controls = [name if name in system.inputs else f"{name}_control" for name in controls]
    given = {name: float(value) for name, value in zip(controls, d.ctrl, strict=True) if name in system.inputs}
    z = {}
    for a, name in enumerate(controls):
        if m.actuator_actadr[a] >= 0 and f"{name}_activation" in system.state_names:
            z[f"{name}_activation"] = float(d.act[m.actuator_actadr[a]])
    options: dict[str, Any] = {"z": [z[name] for name in system.state_names]} if system.state_names else {}
    rates = system.forward_dynamics(q, u, inputs=given, **options)
    found, expected = their_accelerations(system, m, d, rates), d.qacc_smooth
    return float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))
