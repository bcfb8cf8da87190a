"""Kernels as native functions: loaded from the cache of programs, with their arguments checked."""

import os
import subprocess
import sys

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.analysis.kernels.driver import drive
from gyrostat.analysis.kernels.library import polynomial_through
from gyrostat.analysis.kernels.native_kernel import NativeKernel
from gyrostat.analysis.kernels.packing import examples
from gyrostat.analysis.kernels.progress import EVALUATIONS
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.errors import ProgramError
from gyrostat.program.checked_entry import SWITCH

SCRIPT = """
import sys
import gyrostat as gs

model = gs.Model("pendulum", gravity=(0, -9.81, 0))
model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
model.add(gs.Revolute("a", "ground", "bar.top", initial=0.3))
assert gs.simulate(model, 0.1).status.success
print([name for name in ("casadi", "gyrostat.program.translation") if name in sys.modules])
"""


def test_a_second_process_neither_derives_nor_translates():
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


def test_indices_are_checked_where_that_is_asked_for(monkeypatch):
    monkeypatch.setenv(SWITCH, "1")
    through = NativeKernel("multistep", "polynomial_through", int)
    with pytest.raises(ProgramError, match=r"Kernel 'polynomial_through' \(multistep\.py, line \d+\), array "):
        through(np.linspace(0.0, 1.0, 3), np.zeros((3, 1)), np.zeros((1, 1)), np.zeros(3))


@pytest.fixture(scope="module")
def pendulum():
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}))
    model.add(gs.Body("ball", gs.sphere(2, 0.1), points={"top": (0, 0.3, 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top", initial=0.3))
    model.add(gs.Spherical("b", "bar.tip", "ball.top"))
    model.add(gs.TorsionSpring("spring", joint="a", stiffness=3, damping=0.2))
    return gs.formulate(model)


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(rtol=1e-6), gs.RK4(step=0.02), gs.GaussLegendre(step=0.05), gs.Rodas5P(rtol=1e-5)]
)
def test_the_driver_makes_the_same_steps_in_python(pendulum, integrator):
    events = (gs.Event("through", when="a"),)
    problem, plan = Problem(pendulum, integrator, events), InputPlan()
    start = np.concatenate((pendulum.initial_coordinates, [0.5, 0.1, 0.2, 0.3]))
    runs = [problem.run(Segment(0.0, 0.4, {}, plan), 0.0, start, np.linspace(0.1, 0.4, 4))[0] for _ in range(2)]
    steppers = [integrator.stepper(run) for run in runs]

    reason = steppers[0](1000)
    with np.errstate(all="ignore"):
        in_python = drive(*examples(steppers[1].arguments), 1000)

    counts = [run.counts.copy() for run in runs]
    if isinstance(integrator, gs.GaussLegendre):  # it iterates to rounding errors, which contracted products change
        assert abs(counts[0][EVALUATIONS] - counts[1][EVALUATIONS]) <= 0.05 * counts[0][EVALUATIONS]
        counts[0][EVALUATIONS] = counts[1][EVALUATIONS]
    assert (reason, *counts[0]) == (in_python, *counts[1])
    np.testing.assert_allclose(runs[0].y, runs[1].y, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(runs[0].log.states, runs[1].log.states, rtol=1e-10, atol=1e-12)
