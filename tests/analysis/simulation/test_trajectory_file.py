"""Trajectories in files: exact round trips, and errors of damaged files."""

from __future__ import annotations

import dataclasses
import errno
import gc
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray

import gyrostat as gs
from gyrostat.analysis.simulation import trajectory_file
from gyrostat.results import sealed_file, whole_file
from gyrostat.results.sealed_file import FileVariable, write_sealed


def pendulum(name: str = "a1") -> gs.Model:
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"g": 9.81, "m": 2})
    model.add(gs.Body("bar", gs.rod("m", 1, along="y"), points={"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}))
    model.add(gs.Revolute(name, "ground", "bar.top"))
    model.add(gs.Actuator("motor", name))
    return model


def rich_model() -> gs.Model:
    """A model with Euler parameters, a driven coordinate, damping, two inputs and names that NetCDF dislikes."""
    model = gs.Model(
        "rich — “θ”",
        gravity=(0, "-g", 0),
        parameters={"g": 9.81, "m": gs.Parameter(2, unit="kg"), "m2": "m/3", "c": 0.1},
        description="Two lines\nwith ünïcode.",
    )
    model.add(gs.Body("bar", gs.rod("m", 1, along="y"), points={"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}))
    model.add(gs.Body("bar2", gs.rod("m2", 1, along="y"), points={"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}))
    model.add(gs.Body("cart", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Body("top", mass="m", inertia=(0.1, 0.2, 0.15), points={"pivot": (0, -0.3, 0)}))
    model.add(gs.Revolute("time", "ground", "bar.top"))
    model.add(gs.Revolute("θ", "bar.tip", "bar2.top"))
    model.add(gs.Prismatic("rail", "ground", "cart", axis="x", driven="0.1*sin(3*t)"))
    model.add(gs.Spherical("ball", "cart", "top.pivot", initial={"w1": 3, "w3": 1}))
    model.add(gs.Actuator("motor", "time"))
    model.add(gs.Actuator("parameters", "θ"))
    model.add(gs.TorsionSpring("spring", "θ", stiffness=2, damping="c"))
    return model


def rich_run(integrator: gs.Integrator) -> gs.Trajectory:
    course = gs.Table(np.linspace(0, 1, 7), np.sin(np.arange(7)), "cubic")
    return gs.simulate(
        rich_model(),
        duration=1,
        step=0.05,
        initial={"time": "40*deg", "θ.rate": 0.1},
        inputs={"motor": "3*sin(t) - c*time.rate", "parameters": course},
        integrator=integrator,
        events=[
            gs.Event("crossing", "θ"),
            gs.Event("heavier", "t - 0.31", action=gs.SetParameter("m", "2*m")),
            gs.Event("switch", "t - 0.52", "rising", [gs.SetInput("parameters", 0.5), gs.Impulse("θ", 0.2)]),
            gs.Event.lower_limit("stop", "time", "10*deg", gs.Restitution(0.5, "time")),
        ],
    )


INTEGRATORS = [
    gs.DOP853(),
    gs.RK4(step=2e-3, rotations="normalised"),
    gs.CVODE(rtol=1e-7, largest_order=3),
    gs.Rodas5P(rtol=1e-7),
]


@pytest.fixture(scope="module", params=INTEGRATORS, ids=lambda one: type(one).__name__)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[gs.Trajectory, gs.Trajectory, Path]:
    """A run, the same from its file, and the file."""
    path = tmp_path_factory.mktemp("runs") / "run.nc"
    run = rich_run(request.param)
    run.save(path)
    return run, gs.load(path), path


@pytest.fixture(scope="module")
def simple() -> gs.Trajectory:
    return gs.simulate(pendulum(), duration=1, step=0.1, initial={"a1": 1})


@pytest.fixture
def saved(simple: gs.Trajectory, tmp_path: Path) -> Path:
    simple.save(tmp_path / "run.nc")
    return tmp_path / "run.nc"


def demand_same(a: Any, b: Any) -> None:
    """Compare records, arrays and numbers bit by bit."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert (a.shape, a.dtype, a.tobytes()) == (b.shape, b.dtype, b.tobytes())
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            demand_same(one, other)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        demand_same(list(a.values()), list(b.values()))
    elif isinstance(a, (gs.Table, trajectory_file.InputPlan, trajectory_file.Segment, trajectory_file.Occurrence)):
        for field in dataclasses.fields(a):
            demand_same(getattr(a, field.name), getattr(b, field.name))
    else:
        assert a == b


# --- round trip -------------------------------------------------------------------------------------------------------


def test_states_come_back_bit_by_bit(both: tuple[gs.Trajectory, gs.Trajectory, Path]) -> None:
    run, again, _ = both
    assert len(run.motion.segments) >= 4
    assert {one.event for one in run.events} == {"crossing", "heavier", "switch", "stop"}
    for name in ("time", "q", "u", "inputs", "parameters", "rows", "events", "status", "integrator"):
        demand_same(getattr(run, name), getattr(again, name))
    demand_same(run.motion.segments, again.motion.segments)
    demand_same(run.motion.occurrences, again.motion.occurrences)
    assert again.system.model == run.system.model
    assert str(again) == str(run)
    assert again.state == run.state
    assert again.integrator == run.integrator


def test_everything_can_be_asked_as_before(both: tuple[gs.Trajectory, gs.Trajectory, Path]) -> None:
    run, again, _ = both
    times = np.sort(np.random.default_rng(5).uniform(0, 1, 40))
    demand_same(run.at(times).rows, again.at(times).rows)
    for ask in (
        lambda x: x.energy(),
        lambda x: x.momentum(),
        lambda x: x.reaction("ball"),
        lambda x: x["top.quaternion"],
        lambda x: x["rail.acc"],
        lambda x: x.dataset("bar2.tip", "spring.torque") if "spring.torque" in x else x.dataset("bar2.tip"),
        lambda x: x.at(0.3)["bar2.tip.velocity"],
    ):
        assert ask(again).identical(ask(run))


def test_events_tell_what_they_were(both: tuple[gs.Trajectory, gs.Trajectory, Path]) -> None:
    run, again, _ = both
    for before, after in zip(run.motion.problem.events, again.motion.problem.events, strict=True):
        assert (after.name, after.when, after.direction) == (before.name, before.when, before.direction)
        assert after.active == before.active
    switch = again.motion.problem.events[2]
    assert repr(switch.actions) == "(SetInput(name='parameters', value=0.5), Impulse(coordinate='θ', size=0.2))"
    with pytest.raises(gs.StateError, match=r"Event 'x' was read from a file; its action SetInput\(.* as text only"):
        switch.actions[0].effect(dataclasses.replace(_instant(run), event="x"))


def _instant(run: gs.Trajectory) -> gs.Instant:
    return gs.Instant("switch", 0.0, run.q[0], run.u[0], 1.0, lambda: run.u[0], run.system, {})


def test_a_second_generation_is_the_same(both: tuple[gs.Trajectory, gs.Trajectory, Path], tmp_path: Path) -> None:
    run, again, _ = both
    again.save(tmp_path / "second.nc")
    second = gs.load(tmp_path / "second.nc")
    demand_same(second.motion.segments, run.motion.segments)
    assert str(second) == str(run)


def test_a_trajectory_between_outputs_comes_back(simple: gs.Trajectory, tmp_path: Path) -> None:
    part = simple.at([0.21, 0.35, 0.77])
    part.save(tmp_path / "part.nc")
    again = gs.load(tmp_path / "part.nc")
    demand_same(again.rows, part.rows)
    demand_same(again.at([0.3, 0.7]).rows, simple.at([0.3, 0.7]).rows)


def test_works_that_the_integrator_added_up_come_back(tmp_path: Path) -> None:
    model = gs.Model("block")
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", initial=1.0))
    model.add(gs.TorsionSpring("push", "x", stiffness=4, damping=0.3, torque="where(t > 0.5, 2*sin(3*t), 0)"))
    run = gs.simulate(model, duration=2, step=0.1)
    run.save(tmp_path / "run.nc")
    loaded = gs.load(tmp_path / "run.nc")
    assert run.motion.segments[0].carries_work
    for one, other in zip(run.motion.segments, loaded.motion.segments, strict=True):
        assert (other.carries_work, other.work) == (one.carries_work, one.work)
        demand_same(other.works, one.works)
    times = np.linspace(0.0, 2.0, 37)
    demand_same(loaded.at(times).rows, run.at(times).rows)


def test_closed_loops_come_back(tmp_path: Path) -> None:
    model = gs.Model.load(Path(__file__).parents[3] / "examples" / "four_bar.yaml")
    run = gs.simulate(gs.formulate(model, cut=["hinge_rocker"]), duration=0.2, step=0.05)
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    assert again.system.topology.chords == ("hinge_rocker",)
    demand_same(again.rows, run.rows)
    demand_same(again.at([0.07, 0.18]).rows, run.at([0.07, 0.18]).rows)
    assert again.energy().identical(run.energy())


def test_momenta_come_back(tmp_path: Path) -> None:
    run = gs.simulate(pendulum(), duration=1, initial={"a1": 1}, integrator=gs.GaussLegendre(step=0.05), step=0.2)
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    assert again.integrator == run.integrator
    demand_same(again.motion.segments, run.motion.segments)
    demand_same(again.at([0.07, 0.18]).rows, run.at([0.07, 0.18]).rows)


def test_a_failed_run_comes_back_with_its_status(tmp_path: Path) -> None:
    with pytest.raises(IndexError) as caught:
        gs.simulate(pendulum(), duration=1, inputs={"motor": lambda t: 1.0 if t < 0.5 else [][0]})
    run = caught.value.trajectory  # type: ignore[attr-defined]
    assert run.status.outcome is gs.Outcome.INPUT_FAILED
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    assert again.status == run.status
    demand_same(again.rows, run.rows)


def test_a_model_without_inputs_parameters_and_freedoms(tmp_path: Path) -> None:
    model = gs.Model("driven")
    model.add(gs.Body("bar", gs.rod(1, 1)))
    model.add(gs.Revolute("a", "ground", "bar", driven="t**2"))
    model.add(gs.Body("free", gs.rod(1, 1)))
    model.add(gs.Prismatic("b", "ground", "free"))
    run = gs.simulate(model, duration=1, step=0.5, initial={"b.rate": 1})
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    demand_same(again.rows, run.rows)
    with xarray.open_dataset(tmp_path / "run.nc") as data:
        assert data["a"].values.tolist() == [0, 0.25, 1]


# --- what other tools see ---------------------------------------------------------------------------------------------


def test_other_tools_see_labelled_variables(both: tuple[gs.Trajectory, gs.Trajectory, Path]) -> None:
    run, _, path = both
    with xarray.open_dataset(path) as data:
        assert data["time"].attrs == {"units": "s", "long_name": "time"}
        assert data["ball.e0"].dims == ("time",)
        assert data["ball.e0"].attrs == {"units": "1", "long_name": "coordinate ball.e0"}
        assert data["name--u3b8-.rate"].attrs == {
            "units": "rad/s",
            "long_name": "rate of θ",
            "gyrostat_name": "θ.rate",
        }
        assert data["name-time"].attrs["gyrostat_name"] == "time"
        np.testing.assert_array_equal(data["name-time"], run["time"].values)
        for name in ("ball.w3", "rail", "motor", "parameters"):
            np.testing.assert_array_equal(data[name], run[name])
        assert data.attrs["title"] == "rich — “θ”"
        assert data.attrs["status"].startswith("completed, t = 1 s")
        assert data.attrs["gyrostat_model"].startswith("gyrostat: 1\n")
        versions = json.loads(data.attrs["gyrostat_record"])["versions"]
        assert versions["gyrostat"] == gs.__version__
        assert {"python", "numpy", "casadi", "llvmlite"} <= versions.keys()


def test_further_outputs_are_labelled(simple: gs.Trajectory, tmp_path: Path) -> None:
    simple.save(tmp_path / "run.nc", outputs=["bar.tip", "bar.quaternion", "bar.tip.y", "a1"])
    with xarray.open_dataset(tmp_path / "run.nc") as data:
        np.testing.assert_array_equal(data["bar.tip"].sel(axis="y"), simple["bar.tip"].sel(axis="y"))
        assert data["bar.quaternion"].coords["component"].values.tolist() == ["e0", "e1", "e2", "e3"]
        assert data["bar.tip"].attrs == {"units": "m", "long_name": "position of bar.tip"}
        np.testing.assert_array_equal(data["bar.tip.y"], simple["bar.tip.y"])
    demand_same(gs.load(tmp_path / "run.nc").rows, simple.rows)


def test_an_output_that_does_not_exist_leaves_no_file(simple: gs.Trajectory, tmp_path: Path) -> None:
    with pytest.raises(gs.StateError, match=r"There is no output 'bar\.tpi'"):
        simple.save(tmp_path / "run.nc", outputs=["bar.tpi"])
    assert not list(tmp_path.iterdir())


# --- Python functions -------------------------------------------------------------------------------------------------


def push(t: float, state: Any) -> float:
    return 3 * np.sin(5 * t) - state["a1.rate"]


@pytest.fixture
def pushed(tmp_path: Path) -> tuple[gs.Trajectory, Path]:
    run = gs.simulate(pendulum(), duration=1, step=0.1, inputs={"motor": push})
    run.save(tmp_path / "run.nc")
    return run, tmp_path / "run.nc"


def test_without_a_function_outputs_are_known(pushed: tuple[gs.Trajectory, Path]) -> None:
    run, path = pushed
    again = gs.load(path)
    demand_same(again.rows, run.rows)
    assert again["motor"].identical(run["motor"])
    assert again.reaction("a1").identical(run.reaction("a1"))
    message = (
        r"Input 'motor' was a Python function, which a file cannot keep: .* Give it again: "
        r"gs.load\('.*run.nc', inputs=\{'motor': function\}\)"
    )
    with pytest.raises(gs.StateError, match=message):
        again.at(0.55)
    with pytest.raises(gs.StateError, match=message):
        again.energy()


def test_with_the_function_given_again_all_is_known(pushed: tuple[gs.Trajectory, Path]) -> None:
    run, path = pushed
    again = gs.load(path, inputs={"motor": push})
    demand_same(again.at([0.15, 0.55]).rows, run.at([0.15, 0.55]).rows)
    assert again.energy().identical(run.energy())


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"motor": lambda t: 7.0}, r"The function given for input 'motor' is not the one of .*: at t = 0 it gives 7, "),
        ({"mtor": push}, r"'mtor' is not an input that was a Python function. Did you mean 'motor'\?"),
        ({"motor": 3.0}, r"Input 'motor' was given by 1 Python function. Give it again: inputs=\{'motor': function\}"),
        ({"motor": [push, push]}, r"was given by 1 Python function"),
    ],
)
def test_functions_that_do_not_fit(pushed: tuple[gs.Trajectory, Path], inputs: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.load(pushed[1], inputs=inputs)


def test_functions_for_a_file_that_needs_none(saved: Path) -> None:
    with pytest.raises(gs.StateError, match=r"'motor' is not an input that was .* It has no such inputs\."):
        gs.load(saved, inputs={"motor": push})


def test_several_functions_of_one_input(tmp_path: Path) -> None:
    def pull(t: float) -> float:
        return -t

    events = [gs.Event.at_time("switch", 0.5, gs.SetInput("motor", pull))]
    run = gs.simulate(pendulum(), duration=1, step=0.1, inputs={"motor": push}, events=events)
    run.save(tmp_path / "run.nc")
    with pytest.raises(gs.StateError, match=r"by 2 Python functions. Give all of them, in order: inputs=\{'motor': \["):
        gs.load(tmp_path / "run.nc", inputs={"motor": push})
    with pytest.raises(gs.StateError, match="is not the one of"):
        gs.load(tmp_path / "run.nc", inputs={"motor": [pull, push]})
    again = gs.load(tmp_path / "run.nc", inputs={"motor": [push, pull]})
    demand_same(again.at([0.25, 0.75]).rows, run.at([0.25, 0.75]).rows)


# --- files that are damaged, or not ours ------------------------------------------------------------------------------


def test_damage_anywhere_is_recognised(saved: Path) -> None:
    whole = saved.read_bytes()
    chance = random.Random(1)
    places = [*range(400), *(chance.randrange(len(whole)) for _ in range(400)), len(whole) - 1]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        saved.write_bytes(damaged)
        with pytest.raises(gs.ResultFileError, match=r"run\.nc is (damaged: its contents|not a result of gyrostat)"):
            gs.load(saved)
    saved.write_bytes(whole)
    assert gs.load(saved).status.success


def test_damage_of_numbers_is_called_damage(saved: Path) -> None:
    damaged = bytearray(saved.read_bytes())
    damaged[-9] ^= 1
    saved.write_bytes(damaged)
    with pytest.raises(
        gs.ResultFileError, match=r"is damaged: its contents are not .* another copy of it, or simulate"
    ):
        gs.load(saved)


def test_a_part_of_a_file_is_recognised(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in [*range(0, 300, 7), *range(300, len(whole), 997), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with pytest.raises(gs.ResultFileError, match=r"run\.nc is (damaged|not a result of gyrostat)"):
            gs.load(saved)
    saved.write_bytes(whole + b"\0")
    with pytest.raises(gs.ResultFileError, match="is damaged"):
        gs.load(saved)


@pytest.mark.parametrize(
    "content", [b"", b"CDF", b"gyrostat: 1\n", b"\x89HDF\r\n\x1a\n" + b"gyrostat_sha256" + 500 * b"0", 9000 * b"x"]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.nc"
    path.write_bytes(content)
    with pytest.raises(gs.ResultFileError, match=r"other\.nc is not a result of gyrostat\. Results are files"):
        gs.load(path)


def test_other_netcdf_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.nc"
    xarray.Dataset({"a1": ("time", [1.0, 2.0])}).to_netcdf(path, engine="scipy")
    with pytest.raises(gs.ResultFileError, match="is not a result of gyrostat"):
        gs.load(path)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(gs.ResultFileError, match=r"none\.nc cannot be read: there is no such file\. Check the path"):
        gs.load(tmp_path / "none.nc")
    with pytest.raises(gs.ResultFileError, match="cannot be read: this is not a file"):
        gs.load(tmp_path)


def test_later_formats_are_refused(simple: gs.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr(trajectory_file, "FORMAT", 2)
        simple.save(tmp_path / "run.nc")
    with pytest.raises(
        gs.ResultFileError, match=r"has format 2, written by gyrostat .*; this version reads 1\. Install"
    ):
        gs.load(tmp_path / "run.nc")


@pytest.mark.parametrize("record", ["{}", "nonsense", '{"coordinates": "joint", "tree": ["a1"]}'])
def test_sealed_nonsense_is_refused(tmp_path: Path, record: str) -> None:
    path = tmp_path / "run.nc"
    texts = {"gyrostat_format": "1", "gyrostat_model": _text_of(pendulum(), tmp_path), "gyrostat_record": record}
    write_sealed(path, {"time": FileVariable(("time",), np.zeros(3))}, texts)
    with pytest.raises(gs.ResultFileError, match=r"run\.nc is damaged: its parts do not fit each other"):
        gs.load(path)


def test_a_forged_size_ends_in_an_error_of_ours(saved: Path) -> None:
    """The dimension `time` is said to have 2³¹ − 1 entries, and the seal is right."""
    data = bytearray(saved.read_bytes())
    place = data.index(b"\0\0\0\x04time") + 8
    data[place : place + 4] = b"\x7f\xff\xff\xff"
    saved.write_bytes(data)
    with saved.open("rb+") as file:
        seal = sealed_file._place_of_seal(bytes(data[: 1 << 16]))
        assert seal is not None
        digest = sealed_file._digest(file, seal)
        file.seek(seal)
        file.write(digest)
    with pytest.raises(gs.ResultFileError, match=r"run\.nc (cannot be read|is damaged)"):
        gs.load(saved)


def test_an_allocation_that_fails_ends_in_an_error_of_ours(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: Any, **options: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("scipy.io.netcdf_file", refused)
    with pytest.raises(gs.ResultFileError, match=r"run\.nc cannot be read: MemoryError"):
        gs.load(saved)


def _text_of(model: gs.Model, folder: Path) -> str:
    model.save(folder / "model.yaml")
    return (folder / "model.yaml").read_text(encoding="utf-8")


def changed(path: Path, change: Callable[[dict[str, str], dict[str, Any]], None]) -> None:
    """Change attributes and record of a file, and seal it again."""
    with xarray.open_dataset(path) as data:
        loaded = data.load()
    texts = {key: str(text) for key, text in loaded.attrs.items() if key != "gyrostat_sha256"}
    record = json.loads(texts["gyrostat_record"])
    change(texts, record)
    texts["gyrostat_record"] = json.dumps(record)
    variables = {str(k): FileVariable(tuple(map(str, v.dims)), v.values) for k, v in loaded.variables.items()}
    write_sealed(path, variables, texts)


def test_a_changed_file_that_is_whole_loads(saved: Path, simple: gs.Trajectory) -> None:
    changed(saved, lambda texts, record: texts.update(title="x"))
    demand_same(gs.load(saved).rows, simple.rows)


def test_unknown_components_are_named(saved: Path) -> None:
    def change(texts: dict[str, str], record: dict[str, Any]) -> None:
        texts["gyrostat_model"] = texts["gyrostat_model"].replace("Revolute", "Hinge")

    changed(saved, change)
    with pytest.raises(gs.ResultFileError, match=r"the model in it is not understood.*your own, import (.|\n)*'Hinge'"):
        gs.load(saved)


def test_unknown_integrators_are_named(saved: Path) -> None:
    changed(saved, lambda texts, record: record["integrator"].update(type="Mine"))
    with pytest.raises(gs.ResultFileError, match=r"run\.nc cannot be read: its integrator 'Mine' is not known here"):
        gs.load(saved)


def test_another_tree_is_refused(saved: Path) -> None:
    changed(saved, lambda texts, record: record.update(tree=["b7"]))
    with pytest.raises(gs.ResultFileError, match=r"run\.nc cannot be read: .*'b7'"):
        gs.load(saved)


def test_nonsense_in_a_sealed_record_ends_in_an_error_of_ours(saved: Path) -> None:
    whole = saved.read_bytes()
    keys = list(json.loads(_attributes(saved)["gyrostat_record"]))
    assert len(keys) > 10
    refused = 0
    for key in keys:
        for nonsense in (None, [], {}, 7, "x", [[7]], {"x": 7}):
            saved.write_bytes(whole)
            changed(saved, lambda texts, record, key=key, nonsense=nonsense: record.update({key: nonsense}))  # type: ignore[misc]
            try:
                gs.load(saved)
            except gs.GyrostatError:
                refused += 1
    assert refused > 4 * len(keys)


def _attributes(path: Path) -> dict[str, str]:
    with xarray.open_dataset(path) as data:
        return {str(key): str(text) for key, text in data.attrs.items()}


def test_another_order_of_coordinates_is_refused(saved: Path) -> None:
    changed(saved, lambda texts, record: record["names"].reverse())
    with pytest.raises(gs.ResultFileError, match=r"its coordinates are in another order .* Load it with that version"):
        gs.load(saved)


# --- writing ----------------------------------------------------------------------------------------------------------


def test_nothing_is_overwritten_without_force(simple: gs.Trajectory, saved: Path) -> None:
    before = saved.read_bytes()
    with pytest.raises(gs.ResultFileError, match=r"run\.nc exists already\. .* force=True \(--force\)"):
        simple.save(saved)
    assert saved.read_bytes() == before
    simple.at([0.1, 0.2]).save(saved, force=True)
    assert len(gs.load(saved).time) == 2
    assert [path.name for path in saved.parent.iterdir()] == ["run.nc"]


def test_a_file_that_appears_meanwhile_is_kept(
    simple: gs.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*arguments: Any) -> None:
        write_sealed(*arguments)
        (tmp_path / "run.nc").write_text("quicker")

    monkeypatch.setattr(trajectory_file, "write_sealed", slow)
    with pytest.raises(gs.ResultFileError, match="exists already"):
        simple.save(tmp_path / "run.nc")
    assert (tmp_path / "run.nc").read_text() == "quicker"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("moment", ["write_sealed", "fsync", "replace"])
@pytest.mark.parametrize(
    ("accident", "raised", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), gs.ResultFileError, r"cannot be written: No space left on"),
        (KeyboardInterrupt(), KeyboardInterrupt, "^$"),
    ],
)
def test_an_interrupted_write_leaves_the_old_file(
    simple: gs.Trajectory,
    saved: Path,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    accident: BaseException,
    raised: type[BaseException],
    message: str,
) -> None:
    before = saved.read_bytes()

    def fail(path: Any, *rest: Any) -> None:
        if isinstance(path, Path) and moment == "write_sealed":
            path.write_bytes(b"CDF and then")
        raise accident

    monkeypatch.setattr(trajectory_file if moment == "write_sealed" else whole_file.os, moment, fail)
    with pytest.raises(raised, match=message):
        simple.save(saved, force=True)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["run.nc"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_full_disk(saved: Path) -> None:
    """A real one: the process may write so many bytes to a file and no more, wherever that falls."""
    code = """
import resource, sys
import gyrostat as gs
run, before = gs.load(sys.argv[1]), open(sys.argv[1], "rb").read()
for limit in (0, 300, len(before) - 1):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        run.save(sys.argv[1], force=True)
    except gs.ResultFileError as error:
        print(error)
"""
    before = saved.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", code, str(saved)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"{saved} cannot be written: File too large.") for line in lines)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["run.nc"]


def test_places_that_cannot_be_written(simple: gs.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(gs.ResultFileError, match=r"cannot be written: there is no folder .*none\. Make it first"):
        simple.save(tmp_path / "none" / "run.nc")
    with pytest.raises(gs.ResultFileError, match=r"is a folder\. Give the name of a file"):
        simple.save(tmp_path, force=True)
    with pytest.raises(gs.ResultFileError, match=r"cannot be written: .*null"):
        simple.save("a\0b")
    monkeypatch.setattr(whole_file.os, "access", lambda *_: False)
    with pytest.raises(gs.ResultFileError, match="is write-protected"):
        simple.save(tmp_path / "run.nc")
    assert not list(tmp_path.iterdir())


def test_a_link_goes_on_leading_to_the_file(simple: gs.Trajectory, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "run.nc", tmp_path / "link.nc"
    simple.save(target)
    link.symlink_to(target)
    simple.at([0.1, 0.2]).save(link, force=True)
    assert link.is_symlink()
    assert len(gs.load(target).time) == 2


def test_too_many_numbers_for_a_file(tmp_path: Path) -> None:
    many = np.broadcast_to(0.0, (2**28,))
    with pytest.raises(gs.ResultFileError, match=r"'x' has 268435456 numbers, more than .* Simulate in parts"):
        write_sealed(tmp_path / "run.nc", {"x": FileVariable(("time",), many)}, {})


@dataclasses.dataclass(frozen=True)
class Odd(gs.DOP853):
    extra: Any = ()


def test_integrators_of_users(simple: gs.Trajectory, tmp_path: Path) -> None:
    for extra in (3, "text", np.float64(0.5), None):
        dataclasses.replace(simple, integrator=Odd(extra=extra)).save(tmp_path / "run.nc", force=True)
        assert gs.load(tmp_path / "run.nc").integrator == Odd(extra=extra)
    with pytest.raises(
        gs.ResultFileError, match=r"Odd has the setting extra=\(\), which cannot be kept in a file. Use"
    ):
        dataclasses.replace(simple, integrator=Odd()).save(tmp_path / "run.nc", force=True)


class Plain(gs.Integrator):
    def stepper(self, run: Any) -> Any:
        raise NotImplementedError


def test_integrators_without_settings_are_refused(simple: gs.Trajectory, tmp_path: Path) -> None:
    with pytest.raises(
        gs.ResultFileError, match=r"The integrator Plain cannot be kept in a file\. Make it a dataclass"
    ):
        dataclasses.replace(simple, integrator=Plain()).save(tmp_path / "run.nc")


@pytest.fixture(autouse=True, scope="module")
def _no_files_left_open() -> Iterator[None]:
    """An open file would be a warning, and so an error, when it is collected; once for all tests, as it takes long."""
    yield
    gc.collect()
