"""Rows to lanes and back: any number of rows and columns, nothing read or written beside them."""

from __future__ import annotations

import ctypes

import casadi
import numpy as np
import pytest

from gyrostat.program import host_target
from gyrostat.program.graph import read_graph
from gyrostat.program.native import LoadedObject, object_code
from gyrostat.program.native_engine import _LOOP
from gyrostat.program.writer import write_module

WIDTHS = [lanes for lanes in (2, 4, 8) if lanes <= host_target().lanes]


def batch_function(inputs: int, outputs: int, lanes: int) -> tuple[LoadedObject, ctypes._CFuncPtr]:
    """Return native code that puts the first columns in the opposite order, `lanes` rows at a time."""
    x = casadi.SX.sym("x", inputs)
    function = casadi.Function("f", [x], [x[:outputs][::-1]], ["x"], ["y"])
    target = host_target()
    ir = write_module(read_graph(function), target, lanes=lanes)
    native = LoadedObject(object_code(ir, target, optimisation=2), target)
    return native, _LOOP(native.address("gyrostat_batch"))


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("part", ["fewer than lanes", "lanes", "more than lanes", "twice", "several"])
def test_all_numbers_of_rows_and_columns(lanes: int, part: str) -> None:
    columns = {
        "fewer than lanes": (lanes - 1, 1),
        "lanes": (lanes, lanes),
        "more than lanes": (lanes + 1, lanes - 1),
        "twice": (2 * lanes, lanes + 1),
        "several": (3 * lanes - 1, 2 * lanes - 1),
    }
    inputs, outputs = columns[part]
    native, batch = batch_function(inputs, outputs, lanes)
    for count in range(3 * lanes + 2):
        rows = np.random.default_rng(count).normal(size=(count, inputs))
        block = np.full(count * outputs + 2 * lanes, 7.0)
        found = block[lanes : lanes + count * outputs].reshape(count, outputs)
        batch(rows.ctypes.data, found.ctypes.data, count)
        np.testing.assert_array_equal(found, rows[:, :outputs][:, ::-1])
        np.testing.assert_array_equal(np.delete(block, np.s_[lanes : lanes + count * outputs]), np.full(2 * lanes, 7.0))
    assert native.address("gyrostat_batch")


@pytest.mark.parametrize("lanes", WIDTHS)
def test_columns_change_places_by_shuffles(lanes: int) -> None:
    x = casadi.SX.sym("x", lanes)
    for outputs, shuffled in ((lanes, 2), (lanes - 1, 1)):
        graph = read_graph(casadi.Function("f", [x], [x[:outputs]], ["x"], ["y"]))
        text = write_module(graph, host_target(), lanes=lanes)
        stages = lanes.bit_length() - 1
        assert text.count("shufflevector") == shuffled * stages * lanes
