"""Recursions on links that share coordinates, against the same tree with a coordinate for each joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from campaign import campaign
from numpy.typing import NDArray

import gyrostat as gs
from gyrostat.equations import articulated_body, composite_body, momentum, newton_euler
from gyrostat.equations.velocity_transformation import velocity_transformation
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import Tree, TreeMotion, build_tree

Floats = NDArray[np.float64]


def _random_tree(rng: np.random.Generator) -> Tree:
    """Return a random spatial tree: a base on a spherical joint, then links on cylindrical joints."""
    model = gs.Model("tree", gravity=tuple(rng.normal(size=3) * 5))
    size = int(rng.integers(4, 8))
    for i in range(size):
        inertia = rng.uniform(0.2, 0.3, 3)
        com, point = (tuple(rng.normal(size=3) * 0.4) for _ in range(2))
        model.add(gs.Body(f"b{i}", mass=rng.uniform(0.5, 2), inertia=tuple(inertia), com=com, points={"p": point}))
        parent = "ground" if i == 0 else f"b{rng.integers(0, i)}.p"
        kind = gs.Revolute if i == 0 else gs.Cylindrical
        model.add(kind(f"j{i}", parent, f"b{i}", axis=tuple(rng.normal(size=3))))
        if i:
            end = ("b0", (0.1, 0.2, 0.3))
            model.add(gs.SpringDamper(f"s{i}", end, f"b{i}.p", stiffness=3, damping=0.5, length=0.3))
    return build_tree(gs.formulate(model).coordinates, model.evaluator())


def _shared(tree: Tree, rng: np.random.Generator) -> tuple[Tree, Floats]:
    """Return the tree with joints that share their coordinates, and the 0/1 matrix S with full = S shared."""
    carriers = {link.parent for link in tree.links}
    base = int(rng.choice([i for i in carriers if i >= 0]))
    within = [i for i in range(len(tree.links)) if base in _path(tree, i)[1:]]
    group = sorted(rng.choice(within, size=rng.integers(1, len(within) + 1), replace=False).tolist())
    # links of the group reach its base through the group alone, as the sections of a flexible body do
    closed = sorted({j for i in group for j in _path(tree, i) if base in _path(tree, j)[1:]})
    S = np.eye(tree.coordinates.n_u)
    links = list(tree.links)
    first = links[closed[0]].layout
    for i in closed[1:]:
        for place, old in zip(first.speeds, links[i].layout.speeds, strict=True):
            assert isinstance(place, int)
            assert isinstance(old, int)
            S[old, old], S[old, place] = 0, 1
        links[i] = replace(links[i], layout=first)
    return replace(tree, links=tuple(links)), S


def _path(tree: Tree, index: int) -> list[int]:
    path = []
    while index >= 0:
        path.append(index)
        index = tree.links[index].parent
    return path


def _mass_matrix(motion: TreeMotion) -> Floats:
    M = np.zeros((motion.tree.coordinates.n_u,) * 2)
    for (i, j), entry in composite_body.mass_matrix(motion).items():
        M[i, j] = M[j, i] = float(entry)
    return M


@campaign(200)
def test_recursions_on_shared_coordinates_are_those_of_the_full_tree_projected(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = _random_tree(rng)
    shared, S = _shared(tree, rng)
    used = np.flatnonzero(S.any(axis=0))
    n = tree.coordinates.n_u
    q, u, rates = (S @ (rng.normal(size=n)) for _ in range(3))
    full, one = tree.at(MotionState(q, u)), shared.at(MotionState(q, u))

    M = _mass_matrix(full)
    np.testing.assert_allclose(_mass_matrix(one)[np.ix_(used, used)], (S.T @ M @ S)[np.ix_(used, used)], atol=1e-9)
    loads = np.array(newton_euler.inverse_dynamics(full, rates), dtype=float)
    found = np.array(newton_euler.inverse_dynamics(one, rates), dtype=float)
    np.testing.assert_allclose(found[used], (S.T @ loads)[used], atol=1e-9)
    momenta = np.array(momentum.generalized_momenta(one), dtype=float)
    np.testing.assert_allclose(momenta[used], (S.T @ M @ u)[used], atol=1e-9)

    transformation = velocity_transformation(one)
    by_blocks = np.array(transformation.mass_matrix(), dtype=float)
    np.testing.assert_allclose(by_blocks[np.ix_(used, used)], (S.T @ M @ S)[np.ix_(used, used)], atol=1e-9)
    bias = np.array(newton_euler.inverse_dynamics(one, np.zeros(n)), dtype=float)
    np.testing.assert_allclose(np.array(transformation.forcing(), dtype=float)[used], -bias[used], atol=1e-9)

    expected = np.linalg.solve((S.T @ M @ S)[np.ix_(used, used)], -bias[used])
    found = np.array(articulated_body.forward_dynamics(one), dtype=float)
    np.testing.assert_allclose(found[used], expected, rtol=1e-8, atol=1e-8)
    factor = composite_body.factorise(one, composite_body.mass_matrix(one))
    solved = replace(factor, inverse=dict.fromkeys(range(n), 0) | dict(factor.inverse)).solve(list(-bias))
    np.testing.assert_allclose(np.array(solved, dtype=float)[used], expected, rtol=1e-8, atol=1e-8)
