"""Files of gyrostat 0.1.0 are read by this version, with the numbers that were computed then.

What a file stores comes back bit by bit; what is computed from it agrees to rounding.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

FIXTURES = Path(__file__).parent / "data" / "fixtures"
EXPECTED: dict[str, Any] = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))
MODEL_FILES = sorted(
    path.name for path in FIXTURES.iterdir() if path.suffix in (".yaml", ".json") and path.name != "expected.json"
)
COMPUTED = 1e-9
"""Relative tolerance of computed numbers: rounding differs between processors, and Newton iterations amplify it."""

each_model = pytest.mark.parametrize("name", sorted(EXPECTED["models"]))
each_run = pytest.mark.parametrize("name", sorted(EXPECTED["runs"]))


def require_close(found: Any, expected: Any) -> None:
    """Compare an array with recorded numbers, relative to the largest of them; None stands for not-a-number."""
    wanted = np.array(expected, dtype=float)
    scale = max(np.nanmax(np.abs(wanted), initial=0.0), 1e-3)
    np.testing.assert_allclose(np.asarray(found, dtype=float), wanted, rtol=0, atol=COMPUTED * scale)


# --- model files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", MODEL_FILES)
def test_a_model_file_round_trips_exactly(file: str, tmp_path: Path) -> None:
    model = gs.Model.load(FIXTURES / file)
    model.save(tmp_path / file)
    assert (tmp_path / file).read_bytes() == (FIXTURES / file).read_bytes()
    assert gs.Model.load(tmp_path / file) == model


@each_model
def test_yaml_and_json_hold_the_same_model(name: str) -> None:
    assert gs.Model.load(FIXTURES / f"{name}.yaml") == gs.Model.load(FIXTURES / f"{name}.json")


@each_model
def test_a_model_gives_the_recorded_numbers(name: str) -> None:
    model, expected = gs.Model.load(FIXTURES / f"{name}.yaml"), EXPECTED["models"][name]
    assert model.values() == expected["values"]
    given = {parameter: 2.0 for parameter in model.parameters if parameter not in expected["values"]}
    system = gs.formulate(model)
    assert [list(names) for names in (system.coordinate_names, system.speed_names, system.inputs)] == expected["names"]
    q, u = system.initial_values(given)
    require_close(q, expected["q"])
    require_close(u, expected["u"])
    require_close(system.mass_matrix(q, t=0.3, parameters=given), expected["mass_matrix"])
    loads = system.inverse_dynamics(q, u, np.ones_like(u), t=0.3, parameters=given)
    require_close(loads, expected["inverse_dynamics"])
    if model.constraints:
        assert [row.name for row in system.constraints] == expected["constraints"]
        require_close(system.constraint_rates(q, u + 0.1, t=0.3, parameters=given), expected["constraint_rates"])
    else:
        inputs = {"motor": 0.7, "pusher": 2}
        udot = system.forward_dynamics(q, u, t=0.3, inputs=inputs, parameters=given)
        require_close(udot, expected["forward_dynamics"])


# --- result files -----------------------------------------------------------------------------------------------------


@each_run
def test_a_result_file_holds_the_recorded_states(name: str) -> None:
    run, expected = gs.load(FIXTURES / f"{name}.nc"), EXPECTED["runs"][name]
    for part, values in expected["stored"].items():
        assert getattr(run, part).tolist() == values, part
    assert run.system.model == gs.Model.load(FIXTURES / f"{name}.yaml")
    assert (run.status.outcome.name, run.status.steps) == (expected["outcome"], expected["steps"])
    assert repr(run.integrator) == expected["integrator"]
    found = [[one.event, one.time, one.direction, one.u_after.tolist()] for one in run.events]
    assert found == expected["events"]


@each_run
def test_a_result_file_gives_the_recorded_outputs(name: str) -> None:
    run, expected = gs.load(FIXTURES / f"{name}.nc"), EXPECTED["runs"][name]
    for output, values in expected["outputs"].items():
        require_close(run[output], values)
    energy, reaction = run.energy(), run.reaction(expected["joint"])
    for part, values in expected["energy"].items():
        require_close(energy[part], values)
    for part, values in expected["reaction"].items():
        require_close(reaction[part], values)
    between = run.at(expected["at"]["time"])
    require_close(between.q, expected["at"]["q"])
    require_close(between.u, expected["at"]["u"])


# --- stores of sweeps -------------------------------------------------------------------------------------------------


def resumed(store: Path) -> gs.Sweep:
    """Resume the sweep that the stores were made by."""
    analysis = gs.Simulation(
        0.2,
        step=0.1,
        initial={"time": 0.4},
        outputs=["last(θ)", "rms(time.rate)", "bar2.tip", gs.EventCount("crossing")],
        events=[gs.Event("crossing", "θ")],
    )
    over = {"m": [-1.0, 1.0, 2.0, 3.0], "motor": ["0.5", "sin(t)"]}
    model = gs.Model.load(FIXTURES / "chain.yaml")
    return gs.sweep(model, over, analysis, store=store, resume=True, workers=1, progress=False)


def require_recorded(found: gs.Sweep) -> None:
    expected = EXPECTED["sweep"]
    assert found.names == list(expected["values"])
    assert found["status"].values.tolist() == expected["status"]
    for name, values in expected["values"].items():
        require_close(found[name], values)
        assert found[name].attrs.get("units", "") == expected["units"][name]


def test_a_finished_store_is_read() -> None:
    with pytest.warns(GyrostatWarning, match=r"finished.zarr has 8 points that version 0\.1\.0 wrote without digests"):
        found = gs.load_sweep(FIXTURES / "finished.zarr")
    assert found.complete
    require_recorded(found)
    assert [failure.number for failure in found.failures] == [0, 1]


def test_an_interrupted_store_is_read_as_far_as_it_came() -> None:
    with pytest.warns(GyrostatWarning, match="has 4 points that version"):
        found = gs.load_sweep(FIXTURES / "interrupted.zarr")
    assert not found.complete
    assert found["status"].values.tolist() == EXPECTED["sweep"]["interrupted"]
    assert found.count(gs.PointStatus.NOT_RUN) == 4


@pytest.mark.parametrize(("name", "there"), [("finished", 8), ("interrupted", 4)])
def test_a_store_is_resumed(name: str, there: int, tmp_path: Path) -> None:
    store = tmp_path / f"{name}.zarr"
    shutil.copytree(FIXTURES / f"{name}.zarr", store)
    with pytest.warns(GyrostatWarning, match=f"has {there} points that version"):
        found = resumed(store)
    assert found.reused == there
    assert found.complete
    require_recorded(found)
    with pytest.warns(GyrostatWarning, match=f"has {there} points that version"):
        again = gs.load_sweep(store)
    require_recorded(again)
