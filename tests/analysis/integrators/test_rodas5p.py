"""Rodas5P: stiff trees, inputs with exact derivatives, rotations, failures that keep the motion so far."""

import pickle

import numpy as np
import pytest
from runs import SWINGING_START, TOP_START, double_pendulum, drive, finish, free_top, make_run, stiff_chain

import gyrostat as gs
from gyrostat.analysis.integrators import DOP853, Rodas5P
from gyrostat.analysis.kernels.progress import DONE, EVALUATIONS, PAUSED, REJECTED
from gyrostat.program.warning import GyrostatWarning

CHAIN_START = (0.5, *[0.0] * 9)
EXACT = DOP853(rtol=1e-12, atol=1e-13)


@pytest.fixture(scope="module")
def chain():
    return stiff_chain()


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum()


def slider(*elements, **options):
    """Return a mass of one kilogram on a slide, without gravity."""
    model = gs.Model("slider", gravity=(0, 0, 0), **options)
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    for element in elements:
        model.add(element)
    return model


@pytest.mark.parametrize(("rtol", "error"), [(1e-5, 1e-4), (1e-7, 1e-6), (1e-9, 1e-8)])
def test_a_stiff_chain(rtol, error, chain):
    grid = (0.1, 0.35, 1.0)
    exact = finish(chain, DOP853(rtol=1e-11, atol=1e-13), CHAIN_START, 1.0, grid)
    stiff = finish(chain, Rodas5P(rtol=rtol, atol=rtol / 100), CHAIN_START, 1.0, grid)
    assert stiff.reason == DONE
    np.testing.assert_allclose(stiff.states, exact.states, atol=error)
    assert stiff.run.counts[EVALUATIONS] < exact.run.counts[EVALUATIONS] / 50
    within = len(grid) - 1  # outputs within a step take an evaluation each
    assert stiff.run.counts[EVALUATIONS] == 8 * stiff.run.steps + 7 * stiff.run.counts[REJECTED] + within


def test_order_where_damping_is_beyond_all_steps():
    """Prothero and Robinson's problem: a damper of 10⁶ N·s/m drags the block along sin t, from which it starts."""
    system = gs.formulate(slider(gs.Force("drag", "block", ("-1e6*(x.rate - cos(t)) - sin(t)", 0, 0))))
    errors = []
    for h in (0.2, 0.1, 0.05):
        states = finish(system, Rodas5P(step=h), (0.0, 1.0), 2.0, (2.0,)).states[0]
        errors.append(abs(states[0] - np.sin(2.0)))
    assert errors[-1] < 1e-7
    assert np.log2(errors[0] / errors[2]) / 2 > 3.7


def test_long_chains_have_their_jacobian_column_by_column():
    long = stiff_chain(30)
    start = (0.5, *[0.0] * 59)
    assert long.program("rates_jacobian").outputs[0].pattern is None, "all entries are stored"
    rough = finish(long, Rodas5P(rtol=1e-5, atol=1e-7), start, 0.2, (0.2,))
    fine = finish(long, Rodas5P(rtol=1e-9, atol=1e-11), start, 0.2, (0.2,))
    assert rough.reason == fine.reason == DONE
    assert rough.run.steps < 60
    np.testing.assert_allclose(rough.states, fine.states, atol=1e-5)


def test_agreement_with_an_explicit_method_at_tight_tolerances(pendulum):
    grid = np.linspace(0.5, 5, 10)
    exact = finish(pendulum, EXACT, SWINGING_START, 5.0, grid).states
    found = finish(pendulum, Rodas5P(rtol=1e-12, atol=1e-13), SWINGING_START, 5.0, grid).states
    np.testing.assert_allclose(found, exact, atol=1e-8)


def test_errors_follow_the_tolerance(pendulum):
    exact = finish(pendulum, EXACT, SWINGING_START, 1.0, (1.0,)).states
    errors = [
        np.abs(finish(pendulum, Rodas5P(rtol=r, atol=r), SWINGING_START, 1.0, (1.0,)).states - exact).max()
        for r in (1e-4, 1e-7, 1e-10)
    ]
    assert errors[0] > 100 * errors[1] > 1e4 * errors[2]


def test_rotations_with_strong_dampers():
    """A heavy top on a ball joint full of oil sinks slowly: the damper's time is a thousandth of the motion's."""
    model = gs.Model("top in oil", gravity=(0, 0, -9.81))
    model.add(gs.Body("body", mass=1.0, inertia=(0.02, 0.03, 0.01), com=(0, 0, 0.2)))
    model.add(gs.Spherical("s", "ground", "body"))
    model.add(gs.Torque("oil", "body", ("-50*s.w1", "-40*s.w2", "-60*s.w3"), axes="body"))
    system = gs.formulate(model)
    start = {"s.e0": np.cos(0.3), "s.e1": np.sin(0.3), "s.e2": 0.0, "s.e3": 0.0, "s.w3": 3.0}
    found = gs.simulate(system, 20, step=5, initial=start, integrator=Rodas5P(rtol=1e-9, atol=1e-11))
    with pytest.warns(GyrostatWarning, match="the system is stiff"):
        exact = gs.simulate(system, 20, step=5, initial=start, integrator=DOP853(rtol=1e-9, atol=1e-11))
    np.testing.assert_allclose(found.q, exact.q, atol=1e-8)
    np.testing.assert_allclose((found.q**2).sum(axis=1), 1.0, atol=1e-14)
    assert found.status.evaluations < exact.status.evaluations / 20


def test_a_free_top_turns_over_as_it_should():
    grid = np.linspace(0.5, 20, 20)
    top = free_top()
    exact = finish(top, EXACT, TOP_START, 20.0, grid).states
    found = finish(top, Rodas5P(rtol=1e-10, atol=1e-11), TOP_START, 20.0, grid).states
    np.testing.assert_allclose(found, exact, atol=1e-7)


SPLINE = gs.Table(np.linspace(0, 2, 9), np.sin(2 * np.linspace(0, 2, 9)), "cubic")
INPUTS = {
    "a formula of time": "sin(5*t)",
    "feedback as a formula": "-3*x - x.rate**3 + cos(t)",
    "a table": SPLINE,
    "a table with kinks": gs.Table([0, 0.5, 1.1, 2], [0, 3, -1, 2]),
    "a function of time": lambda t: float(np.sin(5 * t)),
    "a function of time and state": lambda t, state: float(np.cos(t) - 3 * state["x"] - state["x.rate"] ** 3),
}


@pytest.mark.parametrize("name", INPUTS)
def test_inputs_of_all_kinds_keep_the_order(name):
    """The slopes of inputs with time and state are known: otherwise the order would fall to one or two."""
    system = gs.formulate(slider(gs.TorsionSpring("spring", "x", 4.0, 0.3), gs.Actuator("push", "x")))
    known = {"initial": {"x": 1.0}, "inputs": {"push": INPUTS[name]}, "duration": 2.0, "step": 2.0}
    exact = gs.simulate(system, **known, integrator=DOP853(rtol=1e-13, atol=1e-13)).u[-1]
    errors = [
        float(np.abs(gs.simulate(system, **known, integrator=Rodas5P(step=h)).u[-1] - exact).max()) for h in (0.2, 0.1)
    ]
    assert errors[1] < 3e-5
    if "kinks" in name:
        return  # breaks make steps of other lengths
    order = 3 if name == "a table" else 5  # a spline is smooth up to its second derivative
    assert np.log2(errors[0] / errors[1]) > order - 0.7


def test_a_motion_given_to_a_joint_is_felt_with_its_rate():
    """A pendulum on a support that is driven: the explicit time is in the mechanics, not in loads."""
    model = gs.Model("shaken pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("s", "ground", "cart", axis="x", driven="0.3*sin(4*t)"))
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a", "cart", "bar.top"))
    system = gs.formulate(model)
    exact = gs.simulate(system, 2, step=2, initial={"a": 0.4}, integrator=EXACT).q[-1]
    errors = [
        np.abs(gs.simulate(system, 2, step=2, initial={"a": 0.4}, integrator=Rodas5P(step=h)).q[-1] - exact).max()
        for h in (0.05, 0.025)
    ]
    assert np.log2(errors[0] / errors[1]) > 4.5


def test_a_state_changed_between_steps_is_taken_up(pendulum):
    integrator = Rodas5P(rtol=1e-10, atol=1e-11)
    run = make_run(pendulum, integrator, SWINGING_START, 2.0, (2.0,))
    go_on = integrator.stepper(run)
    assert go_on(20) == PAUSED
    run.y[:] = SWINGING_START
    run.clock[0] = 1.0
    assert drive(run, go_on) == DONE
    exact = finish(pendulum, EXACT, SWINGING_START, 1.0, (1.0,)).states[0]
    np.testing.assert_allclose(run.y, exact, atol=1e-8)


def test_a_run_from_a_checkpoint_is_the_same_to_the_bit(chain):
    integrator = Rodas5P(rtol=1e-6, atol=1e-8)
    whole = finish(chain, integrator, CHAIN_START, 1.0, (1.0,)).run
    for place in (1, whole.steps // 2):
        log = whole.log
        again = make_run(
            chain, integrator, log.checkpoint_states[place], 1.0, (1.0,), start=log.checkpoint_times[place]
        )
        again.clock[1] = log.checkpoint_steps[place]
        assert drive(again, integrator.stepper(again)) == DONE
        np.testing.assert_array_equal(again.y, whole.y)


def test_events_of_a_stiff_motion_are_located(chain):
    """The chain sinks through an angle; a tight explicit run knows when."""
    exact = finish(chain, DOP853(rtol=1e-11, atol=1e-13), CHAIN_START, 1.0, events={"sunk": "j0 - 0.4"}).run
    found = finish(chain, Rodas5P(rtol=1e-9, atol=1e-11), CHAIN_START, 1.0, events={"sunk": "j0 - 0.4"}).run
    count = int(exact.counts[5])
    assert int(found.counts[5]) == count >= 1
    np.testing.assert_allclose(found.log.event_times[:count], exact.log.event_times[:count], atol=1e-7)


def test_a_motion_that_explodes_ends_at_its_pole():
    # x″ = 2 x³ with x = x′ = 1 at the start has the solution 1/(1 − t)
    model = slider(gs.Force("push", "block", ("2*x**3", 0, 0)))
    with pytest.warns(GyrostatWarning, match="the step fell below"):
        motion = gs.simulate(model, 5, initial={"x": 1, "x.rate": 1}, step=0.1, integrator=Rodas5P())
    assert motion.status.outcome is gs.Outcome.STEP_UNDERFLOW
    assert "tolerances below rtol=1e-08 and atol=1e-10" in motion.status.message
    assert motion.status.time == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(motion["x"][:10], 1 / (1 - motion.time[:10]), rtol=1e-6)


def test_a_slope_that_is_not_finite_ends_the_run():
    """A force of √x at x = 0 is finite, its slope is not."""
    model = slider(gs.Force("push", "block", ("1 + sqrt(x)", 0, 0)))
    with pytest.warns(GyrostatWarning, match="ended at t = 0 s"):
        motion = gs.simulate(model, 1, initial={"x": 0.0}, integrator=Rodas5P())
    assert motion.status.outcome is gs.Outcome.NON_FINITE
    assert "their Jacobian is not, as that of sqrt(x) at zero" in motion.status.message


def test_interrupts_keep_what_was_reached():
    """An input that fails after a while: the trajectory has what came before, and says why it ended."""

    def push(t):
        if t > 0.5:
            raise ValueError("no more")
        return 1.0

    model = slider(gs.Actuator("push", "x"))
    with pytest.raises(ValueError, match="no more") as caught:
        gs.simulate(model, 1, step=0.1, inputs={"push": push}, integrator=Rodas5P())
    motion = caught.value.trajectory
    assert motion.status.outcome is gs.Outcome.INPUT_FAILED
    assert 0.4 < motion.status.time <= 0.5
    np.testing.assert_allclose(motion["x"], 0.5 * motion.time**2, atol=1e-9)


def test_the_largest_step_is_kept(pendulum):
    run = finish(pendulum, Rodas5P(rtol=1e-3, atol=1e-3, largest_step=1e-2), SWINGING_START, 1.0).run
    assert run.steps >= 100
    assert np.diff(run.log.checkpoint_times[: run.steps]).max() <= 1e-2 * (1 + 1e-9)


def test_the_starting_step_is_taken(pendulum):
    run = make_run(pendulum, Rodas5P(starting_step=1e-4), SWINGING_START, 1.0)
    Rodas5P(starting_step=1e-4).stepper(run)(1)
    assert run.log.checkpoint_steps[0] == 1e-4


@pytest.mark.parametrize("field", ["rtol", "atol", "step", "largest_step", "starting_step"])
@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), "small", True])
def test_settings_must_be_positive_numbers(field, value):
    with pytest.raises(gs.StateError, match=rf"Rodas5P\({field}=.*\): the {field} must be a positive number"):
        Rodas5P(**{field: value})


def test_it_can_be_sent_to_workers():
    integrator = Rodas5P(rtol=1e-5, largest_step=0.1)
    assert pickle.loads(pickle.dumps(integrator)) == integrator


def test_sweeps_take_it(chain):
    found = gs.sweep(
        chain,
        {"j0": [0.2, 0.5]},
        gs.Simulation(0.5, integrator=Rodas5P(rtol=1e-7, atol=1e-9), outputs=["minimum(j0)"]),
        workers=1,
    )
    for start, end in zip((0.2, 0.5), found["minimum(j0)"].values, strict=True):
        run = gs.simulate(chain, 0.5, initial={"j0": start}, integrator=Rodas5P(rtol=1e-10, atol=1e-12))
        assert float(end) == pytest.approx(float(run["j0"][-1]), abs=1e-6)


def test_its_region_of_stability_is_no_closed_curve():
    with pytest.raises(gs.StateError, match="Rodas5P has no region of stability of one step"):
        gs.stability_boundary(Rodas5P())


@pytest.mark.parametrize("coordinates", ["absolute", "branch"])
def test_constrained_systems_whose_speeds_move_no_mass(coordinates: str) -> None:
    """A point mass has no inertia against turning, which joints prevent in absolute coordinates."""
    model = gs.Model("swing", gravity=(0, -9.81, 0))
    model.add(gs.Body("bob", gs.point_mass(2.0), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("a", "ground", "bob.top", initial={"angle": 1.0}))
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "bob", "cart", axis="x", initial={"displacement.rate": 0.2}))
    model.add(gs.JointSpring("k", "x", 10.0))
    runs = [
        gs.simulate(gs.formulate(model, choice), 2, step=0.5, integrator=gs.Rodas5P(rtol=1e-9, atol=1e-9))
        for choice in ("joint", coordinates)
    ]
    for output in ("bob.x", "cart.y", "a.rate"):
        np.testing.assert_allclose(runs[1][output], runs[0][output], atol=1e-6)
