"""The cost of a short simulation beside its native work, in calls of Python functions: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from loop_models import four_bars
from many_contacts import balls

import gyrostat as gs
from gyrostat.analysis.simulation.energy_watch import note_on_energy


def calls_of(run: Callable[[], object]) -> int:
    """Return the number of calls of Python and C functions, after a run that compiles and collects what is constant."""
    run()
    run()
    count = 0

    def counted(_: Any, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def chain(links: int, damping: float = 0.0) -> gs.Model:
    model, outer = gs.Model("chain", gravity=(0, -9.81, 0)), "ground"
    for i in range(links):
        points = {"a": (0, 0.5, 0), "b": (0, -0.5, 0)}
        model.add(gs.Body(f"rod{i}", gs.slender_rod(1.0, 1.0, along="y"), points=points))
        model.add(gs.Revolute(f"h{i}", outer, f"rod{i}.a", initial=0.5 + 0.1 * i))
        if damping:
            model.add(gs.TorsionSpring(f"d{i}", f"h{i}", damping=damping))
        outer = f"rod{i}.b"
    return model


@pytest.mark.parametrize(
    ("model", "integrator", "most"),
    [
        (chain(2), gs.DOP853(1e-7, 1e-7), 290),
        (chain(7, 0.3), gs.DOP853(1e-7, 1e-7), 295),
        (four_bars(1), gs.DOP853(1e-7, 1e-7), 378),
        (four_bars(1), gs.Rodas5P(1e-5, 1e-5), 373),
    ],
    ids=["double pendulum", "damped chain", "four-bar", "four-bar, stiff"],
)
def test_a_short_run_makes_few_calls(model: gs.Model, integrator: gs.Integrator, most: int) -> None:
    system = gs.formulate(model)
    assert calls_of(lambda: gs.simulate(system, 1.0, step=1.0, integrator=integrator)) < most


def hoist() -> gs.Model:
    """Return a swinging load on an elastic rope over a sheave, which a winch takes in."""
    model = gs.Model("hoist", gravity=(0, -9.81, 0))
    model.add(gs.Body("load", gs.point_mass(500.0)))
    model.add(gs.Planar("j", "ground", "load", initial={"x": 1.0, "y": -9.9}, driven={"angle": "0"}))
    path = [("ground", (-3.0, 0.2, 0)), gs.Pulley("tip", "ground", 0.2, "right"), "load"]
    model.add(gs.Reeving("rope", path, length=13.24, EA=5e6, damping=1e5, tightening=1e-9))
    model.add(gs.Winch("winch", "rope", speed=-0.25))
    return model


LAW = gs.HuntCrossley(1e6, restitution=0.5)


@pytest.mark.parametrize(
    ("model", "integrator", "most"),
    [
        (hoist(), gs.DOP853(1e-4, 1e-6), 1375),
        (balls([0.1], LAW, gs.Coulomb(0.3, speed=0.01)), gs.RKF45(1e-3, 1e-5), 630),
        (balls([0.1], LAW, gs.Coulomb(0.3, speed=0.01)), gs.Moreau(step=5e-3), 415),
    ],
    ids=["hoist", "bounce by penalties", "bounce by impulses"],
)
def test_conditions_and_contacts_add_few_calls(model: gs.Model, integrator: gs.Integrator, most: int) -> None:
    """The hoist took 2640, a bounce 940 and 3310, before runs were kept and records formed on demand."""
    system = gs.formulate(model)
    start = {} if "load" in system.bodies else {"b0_motion.z": 0.6}
    assert calls_of(lambda: gs.simulate(system, 0.75, step=0.75, initial=start, integrator=integrator)) < most


@pytest.mark.parametrize(("model", "most"), [(chain(2), 32), (chain(7, 0.3), 32)], ids=["constant", "damped"])
def test_the_watch_on_the_energy_makes_few_calls(model: gs.Model, most: int) -> None:
    """It is a few hundredths of a short run: 4 of 200 µs for the double pendulum, whose native work is 120 µs."""
    run = gs.simulate(gs.formulate(model), 1.0, step=1.0, integrator=gs.DOP853(1e-7, 1e-7))
    assert calls_of(lambda: note_on_energy(run.motion)) < most


def test_a_step_of_cvode_makes_few_calls() -> None:
    """The difference of two runs of the same kind is that of their steps."""
    system, steps = gs.formulate(chain(2, 1.0)), []

    def run(duration: float) -> None:
        steps.append(
            gs.simulate(system, duration, step=duration, integrator=gs.CVODE(rtol=1e-5, atol=1e-5)).status.steps
        )

    short, long = calls_of(lambda: run(0.5)), calls_of(lambda: run(5.0))
    assert long - short < 45 * (steps[-1] - steps[2])
