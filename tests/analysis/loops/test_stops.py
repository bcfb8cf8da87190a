"""Runs that constraints end: joint, time and reason; every state satisfies the constraints."""

import numpy as np
import pytest
from loop_models import four_bar

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

INTEGRATORS = [gs.DOP853(), gs.RK4(step=1e-3), gs.CVODE(rtol=1e-5, atol=1e-7), gs.Rodas5P()]


def with_drivers(lengths, **courses):
    """Return a four-bar with some of its hinges driven."""
    model = four_bar(*lengths)
    new = gs.Model(model.name, gravity=(0, -9.81, 0))
    for body in model.bodies.values():
        new.add(body)
    for name, joint in model.joints.items():
        drive = {"driven": courses[name]} if name in courses else {}
        new.add(gs.Revolute(name, joint.parent, joint.child, **drive))
    return new


def stopped(model, integrator, match):
    system = gs.formulate(model)
    with pytest.warns(GyrostatWarning, match=match):
        run = gs.simulate(system, duration=5, step=0.1, integrator=integrator, most_seconds=120)  # on a busy machine
    assert run.status.outcome is gs.Outcome.NOT_CLOSED
    assert float(run.residuals()["position"].max()) < 1e-6 * system.model_size
    return run


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda one: type(one).__name__)
def test_a_rocker_driven_beyond_its_dead_point(integrator):
    model = with_drivers((0.4, 1.0, 0.8, 1.0), h4="2 + t")
    run = stopped(model, integrator, r"'h3' cannot be closed: .* given for 'h4' leads beyond the reach")
    a, b, c = (run[point].values[-1] for point in ("crank.a", "crank.b", "coupler.b"))
    assert abs(np.cross(b - a, c - a)[2]) < 0.05  # crank and coupler in one line


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda one: type(one).__name__)
def test_a_rod_that_becomes_too_short(integrator):
    model = gs.Model("pulled pendulum", gravity=(0, -9.81, 0))
    ends = {"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}
    model.add(gs.Body("bar", gs.slender_rod(1, 1, along="y"), points=ends))
    model.add(gs.Revolute("pin", "ground", "bar.top", initial=0.3))
    model.add(gs.Distance("rod", "bar.tip", ("ground", (2, -1, 0)), length="1.732 - 0.4*t"))
    run = stopped(model, integrator, r"'rod' cannot be closed: .* given for 'rod' leads beyond the reach")
    assert run.status.time == pytest.approx((1.732 - (np.sqrt(5) - 1)) / 0.4, abs=2e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda one: type(one).__name__)
def test_drivers_that_contradict_each_other(integrator):
    lengths = (0.4, 1.0, 0.8, 1.0)
    right = gs.simulate(with_drivers(lengths, h1="1 + t"), times=[0.0, 1e-3])
    angle, rate = (float(right[name].values[0]) for name in ("h4", "h4.rate"))
    model = with_drivers(lengths, h1="1 + t", h4=f"{angle!r} + {rate!r}*t")
    run = stopped(model, integrator, r"contradict each other. The motions given for 'h1', 'h4' are inconsistent")
    assert run.status.time < 0.05


@pytest.mark.parametrize("integrator", [*INTEGRATORS[:2], gs.RKF45()], ids=lambda one: type(one).__name__)
def test_the_last_state_before_a_dead_point_obeys(integrator):
    model = with_drivers((1.0, 0.6, 0.8, 0.5), h1="1 + t")
    run = stopped(model, integrator, r"'h4' cannot be closed: .* given for 'h1' leads beyond the reach")
    # there coupler and rocker are in one line, 1.4 m long, from the crank's end to the fixed bearing 0.5 m away
    reach = np.arccos((1.0**2 + 0.5**2 - 1.4**2) / (2 * 1.0 * 0.5))
    assert run.status.time == pytest.approx(reach - 1.0, abs=2e-3)
    assert float(run.residuals()["position"][-1]) < 1e-7
