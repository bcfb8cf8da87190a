"""Bodies of a compiled model, and the joints that carry them."""

from __future__ import annotations

import numpy as np

from gyrostat.io.mjcf.geoms import shapes_of
from gyrostat.io.mjcf.import_record import FREE, ImportRecord
from gyrostat.io.mjcf.joints import joint_of
from gyrostat.io.places import numbers, place
from gyrostat.io.plain_values import made
from gyrostat.model import Body
from gyrostat.model.forces import Force
from gyrostat.model.joints import Weld
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND


def add_bodies(found: ImportRecord) -> None:
    """Add all bodies and joints; bodies with several joints get bodies without mass between them."""
    m, names, model = found.m, found.names, found.model
    for b in range(1, m.nbody):
        found.bodies[b] = names.take(m.body(b).name or f"body{b}", "body")
    for j in range(m.njnt):
        found.joints[j] = names.take(m.joint(j).name or f"joint{j}", "joint", "joint")
    shapes = shapes_of(found, 0)
    if shapes:
        model.add(made(Body, GROUND, shape=shapes))
    for b in range(1, m.nbody):
        model.add(_body(found, b))
        _add_joints(found, b)
        if m.body_gravcomp[b]:
            lift = -m.body_gravcomp[b] * m.body_mass[b] * np.array(m.opt.gravity)
            at = place(found.bodies[b], m.body_ipos[b])
            model.add(made(Force, names.take(f"{found.bodies[b]}_lift", "force"), at, numbers(lift)))


def _body(found: ImportRecord, b: int) -> Body:
    m = found.m
    R = np.zeros(9)
    e0, x, y, z = m.body_iquat[b]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - e0 * z), 2 * (x * z + e0 * y)],
            [2 * (x * y + e0 * z), 1 - 2 * (x * x + z * z), 2 * (y * z - e0 * x)],
            [2 * (x * z - e0 * y), 2 * (y * z + e0 * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    J = R @ np.diag(m.body_inertia[b]) @ R.T
    inertia = [numbers(row) for row in (J + J.T) / 2]
    shapes = shapes_of(found, b)
    label = m.body(b).name
    return made(
        Body,
        found.bodies[b],
        mass=float(m.body_mass[b]),
        inertia=inertia,
        com=numbers(m.body_ipos[b]),
        label=label if label != found.bodies[b] else "",
        **({"shape": shapes} if shapes else {}),
    )


def _add_joints(found: ImportRecord, b: int) -> None:
    """Add the joints between a body and its parent, from the parent outward."""
    m, names = found.m, found.names
    parent, body = found.bodies[int(m.body_parentid[b])], found.bodies[b]
    first, count = int(m.body_jntadr[b]), int(m.body_jntnum[b])
    if m.body_mocapid[b] >= 0:
        found.notes.append(f"the mocap body {body!r} is fixed.")
    if count == 0:
        inner = place(parent, m.body_pos[b], m.body_quat[b])
        found.model.add(made(Weld, names.take(f"{body}_weld", "joint"), inner, End(body)))
    at, turned, host = m.body_pos[b], m.body_quat[b], parent
    for j in range(first, first + count):
        last = j == first + count - 1
        outer = body if last else names.take(f"{body}_{j - first + 1}", "body")
        if not last:
            found.model.add(made(Body, outer, mass=0, inertia=(0, 0, 0)))
        if m.jnt_type[j] == FREE:
            at, turned = np.zeros(3), np.array([1.0, 0, 0, 0])
        joint_of(found, j, (host, np.array(at), np.array(turned)), outer)
        host, at, turned = outer, np.zeros(3), np.array([1.0, 0, 0, 0])
