"""Groups of parallel axes, absolute rates, and the size that equations will have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import examples
from exact_systems import arm, pendulum
from float_system import float_system
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.kinematics.parallel_axes import absolute_rates, harmonics_expected, parallel_groups
from gyrostat.kinematics.tree_motion import Tree
from gyrostat.written.exact_trace import exact_trace

QUARTER = [["x", "90*deg"]]
REVOLUTE, PRISMATIC = gs.Revolute, gs.Prismatic


def tree_of(model: gs.Model) -> Tree:
    return exact_trace(gs.formulate(model).coordinates).motion.tree


def row(*joints: Any, parents: list[int] | None = None, parameters: dict[str, float] | None = None) -> Tree:
    return tree_of(row_model(*joints, parents=parents, parameters=parameters))


def row_model(*joints: Any, parents: list[int] | None = None, parameters: dict[str, float] | None = None) -> gs.Model:
    """Return bodies with joints (class, axis, turn of the frame they stand in, options), one after the other."""
    model = gs.Model("row", parameters=parameters or {})
    chosen = parents or [i - 1 for i in range(len(joints))]
    frames: dict[int, dict[str, gs.Frame]] = {i: {} for i in range(-1, len(joints))}
    for i, (_, _, turn, *_) in enumerate(joints):
        frames[chosen[i]][f"f{i}"] = gs.Frame((0.3, 0.2, 0.1), turn)
    name = {-1: "ground", **{i: f"b{i}" for i in range(len(joints))}}
    model.add(gs.Body("ground", frames=frames[-1]))
    for i in range(len(joints)):
        model.add(gs.Body(name[i], mass=1, inertia=(1, 1, 1), frames=frames[i]))
    for i, (kind, axis, _, *options) in enumerate(joints):
        ends = [f"{name[chosen[i]]}.f{i}", name[i]]
        given_options = dict(options[0]) if options else {}
        if given_options.pop("reversed", False):
            ends.reverse()
        if axis:
            given_options["axis"] = axis
        model.add(kind(f"j{i}", *ends, **given_options))
    return model


def test_a_planar_chain_is_one_group() -> None:
    tree = tree_of(pendulum(5))
    assert parallel_groups(tree) == [[0, 1, 2, 3, 4]]
    assert absolute_rates(tree) == [(0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)]


def test_an_arm_has_a_group_for_each_run_of_parallel_axes() -> None:
    tree = tree_of(arm("zyyzyz"))
    assert parallel_groups(tree) == [[0], [1, 2], [3], [4], [5]]
    assert absolute_rates(tree) == [(1, 2)]


@pytest.mark.parametrize(
    ("joints", "groups", "rates"),
    [
        # parallel, though the frame between them is turned
        ([(REVOLUTE, "z", []), (REVOLUTE, "y", QUARTER)], [[0, 1]], [(0, 1)]),
        ([(REVOLUTE, "z", []), (REVOLUTE, "z", QUARTER)], [[0], [1]], []),
        ([(REVOLUTE, "y", []), (REVOLUTE, "z", [["x", "-90*deg"]])], [[0, 1]], [(0, 1)]),
        # antiparallel: one group, and no sum of rates
        ([(REVOLUTE, "z", []), (REVOLUTE, (0, 0, -1), [])], [[0, 1]], []),
        ([(REVOLUTE, "z", []), (REVOLUTE, "z", [["x", "180*deg"]])], [[0, 1]], []),
        ([(REVOLUTE, "z", []), (REVOLUTE, "z", [], {"reversed": True})], [[0, 1]], []),
        # a slide, a weld or a turned weld between hinges changes nothing
        ([(REVOLUTE, "z", []), (PRISMATIC, "x", []), (REVOLUTE, "z", [])], [[0, 2]], [(0, 2)]),
        ([(REVOLUTE, "z", []), (PRISMATIC, "x", QUARTER), (REVOLUTE, "y", [])], [[0, 2]], [(0, 2)]),
        ([(REVOLUTE, "z", []), (PRISMATIC, "x", QUARTER), (REVOLUTE, (0, -1, 0), [])], [[0, 2]], []),
        ([(REVOLUTE, "z", []), (gs.Weld, None, []), (REVOLUTE, "z", [])], [[0, 1]], [(0, 1)]),
        ([(REVOLUTE, "z", []), (gs.Weld, None, QUARTER), (REVOLUTE, "z", [])], [[0], [1]], []),
        # a hinge across or a ball in between separates
        ([(REVOLUTE, "z", []), (REVOLUTE, "x", []), (REVOLUTE, "z", [])], [[0], [1], [2]], []),
        ([(REVOLUTE, "z", []), (gs.Spherical, None, []), (REVOLUTE, "z", [])], [[0], [5]], []),
        # a driven hinge about the same axis keeps the group, about another one separates
        ([(REVOLUTE, "z", []), (REVOLUTE, "z", [], {"driven": "t"}), (REVOLUTE, "z", [])], [[0, 1]], []),
        ([(REVOLUTE, "z", []), (REVOLUTE, "x", [], {"driven": "t"}), (REVOLUTE, "z", [])], [[0], [1]], []),
        # the angles of other joints
        ([(gs.Universal, None, [])], [[0], [1]], []),
        ([(gs.Planar, None, []), (REVOLUTE, "z", [])], [[2, 3]], [(2, 3)]),
        ([(PRISMATIC, "x", [])], [], []),
    ],
)
def test_groups_and_rates(joints: Any, groups: list[list[int]], rates: list[tuple[int, ...]]) -> None:
    tree = row(*joints)
    assert parallel_groups(tree) == groups
    assert absolute_rates(tree) == rates


def test_a_tilt_by_a_parameter_is_not_parallel() -> None:
    tilted, values = [["x", "tilt"]], {"tilt": 0.0}
    assert parallel_groups(row((REVOLUTE, "z", []), (REVOLUTE, "z", tilted), parameters=values)) == [[0], [1]]
    both = row((REVOLUTE, "z", tilted), (REVOLUTE, "z", []), parameters=values)
    assert parallel_groups(both) == [[0, 1]]
    assert parallel_groups(row((REVOLUTE, "x", []), (REVOLUTE, "x", tilted), parameters=values)) == [[0, 1]]


def test_branches() -> None:
    """Siblings with parallel axes share a group; each branch has sums of its own."""
    tree = row(*[(REVOLUTE, "z", [])] * 4, parents=[-1, 0, 0, 2])
    assert parallel_groups(tree) == [[0, 1, 2, 3]]
    assert absolute_rates(tree) == [(0, 1), (0, 2), (0, 2, 3)]
    separate = row(*[(REVOLUTE, "z", [])] * 2, parents=[-1, -1])
    assert parallel_groups(separate) == [[0, 1]]
    assert absolute_rates(separate) == []


kinds = st.sampled_from([REVOLUTE, REVOLUTE, REVOLUTE, PRISMATIC])
axes = st.sampled_from(["z", "z", (0, 0, -2), "x"])
turns = st.sampled_from([[], [], [["z", "30*deg"]], [["x", "180*deg"]], QUARTER, [["y", 0.3]]])
options = st.sampled_from([{}, {}, {"reversed": True}, {"driven": "t"}])


@settings(max_examples=examples(100), deadline=None)
@given(joints=st.lists(st.tuples(kinds, axes, turns, options), min_size=2, max_size=5))
def test_absolute_rates_are_rates_of_bodies(joints: Any) -> None:
    """Turning one hinge of a sum one way and another the other way leaves the last body's attitude as it is."""
    system = float_system(row_model(*joints))
    at_rest = np.zeros(system.n_u)
    q = np.linspace(-1, 2, system.n_u)
    for sums in absolute_rates(system.tree):
        u = at_rest.copy()
        u[sums[0]], u[sums[-1]] = 1.0, -1.0
        joint = system.system.speed_names[sums[-1]].removesuffix(".rate")
        index = system.tree.index_of[joint.replace("j", "b")]
        change = np.array(system.motion(q, u).omega(index)) - np.array(system.motion(q, at_rest).omega(index))
        assert np.abs(change).max() < 1e-12


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (pendulum(1), 5),
        (pendulum(2), 13),
        (pendulum(10), 221),
        (arm("zy"), 25),
        (arm("zyy"), 65),
        (arm("zyyzyz"), 5 * 13 * 5 * 5 * 5),
    ],
)
def test_harmonics_expected(model: gs.Model, expected: int) -> None:
    assert harmonics_expected(tree_of(model)) == expected


@pytest.mark.parametrize(
    ("ends", "joint", "expected"),
    [
        (("ground", "b1"), gs.Spherical, 1),
        (("b1", "ground"), gs.Spherical, 84),
        (("ground", "b1"), gs.Free, 1),
        (("b1", "ground"), gs.Free, 840),
        (("carrier", "b1"), gs.Spherical, 35),
        (("b1", "carrier"), gs.Spherical, 84),
        (("carrier", "b1"), gs.Free, 35),
        (("b1", "carrier"), gs.Free, 840),
    ],
)
def test_euler_parameters_are_polynomials_on_a_sphere(ends: tuple[str, str], joint: Any, expected: int) -> None:
    model = gs.Model("ball")
    model.add(gs.Body("carrier", mass=1))
    model.add(gs.Prismatic("rail", "ground", "carrier"))
    model.add(gs.Body("b1", mass=1, inertia=(1, 1, 1)))
    model.add(joint("j1", *ends))
    assert harmonics_expected(tree_of(model)) == expected
    model.add(gs.Body("b2", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("j2", "b1", "b2"))
    assert harmonics_expected(tree_of(model)) == 5 * expected


def test_harmonics_of_branches_do_not_multiply() -> None:
    branches = row((REVOLUTE, "z", []), (REVOLUTE, "x", []), (REVOLUTE, "y", []), parents=[-1, 0, 0])
    assert harmonics_expected(branches) == 25
    assert harmonics_expected(row((PRISMATIC, "x", []))) == 1
