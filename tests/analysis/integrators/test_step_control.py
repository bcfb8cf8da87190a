"""Step control: common properties of one-step methods with variable and with fixed steps."""

import math

import numpy as np
import pytest
from runs import SWINGING_START, TOP_START, double_pendulum, drive, finish, free_top, make_run

import gyrostat as gs
from gyrostat.analysis.integrators import DOP853, RK4, RKF45, Rodas5P
from gyrostat.analysis.kernels.progress import CHECKPOINTS, DONE, REJECTED
from gyrostat.program.warning import GyrostatWarning

ADAPTIVE = [DOP853(rtol=1e-6, atol=1e-8), RKF45(rtol=1e-6, atol=1e-8), Rodas5P(rtol=1e-6, atol=1e-8)]
FIXED = [DOP853(step=0.04), RK4(step=0.04), Rodas5P(step=0.04)]

adaptive = pytest.mark.parametrize("integrator", ADAPTIVE, ids=lambda one: type(one).__name__)
fixed = pytest.mark.parametrize("integrator", FIXED, ids=lambda one: type(one).__name__)


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum()


@pytest.fixture(scope="module")
def knocked():
    """A slide on a spring that is hit hard for a short while, which steps notice too late."""
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", stiffness=1.0))
    model.add(gs.Force("blow", "block", ("50*exp(-((t - 2)/0.02)**2) + 50*exp(-((t - 5)/0.02)**2)", 0, 0)))
    return gs.formulate(model)


def lengths(run):
    """Return the lengths of all steps but the last."""
    return np.diff(run.log.checkpoint_times[: run.counts[CHECKPOINTS]])


@pytest.mark.parametrize("kind", [DOP853, RKF45, Rodas5P])
def test_few_steps_of_a_smooth_motion_are_rejected(kind):
    """The step follows the error by the order: with another power of it, every other step would be tried in vain."""
    run = finish(free_top(), kind(rtol=1e-8, atol=1e-8), TOP_START, 20.0).run
    assert run.counts[REJECTED] <= 0.04 * run.steps
    assert np.abs(np.diff(np.log(lengths(run)[5:]))).mean() < 0.2


@adaptive
def test_steps_have_their_length_again_after_a_stop(integrator, pendulum):
    """Two stops close to each other force one tiny step, not a series that grows from it."""
    whole = finish(pendulum, integrator, SWINGING_START, 2.0).run
    stops = [time for t in (0.5, 0.9, 1.3, 1.7) for time in (t, t + 1e-7)]
    cut = finish(pendulum, integrator, SWINGING_START, 2.0, breaks=stops).run
    assert cut.steps <= whole.steps + 2 * len(stops)


@adaptive
def test_no_tiny_step_is_left_before_a_stop(integrator, pendulum):
    natural = finish(pendulum, integrator, SWINGING_START, 2.0).run
    times = natural.log.checkpoint_times[: natural.steps]
    for place in range(3, len(times) - 2, max(1, len(times) // 12)):
        stop = times[place] + 1e-3 * (times[place + 1] - times[place])  # just behind where a step would end
        run = finish(pendulum, integrator, SWINGING_START, 2.0, breaks=[stop]).run
        before = lengths(run)[: np.searchsorted(run.log.checkpoint_times[: run.steps], stop)]
        assert before[-1] > 0.3 * before[-3]


@adaptive
def test_after_a_rejected_step_the_next_is_no_longer(integrator, knocked):
    run = finish(knocked, integrator, (0.3, 0.0), 8.0).run
    made, tried = lengths(run), run.log.checkpoint_steps[: run.counts[CHECKPOINTS]]
    rejected = np.flatnonzero(made < 0.999 * tried[:-1])[:-1]
    assert run.counts[REJECTED] >= len(rejected) >= 2
    assert np.all(tried[rejected + 1] <= made[rejected] * (1 + 1e-12))


@adaptive
def test_a_run_from_any_checkpoint_is_the_same_to_the_bit(integrator, knocked):
    """Also from one whose step was rejected first: it is rejected again."""
    whole = finish(knocked, integrator, (0.3, 0.0), 8.0).run
    assert whole.counts[REJECTED] > 0
    log = whole.log
    for place in range(1, int(whole.counts[CHECKPOINTS])):
        start = log.checkpoint_times[place]
        again = make_run(knocked, integrator, log.checkpoint_states[place], 8.0, start=start)
        again.clock[1] = log.checkpoint_steps[place]
        assert drive(again, integrator.stepper(again)) == DONE
        np.testing.assert_array_equal(again.y, whole.y)


@fixed
def test_equal_steps_begin_anew_at_a_stop(integrator, pendulum):
    run = finish(pendulum, integrator, SWINGING_START, 1.0, breaks=[0.1, 0.53]).run
    found = lengths(run)
    assert found.max() <= 0.04 * (1 + 1e-9)
    assert (np.abs(found - 0.04) < 1e-9).sum() == 2 + 10 + 11


@pytest.mark.parametrize("rtol", [1e-5, 1e-8])
def test_steps_do_not_depend_on_the_attitude(rtol):
    """Errors of a rotation vector are measured by its size of one, whatever the Euler parameters are."""
    top, speeds = free_top(), TOP_START[4:]
    integrator = Rodas5P(rtol=rtol, atol=1e-14)
    steps = [
        finish(top, integrator, (*attitude, *speeds), 5.0).run.steps
        for attitude in ((1, 0, 0, 0), (0, 0, 0, 1), (0.5, 0.5, 0.5, 0.5), (0.1, 0.7, 0.1, 0.7))
    ]
    assert max(steps) <= 1.2 * min(steps)


def pushed_block(law: str) -> gs.Model:
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.Force("push", "block", (law, 0, 0)))
    return model


def test_a_derivative_in_time_that_is_not_finite_is_passed_with_short_steps():
    """A force of √t at t = 0 is finite, its derivative is not."""
    motion = gs.simulate(pushed_block("1 + sqrt(t)"), 1, integrator=Rodas5P())
    assert motion["x.rate"].values[-1] == pytest.approx(5 / 3, abs=1e-8)


def test_a_jacobian_that_is_not_finite_ends_the_run():
    """A force of √x at x = 0 is finite, its derivative is not."""
    model = pushed_block("1 + sqrt(x)")
    with pytest.warns(GyrostatWarning, match="ended at t = 0 s"):
        motion = gs.simulate(model, 1, integrator=Rodas5P())
    assert "their Jacobian is not, as that of sqrt(x) at zero" in motion.status.message


def test_a_load_linear_in_time_keeps_the_order_of_rodas5p():
    """Its derivative in time is a constant, for which the program has no operations."""
    system = gs.formulate(pushed_block("0.2*t - 2*x"))
    exact = 0.1 * 5 - 0.1 * math.sin(math.sqrt(2) * 5) / math.sqrt(2)
    errors = [
        abs(gs.simulate(system, times=[0, 5], integrator=Rodas5P(step=step))["x"].values[-1] - exact)
        for step in (0.2, 0.1)
    ]
    assert math.log2(errors[0] / errors[1]) > 4.5
