"""Absolute coordinates of large systems: the cost of an evaluation grows with the number of bodies, no faster."""

from __future__ import annotations

import numpy as np
import pytest
from loop_models import four_bars

import gyrostat as gs
from gyrostat.closing.closing import Closer, _clearly_independent
from gyrostat.recipes import RECIPES, build_function


def _chain(count: int) -> gs.Model:
    model = gs.Model(f"chain of {count}", gravity=(0, -9.81, 0))
    outer = "ground"
    for i in range(count):
        ends = {"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}
        model.add(gs.Body(f"link{i}", gs.rod(1, 1, along="x"), points=ends))
        model.add(gs.Revolute(f"h{i}", outer, f"link{i}.a"))
        outer = f"link{i}.b"
    return model


def _operations(system: gs.System) -> int:
    return int(build_function("rates", RECIPES["guarded_rates"], system.coordinates).n_instructions())


@pytest.mark.parametrize("mechanism", [_chain, four_bars])
def test_operations_grow_with_the_number_of_bodies(mechanism: object) -> None:
    assert callable(mechanism)
    sizes = (25, 50, 100)
    counts = [_operations(gs.formulate(mechanism(size), "absolute")) for size in sizes]
    slopes = np.diff(counts) / np.diff(sizes)
    assert slopes[1] < 1.1 * slopes[0]


def test_a_chain_of_a_hundred_links_falls_as_in_joint_coordinates() -> None:
    system = gs.formulate(_chain(100), "absolute")
    joint = system.in_joint_coordinates
    q, u = system.initial_values()
    found = system.forward_dynamics(q, u)
    expected = joint.forward_dynamics(*joint.initial_values())
    turning = found[[system.speed_names.index(f"link{i}.angle.rate") for i in range(100)]]
    np.testing.assert_allclose(turning, np.cumsum(expected), rtol=1e-8, atol=1e-8)


def test_rows_that_depend_on_each_other_are_not_taken_for_independent() -> None:
    system = gs.formulate(four_bars(30), "absolute")
    closer = Closer(system)
    matrix = closer.at(system.initial_coordinates, system.initial_speeds).matrix * closer.scales
    assert _clearly_independent(matrix, 1e-8)
    twice = np.vstack((matrix, matrix[0] + matrix[5]))
    assert not _clearly_independent(twice, 1e-8)
    near = np.vstack((matrix, matrix[0] + matrix[5] + 1e-9 * np.eye(matrix.shape[1])[3]))
    assert not _clearly_independent(near, 1e-8)
