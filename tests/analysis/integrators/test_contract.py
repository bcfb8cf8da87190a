"""The contract of all integrators."""

import numpy as np
import pytest
from cases import at_times, case
from runs import (
    PENDULUM_START,
    PENDULUM_TIMES,
    SWINGING_START,
    TOP_START,
    double_pendulum,
    drive,
    finish,
    free_top,
    make_run,
)

import gyrostat as gs
from gyrostat.analysis.integrators import (
    CVODE,
    DOP853,
    RK2,
    RK4,
    RKF45,
    Euler,
    GaussLegendre,
    Integrator,
    Rodas4,
    Rodas5P,
    RotationUpdate,
)
from gyrostat.analysis.integrators import (
    run as run_module,
)
from gyrostat.analysis.kernels.problem import Tables
from gyrostat.analysis.kernels.progress import (
    CHECKPOINTS,
    DONE,
    EVENT,
    NON_FINITE,
    OUTPUT,
    PAUSED,
    STRIDE,
)

INTEGRATORS = {
    # with the error that each makes in five seconds of the double pendulum
    "Euler": (Euler(1e-5), 0.05),
    "RK2": (RK2(2e-4), 1e-4),
    "RK4": (RK4(2e-3), 1e-7),
    "RKF45": (RKF45(), 1e-6),
    "DOP853": (DOP853(), 1e-7),
    "DOP853 normalised": (DOP853(rotations=RotationUpdate.NORMALISED), 1e-7),
    "DOP853 fixed": (DOP853(step=0.02), 1e-8),
    "GaussLegendre 1": (GaussLegendre(1e-3, 1), 1e-3),
    "GaussLegendre 2": (GaussLegendre(5e-3), 1e-7),
    "GaussLegendre 3": (GaussLegendre(0.01, 3), 1e-8),
    "Rodas4": (Rodas4(), 1e-5),
    "Rodas5P": (Rodas5P(), 1e-5),
    "Rodas5P fixed": (Rodas5P(step=4.7e-3), 1e-6),
    "CVODE": (CVODE(), 1e-4),
    "CVODE adams": (CVODE("adams"), 1e-5),
}
EXPLICIT = [name for name in INTEGRATORS if name.split()[0] not in ("CVODE", "GaussLegendre")]
QUICK = [name for name in INTEGRATORS if name != "Euler"]
every = pytest.mark.parametrize("name", INTEGRATORS)
quick = pytest.mark.parametrize("name", QUICK)


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum()


@pytest.fixture(scope="module")
def top():
    return free_top()


def kept(run):
    """Return all that a run wrote down."""
    return (
        run.time,
        *(part.tobytes() for part in (run.y, run.log.states[: run.counts[OUTPUT]])),
        *(part[: run.counts[CHECKPOINTS]].tobytes() for part in (run.log.checkpoint_times, run.log.checkpoint_states)),
    )


@every
def test_the_reference_motion(name, pendulum):
    integrator, error = INTEGRATORS[name]
    reference = at_times(case("forehand_double_pendulum_bars"), "theta1,theta2,rates")
    finished = finish(pendulum, integrator, PENDULUM_START, 5.0, PENDULUM_TIMES)
    assert finished.reason == DONE
    assert finished.run.time == 5.0
    np.testing.assert_allclose(finished.states, [reference[t] for t in PENDULUM_TIMES], atol=error)


@quick
def test_pausing_after_every_step_changes_nothing(name, pendulum):
    integrator, _ = INTEGRATORS[name]
    grid = np.linspace(0.1, 1.0, 7)
    whole = finish(pendulum, integrator, SWINGING_START, 1.0, grid)
    paused = finish(pendulum, integrator, SWINGING_START, 1.0, grid, chunk=1)
    assert kept(whole.run) == kept(paused.run)


@quick
def test_a_step_is_a_step(name, pendulum):
    integrator, _ = INTEGRATORS[name]
    run = make_run(pendulum, integrator, SWINGING_START, 1.0)
    go_on = integrator.stepper(run)
    for count in (1, 2, 3):
        before = run.steps
        assert go_on(count) == PAUSED
        assert run.steps == before + count


@pytest.mark.parametrize("name", EXPLICIT)
def test_a_run_from_a_checkpoint_is_the_same_to_the_bit(name, pendulum):
    integrator, _ = INTEGRATORS[name]
    whole = finish(pendulum, integrator, SWINGING_START, 1.0, (1.0,)).run
    place = int(whole.counts[CHECKPOINTS]) // 2
    log = whole.log
    again = make_run(pendulum, integrator, log.checkpoint_states[place], 1.0, (1.0,), start=log.checkpoint_times[place])
    again.clock[1] = log.checkpoint_steps[place]
    assert drive(again, integrator.stepper(again)) == DONE
    if integrator.first_step:  # the grid of a fixed step begins anew
        np.testing.assert_allclose(again.y, whole.y, atol=1e-12)
    else:
        np.testing.assert_array_equal(again.y, whole.y)
        np.testing.assert_array_equal(
            again.log.checkpoint_times[: again.counts[CHECKPOINTS]],
            log.checkpoint_times[place : whole.counts[CHECKPOINTS]],
        )


@quick
def test_no_step_passes_a_break(name, pendulum):
    integrator, _ = INTEGRATORS[name]
    breaks = (0.1234, 0.5, 0.777)
    run = finish(pendulum, integrator, SWINGING_START, 1.0, breaks=breaks).run
    times = run.log.checkpoint_times[: run.counts[CHECKPOINTS]]
    assert set(breaks) <= set(times.tolist())


@quick
def test_checkpoints_are_thinned_when_they_become_too_many(name, pendulum, monkeypatch):
    monkeypatch.setattr(run_module, "CHECKPOINT_NUMBERS", 40)
    monkeypatch.setattr(run_module, "FIRST_ROOM", 8)
    integrator, _ = INTEGRATORS[name]
    run = finish(pendulum, integrator, SWINGING_START, 1.0).run
    count, stride = int(run.counts[CHECKPOINTS]), int(run.counts[STRIDE])
    assert count <= 8 < run.steps
    assert (count - 1) * stride < run.steps <= count * stride
    assert (np.diff(run.log.checkpoint_times[:count]) > 0).all()
    np.testing.assert_array_equal(run.log.checkpoint_states[0][:2], SWINGING_START[:2])


@quick
def test_inputs_from_tables_with_kinks(name):
    """A mass is pushed by a force that rises, holds and falls: the velocity is known."""
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("cart", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Actuator("push", "x"))
    system = gs.formulate(model)
    times, forces = np.array([0.0, 0.3, 0.7, 1.0]), np.array([0.0, 6.0, 6.0, 0.0])
    coefficients = np.zeros((4, 4, 1))
    coefficients[:, 0, 0] = forces
    coefficients[:3, 1, 0] = np.diff(forces) / np.diff(times)
    place = system.program("rates").input_slice("inputs").start
    tables = Tables(times, coefficients, np.array([place]), True)
    integrator, _ = INTEGRATORS[name]
    states = finish(system, integrator, (0.0, 0.0), 1.0, (0.15, 0.5, 1.0), tables=tables, breaks=times).states
    np.testing.assert_allclose(states[:, 1], [0.1125, 1.05, 2.1], atol=1e-6)


@quick
def test_outputs_lie_on_the_motion_wherever_they_are_asked_for(name, pendulum):
    integrator, error = INTEGRATORS[name]
    grid = np.sort(np.random.default_rng(5).uniform(0, 1, 40))
    exact = finish(pendulum, DOP853(rtol=1e-12, atol=1e-13), SWINGING_START, 1.0, grid).states
    states = finish(pendulum, integrator, SWINGING_START, 1.0, grid).states
    assert states.shape == exact.shape
    np.testing.assert_allclose(states, exact, atol=max(error, 1e-6))


@quick
def test_events_are_found_where_they_happen(name, pendulum):
    integrator, error = INTEGRATORS[name]
    exact = finish(
        pendulum, DOP853(rtol=1e-12, atol=1e-13), SWINGING_START, 3.0, events={"down": "a1", "late": "t - 1.7"}
    ).run
    found = finish(pendulum, integrator, SWINGING_START, 3.0, events={"down": "a1", "late": "t - 1.7"}).run
    count = int(exact.counts[5])
    assert count >= 3
    assert int(found.counts[5]) == count
    np.testing.assert_array_equal(found.log.event_numbers[:count], exact.log.event_numbers[:count])
    np.testing.assert_array_equal(found.log.event_directions[:count], exact.log.event_directions[:count])
    np.testing.assert_allclose(found.log.event_times[:count], exact.log.event_times[:count], atol=max(error, 1e-6))


@quick
def test_an_active_event_ends_the_step_and_the_run_goes_on_from_there(name, pendulum):
    integrator, error = INTEGRATORS[name]
    run = make_run(pendulum, integrator, SWINGING_START, 3.0, (0.5, 1.0, 3.0), events={"down": "a1"}, active=True)
    go_on = integrator.stepper(run)
    stops = 0
    while drive(run, go_on) == EVENT:
        assert abs(run.y[0]) < 1e-12
        stops += 1
    assert stops == int(run.counts[5]) >= 2
    assert run.time == 3.0
    exact = finish(pendulum, DOP853(rtol=1e-12, atol=1e-13), SWINGING_START, 3.0, (3.0,)).states[0]
    np.testing.assert_allclose(run.y[:2], exact[:2], atol=max(10 * error, 1e-5))


@quick
def test_rotations_have_unit_length_wherever_they_are_seen(name, top):
    integrator, error = INTEGRATORS[name]
    finished = finish(top, integrator, TOP_START, 4.0, np.linspace(0.05, 4, 23), events={"turned over": "s.w2"})
    states = np.vstack((finished.states, finished.run.log.event_states[: finished.run.counts[5]], finished.run.y))
    assert len(states) > 24
    np.testing.assert_allclose((states[:, :4] ** 2).sum(axis=1), 1.0, atol=1e-14)
    exact = finish(top, DOP853(rtol=1e-12, atol=1e-13), TOP_START, 4.0, (4.0,)).states[0]
    np.testing.assert_allclose(finished.states[-1], exact, atol=max(error, 1e-6))


@quick
def test_values_that_are_not_finite_stop_the_run_where_they_appear(name):
    """A load that is not a number after one second: what was reached before stays."""
    model = gs.Model("broken", gravity=(0, 0, 0))
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Force("pull", "cart", ("sqrt(1 - t)", 0, 0)))
    system = gs.formulate(model)
    integrator, _ = INTEGRATORS[name]
    finished = finish(system, integrator, (0.0, 0.0), 2.0, (0.5, 1.5))
    assert finished.reason == NON_FINITE
    assert 0.5 < finished.run.time <= 1.0
    assert len(finished.states) == 1
    assert np.isfinite(finished.run.y).all()


@every
def test_an_integrator_is_a_value(name):
    integrator, _ = INTEGRATORS[name]
    assert isinstance(integrator, Integrator)
    assert hash(integrator) == hash(type(integrator)(**{f: getattr(integrator, f) for f in vars(integrator)}))
    assert integrator.advice.endswith(".")


@pytest.mark.parametrize("kind", [Euler, RK2, RK4, GaussLegendre])
@pytest.mark.parametrize("step", [0, -1e-3, float("nan"), "fast", True])
def test_a_step_must_be_positive(kind, step):
    with pytest.raises(gs.StateError, match=rf"{kind.__name__}\(step=.*\): the step must be a positive number"):
        kind(step)


@pytest.mark.parametrize("kind", [RKF45, DOP853, CVODE, Rodas5P])
@pytest.mark.parametrize("field", ["rtol", "atol", "largest_step"])
def test_tolerances_must_be_positive(kind, field):
    with pytest.raises(gs.StateError, match=rf"{kind.__name__}\({field}=0\): the {field} must be a positive number"):
        kind(**{field: 0})
