"""Runs leave their memory to later ones of their kind, and nothing else."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gyrostat as gs


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


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RK4(step=1e-2), gs.RKF45(), gs.GaussLegendre(step=1e-2)])
def test_memory_of_earlier_runs_changes_no_number(system: gs.System, integrator: gs.Integrator) -> None:
    fresh = [_numbers(_simulated(gs.formulate(system.model), start, integrator=integrator)) for start in (0.4, 1.2)]

    again = [_numbers(_simulated(system, start, integrator=integrator)) for start in (0.4, 1.2)]

    assert again == fresh


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
    assert system.kept

    copy = pickle.loads(pickle.dumps(system))

    assert not copy.kept
    assert _numbers(_simulated(copy, 0.4)) == _numbers(_simulated(system, 0.4))


def test_few_runs_are_kept(system: gs.System) -> None:
    for exponent in range(20):
        _simulated(system, 0.4, integrator=gs.DOP853(rtol=1e-6 * 0.9**exponent))

    assert 0 < len(system.kept) <= 8


@pytest.mark.parametrize("options", [{"times": np.linspace(0, 1, 9000)}, {"times": [0, 200], "initial": {"a": 3.0}}])
def test_large_runs_are_not_kept(system: gs.System, options: dict[str, object]) -> None:
    gs.simulate(system, **options)

    assert not system.kept
