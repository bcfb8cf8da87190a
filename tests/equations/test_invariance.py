"""Invariance of the equations under renaming, reordering and changes of frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, float_system
from random_trees import BodyDescription, Draw, Floats, Placement, TreeDescription, relative_error
from scipy.spatial.transform import Rotation

import gyrostat as gs

SEEDS = range(30)
TOLERANCE = 1e-10


def _by_name(system: FloatSystem, q: dict[str, float], u: dict[str, float]) -> tuple[dict[str, float], Floats]:
    """Return accelerations by name, and M, at a state by name."""
    names = system.system.speed_names
    state = [q[name] for name in system.system.coordinate_names], [u[name] for name in names]
    return dict(zip(names, system.forward_dynamics(*state), strict=True)), system.mass_matrix(state[0])


def _assert_same(one: TreeDescription, other: gs.Model, seed: int, renamed: dict[str, str] | None = None) -> None:
    """Assert equal accelerations and mass matrices at a random state; `renamed` leads to the other's coordinates."""
    first, second = float_system(one.model()), float_system(other)
    q, u = Draw(seed).state(first.system)
    names = dict(renamed or {})

    def new(name: str) -> str:
        stem = name.removesuffix(".rate")
        return names.get(stem, stem) + name[len(stem) :]

    known_q = {new(name): value for name, value in zip(first.system.coordinate_names, q, strict=True)}
    known_u = {new(name): value for name, value in zip(first.system.speed_names, u, strict=True)}
    assert sorted(known_u) == sorted(second.system.speed_names)
    found, M2 = _by_name(second, known_q, known_u)
    expected = first.forward_dynamics(q, u)
    order = [second.system.speed_names.index(new(name)) for name in first.system.speed_names]
    assert relative_error([found[new(name)] for name in first.system.speed_names], expected) < TOLERANCE
    assert relative_error(M2[np.ix_(order, order)], first.mass_matrix(q)) < TOLERANCE


@campaign(SEEDS)
def test_renumbering_bodies_and_joints_changes_nothing(seed: int) -> None:
    draw = Draw(seed)
    tree = draw.tree(2 + seed % 9)
    _assert_same(tree, tree.model(order=draw.random.permutation(len(tree.bodies)).tolist()), seed)


def _moved(placement: Placement, at: Floats, turn: Floats) -> Placement:
    """Return a place on a body as seen from a new body frame that stands at `at`, turned by a rotation vector."""
    R = Rotation.from_rotvec(turn).as_matrix()
    x, y, z = (R.T @ (np.array(placement.at) - at)).tolist()
    a, b, c = turn.tolist()
    return Placement((x, y, z), (((a, b, c), -float(np.linalg.norm(turn))), *placement.turn))


@campaign(SEEDS)
def test_moving_body_frames_changes_nothing(seed: int) -> None:
    draw = Draw(seed)
    tree = draw.tree(2 + seed % 9)
    frames = {body.name: (draw.random.normal(size=3), draw.random.normal(size=3)) for body in tree.bodies}
    bodies: list[BodyDescription] = []
    for body in tree.bodies:
        at, turn = frames[body.name]
        R = Rotation.from_rotvec(turn).as_matrix()
        x, y, z = (R.T @ (np.array(body.com) - at)).tolist()
        inboard = body.inboard if body.parent == "ground" else _moved(body.inboard, *frames[body.parent])
        inertia = R.T @ body.inertia @ R
        bodies.append(
            replace(
                body,
                inboard=inboard,
                outboard=_moved(body.outboard, at, turn),
                com=(x, y, z),
                inertia=(inertia + inertia.T) / 2,
            )
        )
    _assert_same(tree, replace(tree, bodies=tuple(bodies)).model(), seed)


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def _split(body: BodyDescription) -> tuple[list[BodyDescription], dict[str, str]]:
    """Return a body on a row of single joints with massless bodies between, and the new names of its coordinates."""
    parts = {
        "cylindrical": [("angle", "revolute", body.axis), ("displacement", "prismatic", body.axis)],
        "universal": [("angle1", "revolute", AXES["x"]), ("angle2", "revolute", AXES["y"])],
        "angles": [(f"angle{i}", "revolute", AXES[a]) for i, a in enumerate(body.angles, start=1)],
        "planar": [
            ("x", "prismatic", AXES["x"]),
            ("y", "prismatic", AXES["y"]),
            ("angle", "revolute", AXES["z"]),
        ],
    }[body.kind]
    if body.against:  # written from the body to its parent: the tree meets the last part first
        parts = parts[::-1]
    row: list[BodyDescription] = []
    names: dict[str, str] = {}
    parent, inboard = body.parent, body.inboard
    for i, (label, kind, axis) in enumerate(parts):
        last = i == len(parts) - 1
        piece = replace(body, kind=kind, axis=axis, parent=parent, inboard=inboard)
        if not last:
            zero = np.zeros((3, 3))
            name = f"{body.name}_{label}"
            piece = replace(piece, name=name, mass=0.0, inertia=zero, com=(0.0, 0.0, 0.0), outboard=Placement())
        row.append(piece)
        names[f"{body.joint}.{label}"] = piece.joint
        parent, inboard = piece.name, Placement()
    return row, names


@pytest.mark.parametrize("kind", ["cylindrical", "universal", "angles", "planar"])
@campaign(8)
def test_splitting_a_joint_into_single_ones_changes_nothing(seed: int, kind: str) -> None:
    tree = Draw(seed).tree(2 + seed % 5, (kind, "revolute", "free"))
    bodies: list[BodyDescription] = []
    renamed: dict[str, str] = {}
    for body in tree.bodies:
        if body.kind == kind:
            row, names = _split(body)
            bodies.extend(row)
            renamed |= names
        else:
            bodies.append(body)
    _assert_same(tree, replace(tree, bodies=tuple(bodies)).model(), seed, renamed)


def _rigid(placement: Placement) -> tuple[Floats, Floats]:
    return placement.rotation, np.array(placement.at)


def _as_placement(R: Floats, r: Floats) -> Placement:
    a, b, c = Rotation.from_matrix(R).as_rotvec().tolist()
    x, y, z = r.tolist()
    angle = float(np.linalg.norm([a, b, c]))
    return Placement((x, y, z), (((a, b, c), angle),) if angle else ())


@campaign(SEEDS)
def test_welded_bodies_are_one_body(seed: int) -> None:
    """A chain in which the second body is welded to the first, against the two put together by hand."""
    tree = Draw(seed).tree(4, ("revolute", "spherical", "prismatic", "universal"))
    a, b, *rest = tree.bodies
    a, b = replace(a, parent="ground"), replace(b, parent=a.name, kind="weld")
    chain = replace(tree, bodies=(a, b, *(replace(body, parent=b.name) for body in rest)))
    # B in A: the two joint frames coincide, whichever way the weld is written
    (R_AP, r_AP), (R_BC, r_BC) = _rigid(b.inboard), _rigid(b.outboard)
    R_AB = R_AP @ R_BC.T
    r_AB = r_AP - R_AB @ r_BC
    com_b = r_AB + R_AB @ np.array(b.com)
    mass = a.mass + b.mass
    com = (a.mass * np.array(a.com) + b.mass * com_b) / mass
    inertia = np.zeros((3, 3))
    for m, c, J in ((a.mass, np.array(a.com), a.inertia), (b.mass, com_b, R_AB @ b.inertia @ R_AB.T)):
        d = c - com
        inertia += J + m * (d @ d * np.eye(3) - np.outer(d, d))
    x, y, z = com.tolist()
    merged = replace(a, mass=mass, com=(x, y, z), inertia=(inertia + inertia.T) / 2)
    outer = [
        replace(body, parent=a.name, inboard=_as_placement(R_AB @ R, r_AB + R_AB @ r))
        for body in rest
        for R, r in [_rigid(body.inboard)]
    ]
    _assert_same(chain, replace(tree, bodies=(merged, *outer)).model(), seed)
