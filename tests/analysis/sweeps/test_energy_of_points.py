"""The watch on the energy of points of sweeps: individually, by repeated runs, in lanes; and what is said of it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.analysis.sweeps import simulation_solver
from gyrostat.analysis.sweeps.points import PointStatus


def pendulum() -> gs.Model:
    model = gs.Model("double pendulum", gravity=(0, -9.81, 0), parameters={"d": 0.0, "torque": 0.0, "m": 1.0})
    outer = "ground"
    for i in range(2):
        points = {"a": (0, 0.5, 0), "b": (0, -0.5, 0)}
        model.add(gs.Body(f"rod{i}", gs.slender_rod("m", 1.0, along="y"), points=points))
        model.add(gs.Revolute(f"h{i}", outer, f"rod{i}.a", initial=1.0 + 0.3 * i))
        model.add(gs.TorsionSpring(f"s{i}", f"h{i}", damping="d", torque="torque"))
        outer = f"rod{i}.b"
    model.add(gs.Actuator("motor", "h0"))
    return model


@pytest.fixture(scope="module")
def system() -> gs.System:
    return gs.formulate(pendulum())


SINGLY = [lambda trajectory: trajectory.q[-1, 0]]


def swept(system: gs.System, integrator: gs.Integrator, **options: Any) -> gs.Sweep:
    simulation = gs.Simulation(2, step=0.5, integrator=integrator, **options)
    return gs.sweep(system, {"m": [1.0, 2.0, 3.0]}, simulation, workers=1)


ACTING: dict[str, dict[str, Any]] = {
    "constant": {},
    "damped": {"parameters": {"d": 1e-3}},
    "supplied": {"parameters": {"torque": 0.5}},
    "input": {"inputs": {"motor": "sin(t)"}},
}


@pytest.mark.parametrize("outputs", [["last(h0)"], ["h0"], SINGLY], ids=["last", "all times", "singly"])
@pytest.mark.parametrize("acting", ACTING)
def test_coarse_steps_are_noted_at_their_points(system: gs.System, acting: str, outputs: Any) -> None:
    coarse, fine = gs.Euler(step=0.02), gs.RK4(step=0.005)
    with pytest.warns(
        gs.GyrostatWarning, match=r"of the sweep of 'double pendulum' ha.*sweep.notes.*the steps are too"
    ):
        found = swept(system, coarse, outputs=outputs, **ACTING[acting])
    in_lanes = acting in ("supplied", "input") and outputs is not SINGLY
    numbers = [note.number for note in found.notes]
    assert numbers[0] == 0 if in_lanes else numbers == [0, 1, 2]  # of a batch under loads the first point is watched
    assert found.notes[0].values == {"m": 1.0}
    assert "Use a smaller step" in found.notes[0].text
    assert "  note: point 0 (m = 1): The energy " in str(found)
    assert found.failures == ()
    assert found.count(PointStatus.DONE) == 3
    assert str(found["reason"].values[0]).startswith("The energy")
    assert swept(system, fine, outputs=outputs, **ACTING[acting]).notes == ()


@pytest.mark.parametrize("acting", ACTING)
def test_repeated_runs_are_watched(system: gs.System, acting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With batched=False each point of fixed steps is a run of its own, whose checkpoints are known."""
    assert swept(system, gs.DOP853(1e-7, 1e-7), **ACTING[acting]).notes == ()
    with pytest.warns(gs.GyrostatWarning, match="3 points of the sweep"):
        found = swept(system, gs.Euler(step=0.02), batched=False, **ACTING[acting])
    assert len(found.notes) == 3


def test_swept_inputs_count(system: gs.System) -> None:
    simulation = gs.Simulation(2, integrator=gs.DOP853(1e-8, 1e-8))
    assert gs.sweep(system, {"motor": [0.0, 1.0]}, simulation, workers=1).notes == ()
    with pytest.warns(gs.GyrostatWarning, match="2 points"):
        found = gs.sweep(
            system, {"motor": [0.0, 1.0]}, gs.Simulation(2, integrator=gs.Euler(step=0.02), batched=False), workers=1
        )
    assert "drifts" in found.notes[0].text
    assert "differs from the work" in found.notes[1].text


def test_sane_points_are_not_simulated_again(system: gs.System, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("simulated again")

    monkeypatch.setattr(simulation_solver.SimulationSolver, "_recompute_motion", refuse)
    for integrator in (gs.DOP853(1e-6, 1e-6), gs.DOP853(1e-10, 1e-10), gs.RK4(step=0.005)):
        for acting in ACTING.values():
            assert swept(system, integrator, **acting).count(PointStatus.DONE) == 3


def test_notes_are_kept_in_stores(system: gs.System, tmp_path: Path) -> None:
    simulation = gs.Simulation(2, integrator=gs.Euler(step=0.02), outputs=["last(h0)"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        found = gs.sweep(system, {"m": np.linspace(1, 2, 5)}, simulation, store=tmp_path / "store.zarr", workers=1)
    again = gs.load_sweep(tmp_path / "store.zarr")
    assert [str(note) for note in again.notes] == [str(note) for note in found.notes]
    assert len(again.notes) == 5
    assert again.failures == ()
