"""Jacobians by columns of several trees: one direction serves all columns without a common row."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.program import column_groups
from gyrostat.program.columns import ColumnGroups
from gyrostat.recipes import compiled

COUNT = 18


def sliding_masses() -> gs.System:
    """Return masses on slides in a row, joined by hard springs with dampers, and a state that the last one drives."""
    model = gs.Model("masses in a row")
    for i in range(COUNT):
        model.add(gs.Body(f"m{i}", gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"m{i}", axis="x"))
        left = f"x{i - 1}" if i else "0"
        rate = f"x{i - 1}.rate" if i else "0"
        load = f"1e3*({left} - x{i}) + 1e3*({left} - x{i})**3 + 40*({rate} - x{i}.rate)"
        ends = {"reaction": f"m{i - 1}"} if i else {}
        model.add(gs.Force(f"f{i}", f"m{i}", (load, 0, 0), **ends))
    model.add(gs.State("y", rate=f"-50*y + x{COUNT - 1}"))
    return gs.formulate(model)


def test_groups_of_random_patterns_share_no_row() -> None:
    draw = np.random.default_rng(4)
    for n in (1, 5, 30):
        matrix = np.where(draw.random((n, n)) < 0.15, draw.normal(size=(n, n)), 0.0)
        rows, columns = (axis.astype(np.int64) for axis in np.nonzero(matrix))
        groups = ColumnGroups.of(rows, columns, n)
        products = groups.seeds @ matrix.T
        found = np.zeros_like(matrix)
        found[groups.rows, groups.columns] = products[groups.group_of[groups.columns], groups.rows]
        np.testing.assert_allclose(found, matrix, rtol=1e-14)
        assert groups.seeds.sum(axis=0).tolist() == [1.0] * n


def test_a_row_of_masses_takes_few_directions_and_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    integrator = gs.Rodas5P(rtol=1e-7, atol=1e-9)
    whole = gs.simulate(sliding_masses(), duration=0.5, initial={"x0": 0.1}, integrator=integrator)
    monkeypatch.setattr(compiled, "_LONGEST_SOLUTION", 0)
    system = sliding_masses()
    groups = column_groups(system.program("rates_jacobian"))
    assert groups is not None
    assert len(groups.seeds) <= 8 < 2 * COUNT
    grouped = gs.simulate(system, duration=0.5, initial={"x0": 0.1}, integrator=integrator)
    assert grouped.status.steps == whole.status.steps
    np.testing.assert_allclose(grouped.q, whole.q, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(grouped["y"], whole["y"], rtol=1e-9, atol=1e-12)


def test_one_tree_has_no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_LONGEST_SOLUTION", 0)
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(1.0, 1.0, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top"))
    assert column_groups(gs.formulate(model).program("rates_jacobian")) is None
