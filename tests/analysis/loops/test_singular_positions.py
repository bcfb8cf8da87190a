"""Parallelograms that flatten, drift over long runs, and the cost of many loops."""

from functools import cache

import numpy as np
import pytest
from campaign import campaign
from loop_models import four_bar, four_bars, slider_crank
from scipy.integrate import solve_ivp

import gyrostat as gs

TOLERANCES = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13]
STARTS = [(0.0, 1.0), (0.3, 0.0), (1.0, -3.0), (0.0, 6.0), (2.5, 0.4), (1.5, 2.0), (1.57, 2.0), (4.0, -8.0)]
"""Angle and rate of the cranks; the last but one is 8e-4 rad from a flat position."""


@cache
def row_of(count):
    return gs.formulate(four_bars(count))


def stiffness_of(count):
    """Return k of θ̈ = k sin θ, the motion of the cranks: ((N+1)/3 + N) L θ̈ = ((N+1)/2 + N) g sin θ."""
    return ((count + 1) / 2 + count) * 9.81 / ((count + 1) / 3 + count)


@cache
def pendulum(count):
    """Return a pendulum with the same equation of motion as a row of parallelograms."""
    model = gs.Model("pendulum", gravity=(0, -stiffness_of(count) / 1.5, 0))
    model.add(gs.Body("rod", gs.slender_rod(1.0, 1.0, along="y"), points={"a": (0, -0.5, 0)}))
    model.add(gs.Revolute("c0", "ground", "rod.a", axis="-z"))
    return gs.formulate(model)


@cache
def crank_angle(count, start):
    """Return the cranks' angle after 10 s."""
    solution = solve_ivp(
        lambda t, y: [y[1], stiffness_of(count) * np.sin(y[0])],
        (0, 10),
        start,
        method="DOP853",
        rtol=2.3e-14,
        atol=1e-15,
    )
    return float(solution.y[0, -1])


def start_of(count, angle, rate, *, every):
    """Return initial values; only the first crank's rate, or all of them."""
    cranks, couplers = [f"c{i}" for i in range(count + 1)], [f"k{i}" for i in range(count)]
    values = dict.fromkeys(cranks, angle) | dict.fromkeys(couplers, -angle) | {"c0.rate": rate}
    if every:
        values |= {f"{name}.rate": rate for name in cranks} | {f"{name}.rate": -rate for name in couplers}
    return values


PASSAGES = [
    (gs.DOP853, count, tolerance, start, every)
    for count in (1, 2, 5, 10, 40, 100)
    for tolerance in TOLERANCES
    for start in STARTS
    for every in (False, True)
] + [
    (method, count, tolerance, start, every)
    for method, tolerances in ((gs.RKF45, (1e-6, 1e-9, 1e-12)), (gs.Rodas5P, (1e-6, 1e-8)))
    for count in (1, 2, 10)
    for tolerance in tolerances
    for start in STARTS[:3]
    for every in (False, True)
]
FEW = [
    *((gs.DOP853, 2, tolerance, STARTS[0], every) for tolerance in (1e-6, 1e-10, 1e-13) for every in (False, True)),
    *((gs.DOP853, 2, 1e-13, start, True) for start in STARTS[1:3]),
    *((gs.DOP853, 10, 1e-12, STARTS[2], every) for every in (False, True)),
    (gs.DOP853, 10, 1e-13, STARTS[0], True),
    (gs.DOP853, 10, 1e-12, STARTS[6], False),
    (gs.RKF45, 2, 1e-12, STARTS[0], False),
    (gs.Rodas5P, 2, 1e-8, STARTS[0], True),
]


@campaign(PASSAGES, "case", few=FEW)
def test_flattening_parallelograms_keep_their_exact_motion(case):
    method, count, tolerance, (angle, rate), every = case
    integrator = method(rtol=tolerance, atol=tolerance)
    run = gs.simulate(
        row_of(count), duration=10, step=1, initial=start_of(count, angle, rate, every=every), integrator=integrator
    )
    alone = gs.simulate(
        pendulum(count), duration=10, step=1, initial={"c0": angle, "c0.rate": rate}, integrator=integrator
    )
    exact = crank_angle(count, (angle, rate))
    error = abs(float(alone["c0"].values[-1]) - exact)
    assert run.status.success
    assert float(run["c0"].values[-1]) == pytest.approx(exact, abs=max(100 * error, 1e-9))
    assert run.status.steps <= 3 * alone.status.steps


MECHANISMS = {
    "kite": (four_bar(0.6, 1.0, 1.0, 0.6), {"h1": 1.2, "h1.rate": 3.0}, {}),
    "antiparallelogram": (four_bar(1.0, 1.5, 1.0, 1.5), {"h1": 1.0, "h1.rate": 4.0}, {"h2": -2.44, "h3": -1.0}),
    "equal slider-crank": (slider_crank(1.0, 1.0), {"h1": 1.0, "h1.rate": 3.0}, {}),
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_other_mechanisms_pass_singular_positions(name):
    model, given, guess = MECHANISMS[name]
    system = gs.formulate(model)
    start = gs.assemble(system, given, guess=guess).state
    assert name != "antiparallelogram" or start["h2"] < -2
    loose, tight = (
        gs.simulate(system, duration=5, step=5, initial=dict(start), integrator=gs.DOP853(tolerance, tolerance))
        for tolerance in (1e-9, 1e-12)
    )
    assert abs(float(tight["h1"].values[-1])) > 5  # the crank turns
    assert float(loose["h1"].values[-1]) == pytest.approx(float(tight["h1"].values[-1]), abs=1e-6)
    energy = tight.energy()
    assert np.abs(energy.balance.values).max() < 1e-10 * energy.kinetic.values.max()


def test_steps_into_the_neighbourhood_keep_their_order():
    system = gs.formulate(four_bars(1), coordinates="absolute")
    run = gs.simulate(system, duration=5, step=5, initial={"c0.rate": 1.0}, integrator=gs.DOP853(1e-11, 1e-11))
    total = run.energy().total.values
    assert abs(total[-1] - total[0]) < 1e-10  # 4e-9 J where only some stages of a step were projected


def test_outputs_near_a_flat_position_have_the_accuracy_of_steps():
    def run(times):
        integrator = gs.DOP853(1e-11, 1e-11)
        return gs.simulate(row_of(2), times=times, initial={"c0.rate": 1.0}, integrator=integrator)

    course = run(np.linspace(0.0, 1.0, 1001))
    flat = float(np.interp(np.pi / 2, course["c0"].values, course.time))
    near = run(np.array([0.0, *(flat + np.linspace(-2e-5, 2e-5, 41)), 1.0]))
    assert np.abs(np.cos(near["c0"].values)).min() < 1e-5
    assert np.abs(near["c0.rate"].values + near["k0.rate"].values).max() < 1e-8  # 1e-6 if speeds are projected there


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.Rodas5P(), gs.RK4(step=1e-3)])
def test_a_flat_start_does_not_determine_the_motion(integrator):
    initial = start_of(2, np.pi / 2, 1.0, every=True)
    with pytest.warns(gs.GyrostatWarning, match="at a singular position.*constraints of 'x0', 'x1' do not determine"):
        run = gs.simulate(row_of(2), duration=1, initial=initial, integrator=integrator)
    assert run.status.outcome is gs.Outcome.NOT_CLOSED
    assert run.status.time == 0.0


@pytest.mark.parametrize(("longer", "angle"), [(1e-5, 11.62794702), (-1e-6, 1.18684328), (1e-12, 11.65454683)])
def test_branches_that_nearly_meet(longer, angle):
    """Those farther apart than the tolerance turn into each other, in a sharp corner; nearer ones count as meeting."""
    system = gs.formulate(four_bar(1.0, 1.5, 1.0 + longer, 1.5))
    start = gs.assemble(system, {"h1": 1.0, "h1.rate": 4.0}, guess={"h2": -1.0, "h3": 1.0})
    run = gs.simulate(system, duration=2, step=2, initial=dict(start.state), integrator=gs.DOP853(1e-9, 1e-9))
    assert float(run["h1"].values[-1]) == pytest.approx(angle, abs=1e-6)


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


@pytest.mark.filterwarnings("ignore:The simulation of:UserWarning")
@pytest.mark.parametrize("count", [1, 10])
def test_a_row_that_begins_flat_is_told_so(count):
    """Ten parallelograms have a nearer closed position, with the first crank locked: the given speed excludes it."""
    run = gs.simulate(row_of(count), duration=0.1, initial={"c0": np.pi / 2, "c0.rate": 1.0})
    assert not run.status.success
    assert "singular position" in run.status.message
