"""Jacobians column by column: values for one state and for many, threads, copies, messages."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import casadi
import numpy as np
import pytest

import gyrostat.program as gp
from gyrostat.errors import ProgramError

N = 11


def _function() -> Any:
    x, k = casadi.SX.sym("x", N), casadi.SX.sym("k")
    y = casadi.vertcat(casadi.sin(x[0] * x[1]) + k * x[2] ** 3, casadi.sumsqr(x), x[N - 1] * casadi.exp(k * x[0]))
    return casadi.Function("f", [k, x], [y], ["k", "x"], ["y"])


@pytest.fixture(scope="module")
def along() -> gp.Program:
    return gp.compile_program(gp.directional(_function(), "y", "x"))


@pytest.fixture(scope="module")
def columns(along: gp.Program) -> gp.Program:
    return gp.jacobian_by_columns(along, "jacobian_of_f", ["seed_x"])


def _expected(vector: Any) -> Any:
    function = gp.jacobian(_function(), "y", "x")
    return function(vector[0], vector[1:]).full()


def test_one_state(columns: gp.Program) -> None:
    vector = np.random.default_rng(0).normal(size=1 + N)
    found = columns.evaluate({"k": vector[0], "x": vector[1:]})["jacobian"]
    assert found.shape == (3, N)
    np.testing.assert_allclose(found, _expected(vector), rtol=1e-13, atol=1e-14)
    assert [port.name for port in columns.inputs] == ["k", "x"]
    assert columns.native


@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_many_states(columns: gp.Program, count: int) -> None:
    rows = np.random.default_rng(1).normal(size=(count, 1 + N))
    for found in (columns.loop(rows), columns.batch(rows)):
        assert found.shape == (count, 3 * N)
        for row, result in zip(rows, found, strict=True):
            np.testing.assert_allclose(result.reshape(N, 3).T, _expected(row), rtol=1e-13, atol=1e-14)


def test_many_threads(columns: gp.Program) -> None:
    rows = np.random.default_rng(2).normal(size=(64, 1 + N))
    alone = columns.loop(rows)
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda row: columns.loop(row[None])[0], rows))
    np.testing.assert_array_equal(together, alone)


def test_copies(columns: gp.Program) -> None:
    rows = np.random.default_rng(3).normal(size=(2, 1 + N))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(columns)).loop(rows), columns.loop(rows))


def test_there_is_no_address(columns: gp.Program) -> None:
    with pytest.raises(ProgramError, match=r"The Jacobian of 'dir_f' is evaluated column by column and has no native"):
        _ = columns.address


@pytest.mark.parametrize("seeds", [["seed_k"], ["x", "seed_k"]])
def test_seeds_are_the_last_inputs(along: gp.Program, seeds: list[str]) -> None:
    with pytest.raises(ProgramError, match=r"Program 'dir_f' does not end in the inputs .*seed_k, or has two outputs"):
        gp.jacobian_by_columns(along, "jacobian", seeds)
