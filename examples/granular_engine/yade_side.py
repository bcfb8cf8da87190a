# The part of yade_engine.py that YADE runs: `yade -n -x -j1 yade_side.py SOCKET`. Names such as O and facet are YADE's.
# ruff: noqa
import json, math, socket, sys

import numpy as np
from yade import *
from yade import utils

channel = socket.socket(socket.AF_UNIX)
channel.connect(sys.argv[-1])
reader = channel.makefile("rb")


def receive():
    head = reader.readline()
    if not head:
        sys.exit(0)
    found = {}
    for name, shape in json.loads(head).items():
        found[name] = np.frombuffer(reader.read(8 * int(np.prod(shape))), "<f8").reshape(shape)
    return found


def send(arrays):
    head = json.dumps({name: list(array.shape) for name, array in arrays.items()}).encode() + b"\n"
    channel.sendall(head + b"".join(np.ascontiguousarray(array, "<f8").tobytes() for array in arrays.values()))


bed = receive()
k, c, mu, ratio = bed["law"].tolist()
# YADE puts the springs of both partners in series and multiplies damping likewise: each has twice the coefficient
material = O.materials.append(
    ViscElMat(
        kn=2 * k,
        ks=2 * k * ratio,
        cn=2 * c,
        cs=0.0,
        frictionAngle=math.atan(mu),
        density=float(bed["masses"][0] / (4 / 3 * math.pi * bed["radii"][0] ** 3)),
    )
)
grains = [
    O.bodies.append(sphere(x.tolist(), float(r), material=material)) for x, r in zip(bed["positions"], bed["radii"])
]
for number, v in zip(grains, bed["velocities"]):
    O.bodies[number].state.vel = v.tolist()
owners = bed["owners"].astype(int)
walls, first = [], None
impulses = None


def add_impulses():
    for number, owner in zip(walls, owners):
        force, moment = np.array(O.forces.f(number)), np.array(O.forces.t(number))
        impulses[owner, :3] += O.dt * force
        impulses[owner, 3:] += O.dt * (moment + np.cross(np.array(O.bodies[number].state.pos), force))


O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()], verletDist=0.3 * float(bed["radii"].mean())),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()],
        [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
        [Law2_ScGeom_ViscElPhys_Basic()],
    ),
    PyRunner(command="add_impulses()", iterPeriod=1),
    NewtonIntegrator(gravity=bed["gravity"].tolist(), damping=0.0),
]

while True:
    wanted = receive()
    frames = wanted["walls"]
    turns = frames[:, 3:12].reshape(-1, 3, 3)
    if not walls and len(owners):
        first = turns.copy()
        for triangle, owner in zip(bed["triangles"], owners):
            corners = triangle @ turns[owner].T + frames[owner, :3]
            walls.append(O.bodies.append(utils.facet(corners.tolist(), dynamic=False, material=material)))
        centres = [np.array(O.bodies[n].state.pos) for n in walls]
        locals_ = [turns[o].T @ (p - frames[o, :3]) for p, o in zip(centres, owners)]
    for number, owner, local in zip(walls, owners, locals_ if walls else []):
        state, frame = O.bodies[number].state, frames[owner]
        arm = turns[owner] @ local
        state.pos = (frame[:3] + arm).tolist()
        state.ori = Quaternion(Matrix3(*(turns[owner] @ first[owner].T).ravel().tolist()))
        state.vel = (frame[12:15] + np.cross(frame[15:], arm)).tolist()
        state.angVel = frame[15:].tolist()
    impulses = np.zeros((len(frames), 6))
    steps, O.dt = int(wanted["run"][0]), float(wanted["run"][1])
    O.run(steps, True)
    states = [O.bodies[n].state for n in grains]
    send(
        {
            "positions": np.array([tuple(s.pos) for s in states]),
            "velocities": np.array([tuple(s.vel) for s in states]),
            "impulses": impulses,
        }
    )
