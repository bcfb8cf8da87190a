"""Runs reuse the memory of earlier ones of their kind, and share no state."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contact_models import falling_ball
from loop_models import four_bars
from many_contacts import balls
from switching_models import slider

import gyrostat as gs
from gyrostat.analysis.integrators.integrator import Stepper
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import DONE
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment


def keeps_run(system: gs.System) -> bool:
    """Tell whether a system keeps a run, with its loop, for the next."""
    return any(isinstance(kept, tuple) and isinstance(kept[0], Run) for kept in system.cache.values())


@pytest.fixture
def system() -> gs.System:
    model = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters={"length": 1.0, "c": 0.0})
    model.add(gs.Body("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), points={"top": (0, "length", 0)}))
    model.add(gs.Revolute("a", "ground", "bob.top"))
    model.add(gs.TorsionSpring("damper", joint="a", stiffness=0, damping="c"))
    return gs.formulate(model)


def _numbers(run: gs.Trajectory) -> tuple[bytes, ...]:
    return tuple(part.tobytes() for part in (run.time, run.q, run.u, run.at([0.31, 0.77]).q))


def _simulated(system: gs.System, start: float, **options: object) -> gs.Trajectory:
    return gs.simulate(system, 1.0, step=0.25, initial={"a": start}, **options)


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(), gs.RK4(step=1e-2), gs.RKF45(), gs.Rodas5P(), gs.GaussLegendre(step=1e-2)]
)
def test_memory_of_earlier_runs_changes_no_number(system: gs.System, integrator: gs.Integrator) -> None:
    fresh = [_numbers(_simulated(gs.formulate(system.model), start, integrator=integrator)) for start in (0.4, 1.2)]

    again = [_numbers(_simulated(system, start, integrator=integrator)) for start in (0.4, 1.2)]

    assert again == fresh


@pytest.mark.parametrize("integrator", [gs.DOP853(1e-7, 1e-7), gs.Rodas5P(1e-6, 1e-6), gs.RK4(step=1e-2)])
def test_memory_of_earlier_runs_of_a_loop_changes_no_number(integrator: gs.Integrator) -> None:
    """Cranks that pass their flat positions leave larger pivots behind than the typical ones."""

    def numbers(system: gs.System, rate: float) -> tuple[bytes, ...]:
        start = {f"c{i}.rate": rate for i in range(3)}
        return _numbers(gs.simulate(system, 1.0, step=0.25, initial=start, integrator=integrator))

    fresh = [numbers(gs.formulate(four_bars(2)), rate) for rate in (8.0, 1.0)]
    system = gs.formulate(four_bars(2))

    assert [numbers(system, rate) for rate in (8.0, 1.0)] == fresh
    assert keeps_run(system)


LAWS = {
    "dry friction": (slider("-3*sign(rate) - 20*angle"), ({"x": 0.2}, {"x": 0.1, "x.rate": -2.0})),
    "memory of touch": (
        falling_ball(gs.HuntCrossley(1e3, restitution=0.5)),
        ({"h": 0.1, "h.rate": 6.0}, {"h": 0.09, "h.rate": -1.0}),
    ),
}
"""Systems whose laws have conditions, with two starts: the first leaves modes and memories that the second has not."""


@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")  # notes on stiffness
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    "integrator",
    [gs.DOP853(1e-6, 1e-8), gs.RKF45(1e-6, 1e-8), gs.Rodas5P(1e-6, 1e-8), gs.CVODE(rtol=1e-6, atol=1e-8)],
)
def test_conditions_of_laws_are_decided_anew(law: str, integrator: gs.Integrator) -> None:
    given, starts = LAWS[law]

    def numbers(system: gs.System, start: dict[str, float]) -> tuple[bytes, ...]:
        run = gs.simulate(system, 1.0, step=0.25, initial=start, integrator=integrator)
        assert run.motion.segments[0].modes.size
        return (*_numbers(run), run.modes.tobytes(), run.motion.segments[-1].modes.tobytes())

    fresh = [numbers(gs.formulate(given.model), start) for start in starts]
    system = gs.formulate(given.model)
    again = []
    for place in (0, 1, 1, 0):
        again.append(numbers(system, starts[place]))
        gs.simulate(system, 1.0, step=0.25, initial=starts[place], integrator=integrator)  # its run is kept

    assert again == [fresh[place] for place in (0, 1, 1, 0)]
    assert keeps_run(system)


@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")  # on sweeps that were too few
def test_impulses_of_an_earlier_run_change_no_number() -> None:
    """Balls on each other press at the end of a run; others in the same memory begin at the same places, or in flight.

    With few sweeps, impulses depend on those that they begin with.
    """
    law = gs.HuntCrossley(1e6, restitution=0.5, speed=1)
    model = balls([0.1] * 4, law, gs.Coulomb(0.3, speed=0.01))
    integrator = gs.Moreau(step=2e-3, sweeps=2, tolerance=1e-3)

    def numbers(system: gs.System, lift: float) -> tuple[bytes, ...]:
        start = {f"b{i}_motion.z": 0.1 + (0.2 + lift) * i for i in range(4)}
        run = gs.simulate(system, 0.2, step=0.05, initial=start | {"b3_motion.v1": 1.0}, integrator=integrator)
        return tuple(array.tobytes() for array in (run.q, run.u, run["contacts.force"].values))

    fresh = [numbers(gs.formulate(model), lift) for lift in (0.0, 0.01)]
    system = gs.formulate(model)
    again = [numbers(system, lift) for lift in (0.0, 0.0, 0.01, 0.0)]

    assert again == [fresh[0], fresh[0], fresh[1], fresh[0]]
    assert keeps_run(system)


def test_a_trajectory_stays_as_it_is_when_its_memory_is_used_again(system: gs.System) -> None:
    first = _simulated(system, 0.4)
    before = _numbers(first)

    _simulated(system, 1.2)

    assert _numbers(first) == before


def test_other_parameters_are_seen(system: gs.System) -> None:
    short, long = _simulated(system, 0.4), _simulated(system, 0.4, parameters={"length": 2.0})

    assert long["bob"].values[-1, 1] != short["bob"].values[-1, 1]
    np.testing.assert_array_equal(_simulated(system, 0.4).q, short.q)


def test_what_was_seen_of_stiffness_is_forgotten(system: gs.System) -> None:
    def notes(system: gs.System, damping: float) -> tuple[str, ...]:
        with pytest.warns(gs.GyrostatWarning, match="is stiff"):
            return _simulated(system, 0.4, parameters={"c": damping}).status.notes

    fresh = notes(gs.formulate(system.model), 200.0)
    notes(system, 400.0)

    assert notes(system, 200.0) == fresh


def test_a_failed_run_leaves_nothing_behind(system: gs.System) -> None:
    good = _simulated(system, 0.4)
    with pytest.warns(gs.GyrostatWarning):
        _simulated(system, 0.4, parameters={"length": 1e308})

    np.testing.assert_array_equal(_simulated(system, 0.4).q, good.q)


def test_runs_in_threads_do_not_meet(system: gs.System) -> None:
    starts = np.linspace(0.1, 2.0, 40).tolist()
    alone = [_numbers(_simulated(system, start)) for start in starts]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda start: _numbers(_simulated(system, start)), starts))

    assert together == alone


def test_a_system_is_pickled_without_what_it_keeps(system: gs.System) -> None:
    _simulated(system, 0.4)
    assert system.cache

    copy = pickle.loads(pickle.dumps(system))

    assert not copy.cache
    assert _numbers(_simulated(copy, 0.4)) == _numbers(_simulated(system, 0.4))


def test_few_runs_are_kept(system: gs.System) -> None:
    for exponent in range(20):
        _simulated(system, 0.4, integrator=gs.DOP853(rtol=1e-6 * 0.9**exponent))

    assert 0 < len(system.cache) <= 8


@pytest.mark.parametrize("options", [{"times": np.linspace(0, 1, 9000)}, {"times": [0, 200], "initial": {"a": 3.0}}])
def test_large_runs_are_not_kept(system: gs.System, options: dict[str, object]) -> None:
    gs.simulate(system, **options)

    assert not keeps_run(system)


@pytest.fixture
def driven() -> gs.System:
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", initial=0.2))
    model.add(gs.TorsionSpring("spring", "x", stiffness=4.0))
    model.add(gs.Force("wind", "block", ("sin(2*t)", 0, 0)))
    model.add(gs.Actuator("motor", "x"))
    return gs.formulate(model)


OTHERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "times": ({}, {"times": [0, 0.2, 0.9]}),
    "time of the start": ({}, {"times": [1, 1.5, 2]}),
    "method": ({"integrator": gs.GaussLegendre(step=0.05)}, {"integrator": gs.RK4(step=0.05)}),
    "tolerance": ({}, {"integrator": gs.DOP853(rtol=1e-4)}),
    "number": ({}, {"inputs": {"motor": 3.0}}),
    "formula": ({"inputs": {"motor": "cos(t)"}}, {"inputs": {"motor": "x*t"}}),
    "formula gone": ({"inputs": {"motor": "cos(t)"}}, {}),
    "table": ({}, {"inputs": {"motor": gs.Table([0, 1, 2], [0, 3, 1])}}),
    "function": ({"inputs": {"motor": lambda t: 5.0}}, {"inputs": {"motor": lambda t: t}}),
    "event": ({}, {"events": [gs.Event.at_time("knock", 0.4, gs.Impulse("x", 1.0))]}),
    "event gone": ({"events": [gs.Event.at_time("knock", 0.4, gs.Impulse("x", 1.0))]}, {}),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_run_of_another_kind_takes_nothing_over(driven: gs.System, other: str) -> None:
    first, second = ({"times": [0, 0.5, 1], **options} for options in OTHERS[other])
    fresh = gs.simulate(gs.formulate(driven.model), **second)
    for _ in range(2):
        gs.simulate(driven, **first)

    again = gs.simulate(driven, **second)

    for name in ("time", "q", "u"):
        np.testing.assert_array_equal(getattr(again, name), getattr(fresh, name))
    np.testing.assert_array_equal(again.at(again.time[1:] - 0.1).q, fresh.at(fresh.time[1:] - 0.1).q)


def test_times_stay_with_their_owner(driven: gs.System) -> None:
    times = np.array([0, 0.5, 1])
    first = gs.simulate(driven, times=times)

    gs.simulate(driven, times=[0, 0.2, 0.9])

    assert times.tolist() == first.time.tolist() == [0, 0.5, 1]


def test_a_run_begun_again_is_as_a_new_one(driven: gs.System) -> None:
    def run_of(system: gs.System, t: float, y: list[float], grid: np.ndarray) -> tuple[Problem, Run]:
        problem = Problem(system, gs.DOP853())
        plan = InputPlan.of({}, system, np.array([0.0, 9.0]), {})
        return problem, problem.run(Segment(t, 9.0, {}, plan), t, np.array(y), grid)[0]

    given, other = np.array([3.0, 9.0]), np.array([4.0, 8.0])
    problem, earlier = run_of(driven, 0.0, [0.2, 0.0], given)
    assert problem.integrator.stepper(earlier)(10**6) == DONE
    problem.keep(earlier)
    _, again = run_of(driven, 1.0, [0.3, 0.7], other)
    _, new = run_of(gs.formulate(driven.model), 1.0, [0.3, 0.7], other)

    assert again is earlier
    assert given.tolist() == [3.0, 9.0]
    for name in ("x", "y", "grid", "clock", "counts"):
        np.testing.assert_array_equal(getattr(again, name), getattr(new, name), err_msg=name)


def test_closed_loops_begin_anew() -> None:
    """Pivots that a run has seen tell how near a singular position is; the next run knows nothing of them."""
    system = gs.formulate(four_bars(1))
    options: dict[str, Any] = {"duration": 0.2, "step": 0.1, "integrator": gs.Rodas5P(rtol=1e-5)}
    nearly_flat = {"c0": 1.5, "c1": 1.5, "k0": -1.5}
    fresh = gs.simulate(gs.formulate(system.model), **options, initial=nearly_flat)
    gs.simulate(system, **options, initial={"c0.rate": 1.0})

    again = gs.simulate(system, **options, initial=nearly_flat)

    np.testing.assert_array_equal(again.q, fresh.q)
    assert again.status.steps == fresh.status.steps


def test_integrators_that_cannot_be_looked_up_are_used_all_the_same(system: gs.System) -> None:
    @dataclass
    class Own(gs.Integrator):
        step: float

        def stepper(self, run: Run) -> Stepper:
            return gs.RK4(step=self.step).stepper(run)

    integrator, found = Own(0.5), []
    for step in (0.1, 0.01):
        integrator.step = step
        found.append(_numbers(_simulated(system, 0.4, integrator=integrator)))

    assert found == [_numbers(_simulated(system, 0.4, integrator=gs.RK4(step=step))) for step in (0.1, 0.01)]


def test_the_first_state_of_a_loop_follows_parameters_and_initial_values() -> None:
    """It is kept for the parameters used last: other ones, a later start and given values have their own."""
    model = gs.Model.load(Path(__file__).parents[3] / "examples" / "four_bar.yaml")
    system, longer = gs.formulate(model), {"c": 0.085}
    kept = [gs.simulate(system, 0.1, parameters=given).q for given in (None, longer, None, longer)]
    assert np.array_equal(kept[0], kept[2])
    assert np.array_equal(kept[1], kept[3])
    assert np.array_equal(kept[1], gs.simulate(gs.formulate(model), 0.1, parameters=longer).q)
    assert np.abs(kept[0][0] - kept[1][0]).max() > 1e-4
