"""Random closed mechanisms: random trees, and random chords placed so that they are closed at a random state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from random_trees import KINDS, Draw, Floats, Placement
from scipy.spatial.transform import Rotation

import gyrostat as gs
from gyrostat.closing.closing import Closer
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import FloatScalars

VALUE = Evaluator(FloatScalars(), {}.__getitem__)
CHORDS = tuple(kind for kind in KINDS if kind not in ("free", "weld"))


@dataclass(frozen=True)
class ClosedSystem:
    """A system with loops and a state that obeys its constraints."""

    system: gs.System
    q: Floats
    u: Floats


def closed_system(seed: int) -> ClosedSystem | None:
    """Return a random closed system, or None where the constraints leave no motion."""
    draw = Draw(seed)
    rng = draw.random
    tree = draw.tree(int(rng.integers(3, 7)))
    open_system = gs.formulate(tree.model())
    q, _ = draw.state(open_system)
    motion = open_system.body_motion(q, np.zeros(open_system.coordinates.n_u))
    model = tree.model()
    bodies = ["ground", *open_system.bodies]
    names: list[str] = []
    frames: dict[str, dict[str, gs.Frame]] = {}
    joints: list[Any] = []
    for number in range(int(rng.integers(1, 3))):
        parent, child = (str(name) for name in rng.choice(bodies, 2, replace=False))
        name = f"chord{number}"
        joint = _chord(draw, name, f"{parent}.{name}_p", f"{child}.{name}_c")
        R_PC, r_PC_P = _random_pose(joint, rng)
        on_child: Placement = draw.placement()
        R_WC, r_WC = _world(motion, child, on_child.rotation, np.array(on_child.at))
        R_WP = R_WC @ R_PC.T
        r_WP = r_WC - R_WP @ r_PC_P
        R_WA, r_WA = _world(motion, parent, np.eye(3), np.zeros(3))
        turn = Rotation.from_matrix(R_WA.T @ R_WP).as_rotvec()
        angle = float(np.linalg.norm(turn))
        axis = tuple((turn / angle).tolist()) if angle > 1e-12 else (1.0, 0.0, 0.0)
        place = tuple((R_WA.T @ (r_WP - r_WA)).tolist())
        frames.setdefault(parent, {})[f"{name}_p"] = gs.Frame(place, [(axis, angle)])
        frames.setdefault(child, {})[f"{name}_c"] = on_child.frame()
        joints.append(joint)
        names.append(name)
    closed = gs.Model(model.name, gravity=tree.gravity)
    for body in model.bodies.values():
        closed.add(_with_frames(body, frames.get(body.name, {})))
    for joint in (*model.joints.values(), *joints):
        closed.add(joint)
    system = gs.formulate(closed, cut=names)
    closer = Closer(system)
    still = np.zeros(system.coordinates.n_u)
    if closer.independent_rows(q) >= len(still):
        return None
    u, _ = closer.admissible_speeds(q, rng.normal(size=len(still)))
    return ClosedSystem(system, q, u)


def _with_frames(body: gs.Body, frames: dict[str, gs.Frame]) -> gs.Body:
    from dataclasses import replace

    return replace(body, frames={**body.frames, **frames}) if frames else body


def _chord(draw: Draw, name: str, parent: str, child: str) -> Any:
    kind = str(draw.random.choice(CHORDS))
    axis = tuple(draw.random.normal(size=3).tolist())
    axial = {"revolute": gs.Revolute, "prismatic": gs.Prismatic, "cylindrical": gs.Cylindrical}
    if kind in axial:
        return axial[kind](name, parent, child, axis=axis)
    if kind == "screw":
        return gs.Screw(name, parent, child, axis=axis, pitch=0.7)
    if kind == "angles":
        return gs.Spherical(name, parent, child, angles="zxz")
    return {"universal": gs.Universal, "spherical": gs.Spherical, "planar": gs.Planar}[kind](name, parent, child)


def _random_pose(joint: Any, rng: np.random.Generator) -> tuple[Floats, Floats]:
    q = rng.uniform(0.2, 0.8, size=len(joint.coordinates))
    if joint.coordinates[-1].label == "e3":
        q /= np.linalg.norm(q)
    pose = joint.pose(q.tolist(), VALUE)
    return np.array(pose.R_PC, float), np.array(pose.r_PC_P, float)


def _world(motion: Any, body: str, R: Floats, r: Floats) -> tuple[Floats, Floats]:
    if body == "ground":
        return R, r
    found = motion[body]
    return found.rotation @ R, found.position + found.rotation @ r
