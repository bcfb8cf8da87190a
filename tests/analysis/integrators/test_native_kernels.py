"""Kernels as native functions: kept in the cache of programs, loaded without LLVM, careful with their arguments."""

import os
import subprocess
import sys

import numpy as np
import pytest

from gyrostat.analysis.kernels.library import polynomial_through

SCRIPT = """
import sys
import gyrostat as gs

model = gs.Model("pendulum", gravity=(0, -9.81, 0))
model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
model.add(gs.Revolute("a", "ground", "bar.top", initial=0.3))
assert gs.simulate(model, 0.1).status.success
print([name for name in ("casadi", "llvmlite") if name in sys.modules])
"""


def test_a_second_process_simulates_without_llvm():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_bound_arguments_are_the_arrays_themselves():
    nodes, states, found = np.array([0.0, 0.5, 1.0]), np.empty((3, 2)), np.empty((2, 2))
    through = polynomial_through.bind(nodes, states, found)
    for slope, curvature in ((2.0, 3.0), (-1.0, 0.5)):
        states[:] = (slope * nodes + curvature * nodes**2)[:, None]
        through(np.empty(3))
        np.testing.assert_allclose(found, np.array([[slope], [curvature]]) * np.ones(2), atol=1e-14)


def test_arrays_with_gaps_are_refused():
    with pytest.raises(ValueError, match="A kernel needs arrays that are contiguous in memory"):
        polynomial_through(np.zeros(6)[::2], np.zeros((3, 1)), np.zeros((2, 1)), np.zeros(3))
