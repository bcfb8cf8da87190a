"""Parallelograms that flatten, drift over long runs, and the cost of many loops."""

import numpy as np
import pytest
from loop_models import four_bar, four_bars
from scipy.integrate import solve_ivp

import gyrostat as gs


def crank_angle(count, duration):
    """Return the crank's angle of a row of unit parallelograms, which has one freedom."""
    ratio = ((count + 1) / 2 + count) * 9.81 / ((count + 1) / 3 + count)
    solution = solve_ivp(
        lambda t, y: [y[1], ratio * np.sin(y[0])], (0, duration), [0, 1], method="DOP853", rtol=1e-13, atol=1e-13
    )
    return float(solution.y[0, -1])


@pytest.mark.parametrize(
    ("count", "tolerance", "error"), [(1, 1e-8, 1e-5), (1, 1e-11, 1e-8), (5, 1e-10, 1e-6), (10, 1e-12, 1e-6)]
)
def test_flattening_parallelograms_are_passed(count, tolerance, error):
    run = gs.simulate(
        four_bars(count),
        duration=10,
        step=1,
        initial={"c0.rate": 1.0},
        integrator=gs.DOP853(rtol=tolerance, atol=tolerance),
    )
    assert run.status.success
    assert run.status.steps < 500
    assert float(run["c0"].values[-1]) > 20  # several turns, each through two flat positions
    assert float(run["c0"].values[-1]) == pytest.approx(crank_angle(count, 10), abs=error)


def test_energy_is_kept_through_singular_positions():
    run = gs.simulate(four_bars(1), duration=5, step=0.1, initial={"c0.rate": 1.0}, integrator=gs.DOP853(1e-11, 1e-11))
    energy = run.energy()
    assert np.abs(energy.balance.values).max() < 1e-7 * np.ptp(energy.kinetic.values)


def test_loops_stay_closed_over_a_hundred_thousand_steps():
    system = gs.formulate(four_bar(0.4, 1.0, 0.8, 1.0))
    run = gs.simulate(system, duration=100, step=1, initial={"h1": 0.3}, integrator=gs.RK4(step=1e-3))
    assert run.status.steps == 100_000
    program = system.program("constraints")
    found = program.loop(run.rows)
    assert np.abs(found[:, program.output_slice("residuals")]).max() < 1e-10 * system.model_size


@pytest.mark.parametrize("method", [gs.RK2, gs.RK4])
def test_energy_drift_falls_with_the_order(method):
    system = gs.formulate(four_bar(0.4, 1.0, 0.8, 1.0))
    steps = [0.01, 0.005]
    drift = []
    for step in steps:
        energy = gs.simulate(system, duration=2, step=2.0, initial={"h1": 0.3}, integrator=method(step=step)).energy()
        drift.append(abs(float(energy.total.values[-1] - energy.total.values[0])))
    order = np.log2(drift[0] / drift[1])
    assert order > method(step=1.0).tableau.order - 0.4


def test_operations_grow_in_step_with_the_number_of_loops():
    operations = {n: gs.formulate(four_bars(n)).program("rates").operations for n in (4, 8, 16)}
    assert operations[16] - operations[8] == pytest.approx(2 * (operations[8] - operations[4]), rel=0.02)
