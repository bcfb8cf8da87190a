"""Joint by joint: tables 2.2 to 2.6 of Trom (1990) and §3.7.1 of Crous (2000), typed, against the walks.

Six-vectors of the walks have the angular part first, those of the tables the linear one; the tests reorder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import gyrostat as gs

Floats = NDArray[np.float64]
SEEDS = range(3)


def rotation(rng: np.random.Generator) -> list[tuple[str, float]]:
    return [(axis, float(rng.uniform(-2, 2))) for axis in "xyz"]


def vector(rng: np.random.Generator) -> tuple[float, ...]:
    return tuple(rng.uniform(-1, 1, 3).tolist())


def body(name: str, rng: np.random.Generator) -> gs.Body:
    frames = {end: gs.Frame(vector(rng), rotation(rng)) for end in ("inner", "outer")}
    return gs.Body(name, mass=2, inertia=(0.4, 0.5, 0.6), com=vector(rng), frames=frames)


JOINTS: dict[str, Any] = {
    "revolute": lambda a, b: gs.Revolute("pair", a, b, axis="x"),
    "translational": lambda a, b: gs.Prismatic("pair", a, b, axis="x"),
    "cylindrical": lambda a, b: gs.Cylindrical("pair", a, b, axis="x"),
    "universal": lambda a, b: gs.Universal("pair", a, b),
    "spherical": lambda a, b: gs.Spherical("pair", a, b, angles="xyz"),
}


@dataclass
class Chain:
    """A floating body i0, body j on the joint in question, and body i on a hinge, at a random state."""

    kind: str
    seed: int

    @cached_property
    def system(self) -> gs.System:
        rng = np.random.default_rng(self.seed)
        model = gs.Model("chain", gravity=(0, 0, -9.81))
        for name in ("i0", "j", "i"):
            model.add(body(name, rng))
        model.add(gs.Free("base", "ground", "i0.inner"))
        model.add(JOINTS[self.kind]("i0.outer", "j.inner"))
        model.add(gs.Revolute("last", "j.outer", "i.inner", axis="y"))
        return gs.formulate(model)

    @cached_property
    def state(self) -> tuple[Floats, Floats]:
        rng = np.random.default_rng(100 + self.seed)
        n = self.system.coordinates
        q = rng.uniform(-1, 1, n.n_q)
        q[3:7] /= np.linalg.norm(q[3:7])
        return q, rng.uniform(-1, 1, n.n_u)

    @cached_property
    def walk(self) -> Any:
        return self.system.velocity_transformation(*self.state)

    @cached_property
    def motion(self) -> Any:
        return self.system.body_motion(*self.state)

    def omega(self, name: str) -> Floats:
        return np.asarray(self.motion[name].omega, dtype=float)

    def turned(self, name: str, end: str) -> Floats:
        """Rotation of a frame to the world."""
        R_BF, _ = self._placed(name, end)
        return np.asarray(self.motion[name].rotation @ R_BF, dtype=float)

    def arm(self, name: str, end: str) -> Floats:
        """From the origin of a body to that of a frame, in world axes."""
        return np.asarray(self.motion[name].rotation @ self._placed(name, end)[1], dtype=float)

    def centre(self, name: str) -> Floats:
        """From the origin of a body to its mass centre, in world axes."""
        com = [float(x.source) for x in self.system.model.bodies[name].com]
        return np.asarray(self.motion[name].rotation @ np.array(com), dtype=float)

    def _placed(self, name: str, end: str) -> tuple[Floats, Floats]:
        frame = self.system.model.placement(gs.model.kinds.End(name, end), self.system.model.evaluator())
        assert frame is not None
        return np.array(frame[0], dtype=float), np.array(frame[1], dtype=float)

    @cached_property
    def axes(self) -> list[tuple[Floats, Floats]]:
        """The axes ᵏu_j of the joint in world axes, each with the angular velocity of the frame that it is fixed in."""
        inner, outer = self.turned("i0", "outer"), self.turned("j", "inner")
        first = (inner[:, 0], self.omega("i0"))
        if self.kind in ("revolute", "translational"):
            return [first]
        if self.kind == "cylindrical":
            return [first, first]
        if self.kind == "universal":
            return [first, (outer[:, 1], self.omega("j"))]
        angle = self.state[0][self.system.coordinates.coordinate_names.index("pair.angle1")]
        speed = self.system.coordinates.speed_names.index("pair.angle1.rate")
        second = inner @ np.array([0, np.cos(angle), np.sin(angle)])
        middle = self.omega("i0") + self.state[1][speed] * inner[:, 0]
        return [first, (second, middle), (outer[:, 2], self.omega("j"))]

    def distance(self, name: str) -> tuple[Floats, Floats]:
        """d_ij, from the joint's point on body j to the mass centre of a body, and its rate."""
        point = np.asarray(self.motion["j"].position) + self.arm("j", "inner")
        moving = np.asarray(self.motion["j"].velocity) + np.cross(self.omega("j"), self.arm("j", "inner"))
        centre = np.asarray(self.motion[name].position) + self.centre(name)
        rate = np.asarray(self.motion[name].velocity) + np.cross(self.omega(name), self.centre(name))
        return centre - point, rate - moving


TURNING = {"revolute": (0,), "translational": (), "cylindrical": (0,), "universal": (0, 1), "spherical": (0, 1, 2)}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", JOINTS)
def test_table_2_2_and_2_3(kind: str, seed: int) -> None:
    """Blocks of B and Ḃ; each axis turns with its own frame, where table 2.3 prints ω_j throughout.

    In ḋ_ij of sliding joints the point slides on the axis: ᵏu × ḋ_ij with the point of body j gives the same block.
    """
    chain = Chain(kind, seed)
    for name in ("j", "i"):
        d, d_rate = chain.distance(name)
        B, B_rate = [], []
        for k, (axis, omega) in enumerate(chain.axes):
            axis_rate = np.cross(omega, axis)
            if k in TURNING[kind]:
                B.append([*axis, *np.cross(axis, d)])
                B_rate.append([*axis_rate, *(np.cross(axis_rate, d) + np.cross(axis, d_rate))])
            else:
                B.append([0, 0, 0, *axis])
                B_rate.append([0, 0, 0, *axis_rate])
        np.testing.assert_allclose(chain.walk[f"B^({name}, pair)"], np.array(B).T.reshape(6, -1), atol=1e-12)
        np.testing.assert_allclose(chain.walk[f"Ḃ^({name}, pair)"], np.array(B_rate).T.reshape(6, -1), atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_floating_base_of_table_2_2_and_2_3(seed: int) -> None:
    """In velocities of the base itself the block is [I −d̃; 0 I]; the speeds of `Free` are in the body's axes."""
    chain = Chain("revolute", seed)
    base = np.asarray(chain.motion["i0"].position) + chain.centre("i0")
    of_base = np.asarray(chain.motion["i0"].velocity) + np.cross(chain.omega("i0"), chain.centre("i0"))
    for name in ("j", "i"):
        d = np.asarray(chain.motion[name].position) + chain.centre(name) - base
        d_rate = np.asarray(chain.motion[name].velocity) + np.cross(chain.omega(name), chain.centre(name)) - of_base
        block, rate = np.eye(6), np.zeros((6, 6))
        block[3:, :3], rate[3:, :3] = -skew(d), -skew(d_rate)
        own, own_rate = chain.walk["B^(i0, base)"], chain.walk["Ḃ^(i0, base)"]
        np.testing.assert_allclose(chain.walk[f"B^({name}, base)"], block @ own, atol=1e-12)
        np.testing.assert_allclose(chain.walk[f"Ḃ^({name}, base)"], block @ own_rate + rate @ own, atol=1e-11)


def skew(a: Floats) -> Floats:
    return np.asarray(np.cross(np.eye(3), a))


# --- cut joints -----------------------------------------------------------------------------------------------------


COUNTS = list(zip(JOINTS, (5, 5, 4, 4, 3), strict=True))
"""The number of constraint equations of each joint (table 2.4)."""


@dataclass
class CutLoop:
    """Two chains from the ground that meet in a joint that closes the loop, at a closed state."""

    kind: str
    seed: int

    @cached_property
    def system(self) -> gs.System:
        """Bodies i and j each on a free joint, and the joint in question, which is the chord."""
        rng = np.random.default_rng(self.seed)
        model = gs.Model("cut", gravity=(0, 0, -9.81))
        for name in ("i", "j"):
            model.add(body(name, rng))
        model.add(gs.Free("free_i", "ground", "i"))
        model.add(gs.Free("free_j", "ground", "j"))
        model.add(JOINTS[self.kind]("i.outer", "j.inner"))
        return gs.formulate(model, tree=["free_i", "free_j"])

    @cached_property
    def q(self) -> Floats:
        """Body i anywhere, body j where the joint puts it, from the same pair without the second free joint."""
        rng = np.random.default_rng(50 + self.seed)
        open_model = self.system.model.source.copy()
        open_model.remove("free_j")
        tree = gs.formulate(open_model)
        q = rng.uniform(-1, 1, tree.coordinates.n_q)
        q[3:7] /= np.linalg.norm(q[3:7])
        motion = tree.body_motion(q, np.zeros(tree.coordinates.n_u))
        parts = [[*motion[name].position, *motion[name].quaternion] for name in ("i", "j")]
        return np.concatenate(parts)


def table_2_6(loop: CutLoop) -> Floats:
    """The modified Jacobian J_ij, with columns v_i, ω_i, v_j, ω_j, at the origins of the bodies.

    Its printed rows of the translational joint have u_iy for u_jy once; all rows follow from the conditions of
    table 2.4, whose last line must read u_iy ⊥ u_jz.
    """
    n = loop.system.coordinates.n_u
    motion = loop.system.body_motion(loop.q, np.zeros(n))
    model = loop.system.model
    placed = {}
    for name, end in (("i", "outer"), ("j", "inner")):
        R, r = model.placement(gs.model.kinds.End(name, end), model.evaluator())  # type: ignore[misc]
        turn = np.asarray(motion[name].rotation, dtype=float)
        placed[name] = (turn @ np.array(R, dtype=float), turn @ np.array(r, dtype=float))
    (u_i, s_i), (u_j, s_j) = placed["i"], placed["j"]
    I3, none = np.eye(3), np.zeros(3)
    meet = np.hstack([I3, -skew(s_i), -I3, skew(s_j)])

    def across(a: Floats, b: Floats) -> Floats:
        turn = np.cross(a, b)
        return np.concatenate([none, turn, none, -turn])

    def along(b: Floats) -> Floats:
        lever = np.asarray(motion["i"].position) + s_i - np.asarray(motion["j"].position)
        return np.concatenate([b, np.cross(s_i, b), -b, -np.cross(lever, b)])

    x, y, z = 0, 1, 2
    parallel = [across(u_i[:, x], u_j[:, y]), across(u_i[:, x], u_j[:, z])]
    slides = [along(u_j[:, y]), along(u_j[:, z])]
    rows = {
        "spherical": meet,
        "universal": np.vstack([meet, across(u_i[:, x], u_j[:, y])]),
        "revolute": np.vstack([meet, *parallel]),
        "cylindrical": np.vstack([*slides, *parallel]),
        "translational": np.vstack([*slides, *parallel, across(u_i[:, y], u_j[:, z])]),
    }
    return np.asarray(rows[loop.kind])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("kind", "count"), COUNTS)
def test_tables_2_4_and_2_6(kind: str, count: int, seed: int) -> None:
    """The rows of a cut joint span those of the table times B (eq. 2.39), and are as many."""
    loop = CutLoop(kind, seed)
    walk = loop.system.velocity_transformation(loop.q, np.zeros(loop.system.coordinates.n_u))
    found = walk["Φ_q^(pair)"]
    model, motion = loop.system.model, loop.system.body_motion(loop.q, np.zeros(loop.system.coordinates.n_u))
    B = walk["B"]
    moved = []
    for k, name in enumerate(("i", "j")):
        com = np.array([float(x.source) for x in model.bodies[name].com])
        angular, linear = B[6 * k : 6 * k + 3], B[6 * k + 3 : 6 * k + 6]
        lever = np.asarray(motion[name].rotation) @ com
        moved += [linear + skew(lever) @ angular, angular]
    printed = table_2_6(loop) @ np.vstack(moved)
    assert len(found) == len(printed) == count
    assert np.linalg.matrix_rank(found, tol=1e-9) == count
    assert np.linalg.matrix_rank(np.vstack([found, printed]), tol=1e-8) == count


@pytest.mark.parametrize(("kind", "count"), COUNTS)
def test_table_2_4_in_absolute_coordinates(kind: str, count: int) -> None:
    """The constraints of the joint vanish when it is closed, one for each condition."""
    loop = CutLoop(kind, 0)
    walk = loop.system.absolute_method(loop.q, np.zeros(loop.system.coordinates.n_u))
    assert np.shape(walk["C^(pair)"])[0] == count
    np.testing.assert_allclose(np.ravel(walk["C^(pair)"]), 0, atol=1e-12)


def test_table_2_5() -> None:
    """The general constraints: drivers of a joint, of a point and of an orientation, and a distance."""
    model = gs.Model("general constraints", parameters={"L": 2})
    model.add(gs.Body("b", gs.box(1, (1, 1, 1)), points={"p": (0.5, 0, 0)}))
    model.add(gs.Free("free", "ground", "b"))
    for constraint, count in (
        (gs.PointDriver("point", "b.p", ("t", 0, 0)), 3),
        (gs.OrientationDriver("turn", "b", [("z", "t")]), 3),
        (gs.Distance("rod", ("ground", (0, 0, 3)), "b.p", "L"), 1),
    ):
        one = model.copy()
        one.add(constraint)
        walk = gs.formulate(one).velocity_transformation(one_state(one), np.zeros(6))
        assert len(walk[f"Φ_q^({constraint.name})"]) == count


def one_state(model: gs.Model) -> Floats:
    return np.array([0.3, -0.2, 0.1, 1, 0, 0, 0])


# --- absolute coordinates -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("kind", "count"), [("spherical", 3), ("revolute", 5)])
def test_joints_of_crous(kind: str, count: int, seed: int) -> None:
    """Eqs 3.7.5–3.7.7 and 3.7.13: H of both bodies, and two products of vectors, in r and Euler parameters.

    The r of the walk is that of the body's origin, which need not be its mass centre.
    """
    loop = CutLoop(kind, seed)
    n = loop.system.coordinates.n_u
    walk, motion = loop.system.absolute_method(loop.q, np.zeros(n)), loop.system.body_motion(loop.q, np.zeros(n))
    model = loop.system.model
    arms, axes = {}, {}
    for name, end in (("i", "outer"), ("j", "inner")):
        R, r = model.placement(gs.model.kinds.End(name, end), model.evaluator())  # type: ignore[misc]
        turn = np.asarray(motion[name].rotation, dtype=float)
        arms[name], axes[name] = turn @ np.array(r, dtype=float), turn @ np.array(R, dtype=float)
    # Crous writes G in world axes here; that of the walk gives the angular velocity in the axes of the body
    G = {name: np.asarray(motion[name].rotation) @ walk[f"G^({name})"] for name in ("i", "j")}
    printed = np.hstack([np.eye(3), -skew(arms["i"]) @ G["i"], -np.eye(3), skew(arms["j"]) @ G["j"]])
    if kind == "revolute":
        p_j, none = axes["j"][:, 0], np.zeros(3)
        for xi in (1, 2):
            p_i = axes["i"][:, xi]
            row = [none, p_j @ skew(p_i) @ G["i"], none, p_i @ skew(p_j) @ G["j"]]
            printed = np.vstack([printed, np.concatenate(row)])
    found = walk["C_q^(pair)"]
    # rows are compared in directions that keep the norms of Euler parameters
    keep = np.zeros((14, 12))
    for k, name in enumerate(("i", "j")):
        keep[7 * k : 7 * k + 3, 6 * k : 6 * k + 3] = np.eye(3)
        keep[7 * k + 3 : 7 * k + 7, 6 * k + 3 : 6 * k + 6] = G[name].T
    assert len(found) == len(printed) == count
    assert np.linalg.matrix_rank(found @ keep, tol=1e-9) == count
    assert np.linalg.matrix_rank(np.vstack([found @ keep, printed @ keep]), tol=1e-8) == count


def test_the_augmented_system_of_crous() -> None:
    """Eq. 3.4.56: [q̈ᵀ −λᵀ] times the augmented matrix is [Qa − h, Q_d]."""
    loop = CutLoop("revolute", 1)
    u = np.zeros(loop.system.coordinates.n_u)
    walk = loop.system.absolute_method(loop.q, u)
    whole, right = walk["[M C_qᵀ; C_q 0]"], np.ravel(walk["[Qa − h; Q_d]"])
    M, C_q = walk["M"], walk["C_q"]
    np.testing.assert_allclose(whole, np.block([[M, C_q.T], [C_q, np.zeros((len(C_q), len(C_q)))]]), atol=1e-12)
    unknowns = np.concatenate([np.ravel(walk["q̈"]), -np.ravel(walk["λ"])])
    np.testing.assert_allclose(whole @ unknowns, right, atol=1e-9)
