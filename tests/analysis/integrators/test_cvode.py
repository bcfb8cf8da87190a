"""CVODE: stiff motions with the exact Jacobian, and failures that preserve the motion so far."""

import builtins
import sys
import warnings

import numpy as np
import pytest
from runs import SWINGING_START, TOP_START, double_pendulum, drive, finish, four_bar, free_top, make_run, stiff_chain

import gyrostat as gs
from gyrostat.analysis.integrators import CVODE, DOP853, Multistep
from gyrostat.analysis.integrators.solver_messages import without_solver_messages
from gyrostat.analysis.kernels.library import polynomial_through
from gyrostat.analysis.kernels.progress import DONE, EVALUATIONS, PAUSED, STIFF_STEPS, UNDERFLOW
from gyrostat.model.formula import Formula

CHAIN_START = (0.5, *[0.0] * 9)


@pytest.fixture(scope="module")
def chain():
    return stiff_chain()


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum()


@pytest.mark.parametrize(("rtol", "error"), [(1e-6, 1e-4), (1e-8, 1e-6), (1e-10, 1e-8)])
def test_a_stiff_chain(rtol, error, chain):
    grid = (0.1, 0.35, 1.0)
    exact = finish(chain, DOP853(rtol=1e-11, atol=1e-13), CHAIN_START, 1.0, grid)
    stiff = finish(chain, CVODE(rtol=rtol, atol=rtol / 100), CHAIN_START, 1.0, grid)
    assert stiff.reason == DONE
    np.testing.assert_allclose(stiff.states, exact.states, atol=error)
    assert stiff.run.counts[EVALUATIONS] < exact.run.counts[EVALUATIONS] / 50


def test_an_explicit_method_knows_that_it_is_held_down(chain, pendulum):
    held = finish(chain, DOP853(), CHAIN_START, 0.2).run
    assert held.counts[STIFF_STEPS] > 0.9 * held.steps
    assert finish(pendulum, DOP853(), SWINGING_START, 5.0).run.counts[STIFF_STEPS] == 0
    assert "gs.Rodas5P()" in DOP853().advice


def test_the_exact_jacobian_is_used(chain):
    finished = finish(chain, CVODE(), CHAIN_START, 1.0)
    assert 1 <= finished.stepper.jacobian_evaluations < finished.run.steps / 10
    # Jacobians by differences would take ten evaluations each
    assert finished.run.counts[EVALUATIONS] < 2 * finished.run.steps


def test_long_chains_have_their_jacobian_column_by_column():
    chain = stiff_chain(30)
    start = (0.5, *[0.0] * 59)
    assert chain.program("rates_jacobian").outputs[0].pattern is None, "all entries are stored"
    rough = finish(chain, CVODE(rtol=1e-6, atol=1e-8), start, 0.2, (0.2,))
    fine = finish(chain, CVODE(rtol=1e-9, atol=1e-11), start, 0.2, (0.2,))
    assert rough.reason == fine.reason == DONE
    assert rough.run.steps < 1000
    np.testing.assert_allclose(rough.states, fine.states, atol=1e-3)


@pytest.mark.parametrize("method", Multistep)
def test_errors_follow_the_tolerance(method, pendulum):
    exact = finish(pendulum, DOP853(rtol=1e-13, atol=1e-14), SWINGING_START, 1.0, (1.0,)).states
    errors = [
        np.abs(finish(pendulum, CVODE(method, rtol=r, atol=r), SWINGING_START, 1.0, (1.0,)).states - exact).max()
        for r in (1e-5, 1e-8, 1e-11)
    ]
    assert errors[0] > 100 * errors[1] > 1e4 * errors[2]


@pytest.mark.parametrize("method", Multistep)
def test_states_within_a_step_are_as_good_as_at_its_ends(method, pendulum):
    tight = CVODE(method, rtol=1e-11, atol=1e-12)
    grid = np.linspace(0.01, 1.0, 500)
    exact = finish(pendulum, DOP853(rtol=1e-13, atol=1e-14), SWINGING_START, 1.0, grid).states
    np.testing.assert_allclose(finish(pendulum, tight, SWINGING_START, 1.0, grid).states, exact, atol=1e-8)


@pytest.mark.parametrize("degree", [1, 5, 12])
def test_the_polynomial_through_samples(degree):
    nodes = 0.5 * (1 - np.cos(np.pi * np.arange(degree + 1) / degree))
    powers = np.random.default_rng(1).standard_normal((degree, 3)) / np.arange(1, degree + 1)[:, None] ** 3
    states = 0.7 + np.array([sum(powers[j] * s ** (j + 1) for j in range(degree)) for s in nodes])
    found = np.empty((degree, 3))
    polynomial_through(nodes, states.copy(), found, np.empty(len(nodes)))
    for theta in np.linspace(0, 1, 23):
        values = [sum(p[j] * theta ** (j + 1) for j in range(degree)) for p in (found, powers)]
        np.testing.assert_allclose(*values, atol=1e-14)


def test_the_length_of_euler_parameters_drifts_without_harm():
    """Loose tolerances let |e| drift; what is seen has unit length, and energy is no worse than the tolerance."""
    top = free_top()
    finished = finish(top, CVODE(rtol=1e-5, atol=1e-7), TOP_START, 200.0, np.linspace(1, 200, 50))
    np.testing.assert_allclose((finished.states[:, :4] ** 2).sum(axis=1), 1.0, atol=1e-14)
    inside = finished.stepper._start
    assert 1e-9 < abs((inside[:4] ** 2).sum() - 1.0) < 0.05
    w, inertia = finished.states[-1, 4:], np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose((inertia * w**2).sum(), (inertia * np.array(TOP_START[4:]) ** 2).sum(), rtol=0.05)


def test_closed_loops_stay_closed():
    """The solver's own states drift off the constraints; it is started anew from states that obey them."""
    system = four_bar()
    found = gs.simulate(system, duration=10, step=0.5, initial={"j1": 1.0}, integrator=CVODE())
    exact = gs.simulate(system, duration=10, step=0.5, initial={"j1": 1.0})
    np.testing.assert_allclose(found["j1"], exact["j1"], atol=1e-3)
    energy = found.energy()["total"]
    assert float(abs(energy - energy[0]).max()) < 1e-4


def test_a_state_changed_between_steps_starts_the_solver_anew(pendulum):
    integrator = CVODE(rtol=1e-10, atol=1e-11)
    run = make_run(pendulum, integrator, SWINGING_START, 2.0, (2.0,))
    go_on = integrator.stepper(run)
    assert go_on(50) == PAUSED
    run.y[:] = SWINGING_START
    run.clock[0] = 1.0
    assert drive(run, go_on) == DONE
    exact = finish(pendulum, DOP853(rtol=1e-12, atol=1e-13), SWINGING_START, 1.0, (1.0,)).states[0]
    np.testing.assert_allclose(run.y, exact, atol=1e-7)


def test_a_parameter_changed_between_steps_is_noticed(pendulum):
    model = gs.Model("slide", gravity=(0, 0, 0), parameters={"f": 1.0})
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Force("push", "cart", ("f", 0, 0)))
    system = gs.formulate(model)
    integrator = CVODE()
    run = make_run(system, integrator, (0.0, 0.0), 1.0)
    go_on = integrator.stepper(run)
    assert go_on(3) == PAUSED
    before = run.time
    run.x[3] = 5.0
    assert drive(run, go_on) == DONE
    assert run.y[1] == pytest.approx(before + 5.0 * (1.0 - before))


def test_a_motion_that_runs_away_underflows_and_keeps_what_it_has(capfd):
    """ẍ = 6 x² reaches infinity at t = 1: x = 1/(1 − t)²."""
    model = gs.Model("runaway", gravity=(0, 0, 0))
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Actuator("push", "x"))
    system = gs.formulate(model)
    feedback = {"push": Formula.of("6*x**2")}
    integrator = CVODE()
    run = make_run(system, integrator, (1.0, 2.0), 2.0, (0.5, 1.5))
    run.rates_program = lambda: system.program("rates", inputs=feedback)
    run.jacobian = lambda: system.program("rates_jacobian", inputs=feedback)
    assert drive(run, integrator.stepper(run)) == UNDERFLOW
    assert run.time == pytest.approx(1.0, abs=1e-3)
    assert run.log.states[0, 0] == pytest.approx(4.0, rel=1e-5)
    captured = capfd.readouterr()
    assert captured.out == captured.err == "", "the solver says nothing by itself"


def test_exceptions_in_functions_that_the_solver_calls_come_through(pendulum):
    """An interrupt inside a step leaves the run at the last good step, from which it goes on."""
    integrator = CVODE(rtol=1e-9, atol=1e-10)
    run = make_run(pendulum, integrator, SWINGING_START, 1.0, (1.0,))
    program, calls = run.rates, [0]

    class Interrupted:
        input_buffer, output_buffer = program.input_buffer, program.output_buffer
        address = program.address

        def __call__(self, source, target):
            calls[0] += 1
            if calls[0] == 100:
                raise KeyboardInterrupt
            program(source, target)

    interrupted = Interrupted()
    run.rates_program = lambda: interrupted
    go_on = integrator.stepper(run)
    with pytest.raises(KeyboardInterrupt):
        drive(run, go_on)
    assert 0 < run.time < 1
    assert run.steps > 10
    assert drive(run, go_on) == DONE
    exact = finish(pendulum, DOP853(rtol=1e-12, atol=1e-13), SWINGING_START, 1.0, (1.0,)).states[0]
    np.testing.assert_allclose(run.log.states[0], exact, atol=1e-5)


def test_settings_are_checked():
    with pytest.raises(gs.StateError, match=r"CVODE\(method='rk'\): the method must be 'bdf' or 'adams'"):
        CVODE("rk")
    with pytest.raises(gs.StateError, match=r"CVODE\(largest_order=6\): the order of BDF is 1 to 5"):
        CVODE(largest_order=6)
    assert CVODE("adams", largest_order=12).method is Multistep.ADAMS


def test_lower_orders_take_more_steps(pendulum):
    steps = [finish(pendulum, CVODE(rtol=1e-6, largest_order=k), SWINGING_START, 1.0).run.steps for k in (1, 2, 5)]
    assert steps[0] > 3 * steps[1] > 3 * steps[2]


def test_the_largest_step_is_kept(pendulum):
    run = finish(pendulum, CVODE(rtol=1e-3, atol=1e-3, largest_step=1e-3), SWINGING_START, 1.0).run
    assert run.steps >= 1000
    assert np.diff(run.log.checkpoint_times[: run.steps]).max() <= 1e-3 * (1 + 1e-9)


def test_without_sundials_the_error_says_what_to_install(pendulum, monkeypatch):
    original = builtins.__import__

    def refuse(name, *arguments, **options):
        if name.startswith("sksundae"):
            raise ImportError(name)
        return original(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(gs.StateError, match=r"pip install scikit-sundae"):
        CVODE().stepper(make_run(pendulum, CVODE(), SWINGING_START, 1.0))


def test_only_the_solver_is_silenced(capsys):
    with without_solver_messages():
        print("before")
        print("\n[CVode, Error: -4] At t = 1 the corrector convergence test failed repeatedly.\n")
        print("after", flush=True)
        assert sys.stdout.isatty() is False
    assert capsys.readouterr().out == "before\nafter\n"


@pytest.mark.parametrize("method", ["bdf", "adams"])
@pytest.mark.parametrize(("height", "speed"), [(1.0, 0.0), (0.0, 1e-3), (0.0, 1e-6), (1e-16, 1e-9)])
def test_bounces_lower_than_the_tolerance_do_not_pass_the_floor(method: str, height: float, speed: float) -> None:
    model = gs.Model("ball", gravity=(0, 0, -9.81))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z"))
    hit = gs.Event("hit", when="h", direction="falling", action=gs.Restitution(0.7, "h"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        initial, integrator = {"h": height, "h.rate": speed}, gs.CVODE(method=method)
        run = gs.simulate(model, 3.0, step=0.01, initial=initial, integrator=integrator, events=[hit])
    assert run["h"].values.min() > -1e-12
    assert run["h"].values[-1] == 0
    assert any("infinitely many accumulate" in note for note in run.status.notes)
