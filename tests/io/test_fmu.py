"""FMUs for model exchange: contents, the interface by ctypes, agreement with simulations in fmpy, events, refusals."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError
from gyrostat.io.fmu import export

EXAMPLES = Path(__file__).parents[2] / "examples"
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


@pytest.fixture(scope="module")
def fmpy() -> Any:
    pytest.importorskip("fmpy.validation", reason="peer 'fmpy' is not installed")
    return pytest.importorskip("fmpy")


def ball() -> gs.Model:
    """Return a ball on an elastic floor that it leaves and meets, with a counter of whole metres."""
    model = gs.Model("ball", gravity=(0, 0, -9.81), parameters={"k": 2e4, "c": 20})
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("z", "ground", "ball", axis="z", initial=1.05))
    model.add(gs.Force("contact", "ball", (0, 0, "where(z < 0, -k*z - c*z.rate, 0)")))
    model.add(gs.State("steps", "floor(4*z)"))
    return model


def servo() -> gs.Model:
    """Return a hinged bar that a motor with limited voltage turns; the voltage follows an input."""
    model = gs.Model("servo", gravity=(0, -9.81, 0), parameters={"m": 0.5, "l": 0.4})
    model.add(gs.Body("rod", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a", "ground", "rod.top"))
    model.add(gs.Input("target"))
    model.add(gs.DCMotor("motor", "a", 1.2, 0.02, 0.05, gear=20, voltage="min(6, max(-6, 40*(target - a)))"))
    return model


MODELS: dict[str, Callable[[], gs.Model]] = {
    "ball": ball,
    "servo": servo,
    **{
        name: lambda name=name: gs.Model.load(EXAMPLES / f"{name}.yaml")
        for name in ("double_pendulum", "four_bar", "gyrostat_satellite")
    },
}
DURATION = {"four_bar": 0.2}  # its crank makes 66 turns in a second
INPUTS = {"servo": {"target": 0.6}, "double_pendulum": {"motor": 0.3}, "four_bar": {"motor": 0.1}}


def unit(name: str, folder: Path) -> Path:
    return gs.export_fmu(gs.formulate(MODELS[name]()), folder / f"{name}.fmu", name="unit")


# --- in fmpy ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_fmpy_finds_no_fault_and_gets_the_same_motion(name, fmpy, tmp_path):
    path = unit(name, tmp_path)
    assert fmpy.validation.validate_fmu(str(path)) == []
    system, values, duration = gs.formulate(MODELS[name]()), INPUTS.get(name, {}), DURATION.get(name, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        ours = gs.simulate(
            system,
            duration,
            step=duration / 10,
            inputs=values,
            integrator=gs.DOP853(rtol=1e-11, atol=1e-12),
            progress=False,
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        theirs = fmpy.simulate_fmu(
            str(path), stop_time=duration, output_interval=duration / 100, relative_tolerance=1e-10, start_values=values
        )
    for state in (*system.coordinate_names, *system.speed_names, *system.state_names):
        series = np.interp(ours.time, theirs["time"], theirs[state])
        np.testing.assert_allclose(series, ours[state].values, rtol=1e-6, atol=1e-6 if name == "ball" else 1e-8)


# --- by itself -------------------------------------------------------------------------------------------------------


class Opened:
    """An FMU whose functions are called directly."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        self.description = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.library = ctypes.CDLL(str(next((folder / "binaries").rglob("unit.*"))))
        self.library.fmi2Instantiate.restype = ctypes.c_void_p
        self.guid = str(self.description.get("guid"))
        self.instance = ctypes.c_void_p(self.instantiate(self.guid))

    def instantiate(self, guid: str, kind: int = 0) -> Any:
        return self.library.fmi2Instantiate(b"one", kind, guid.encode(), b"", None, 0, 0)

    def call(self, function: str, *arguments: Any) -> int:
        return int(getattr(self.library, f"fmi2{function}")(self.instance, *arguments))

    def read(self, function: str, size: int) -> Any:
        values = np.full(size, np.nan)
        status = self.call(function, values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(size))
        assert status == 0
        return values

    def write_states(self, values: Any) -> None:
        array = np.asarray(values, dtype=float)
        self.call("SetContinuousStates", array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(array)))

    def real(self, function: str, reference: int, value: float = 0.0) -> tuple[int, float]:
        references, values = (ctypes.c_uint * 1)(reference), (ctypes.c_double * 1)(value)
        return self.call(function, references, ctypes.c_size_t(1), values), values[0]


def test_states_derivatives_parameters_and_inputs(tmp_path):
    system = gs.formulate(MODELS["double_pendulum"]())
    one = Opened(unit("double_pendulum", tmp_path), tmp_path / "open")
    names = [variable.get("name") for variable in one.description.iter("ScalarVariable")]
    states = ["a1", "a2", "a1.rate", "a2.rate"]
    derivatives = [f"der({name})" for name in states]
    assert names == ["time", *states, *derivatives, *system.model.parameters, "motor"]
    y = [0.3, -0.4, 0.5, 0.6]
    one.write_states(y)
    expected = [0.5, 0.6, *system.forward_dynamics(y[:2], y[2:], inputs={"motor": 2.0}, parameters={"m2": 7})]
    assert one.real("SetReal", names.index("m2"), 7)[0] == 0
    assert one.real("SetReal", names.index("motor"), 2)[0] == 0
    np.testing.assert_allclose(one.read("GetDerivatives", 4), expected, rtol=1e-12)
    assert one.real("GetReal", names.index("der(a2.rate)"))[1] == pytest.approx(expected[3], rel=1e-12)
    assert one.real("SetReal", names.index("der(a1)"), 1)[0] == 3  # derivatives cannot be set
    assert one.real("GetReal", len(names))[0] == 3
    assert one.call("Reset") == 0
    assert one.real("GetReal", names.index("m2"))[1] == system.model.values()["m2"]
    one.write_states([np.nan] * 4)
    assert one.call("GetDerivatives", (ctypes.c_double * 4)(), ctypes.c_size_t(4)) == 2  # to be discarded
    assert one.instantiate("another") is None
    assert one.instantiate(one.guid, kind=1) is None  # no co-simulation


def test_conditions_are_held_in_continuous_time(tmp_path):
    one = Opened(unit("ball", tmp_path), tmp_path / "open")
    assert one.description.get("numberOfEventIndicators") == "2"
    one.write_states([-0.01, 0.0, 0.0])
    assert one.call("EnterContinuousTimeMode") == 0
    touching = one.read("GetDerivatives", 3)
    assert touching[1] == pytest.approx(2e4 * 0.01 - 9.81)
    assert touching[2] == -1  # floor(4*z)
    one.write_states([0.01, 0.0, 0.0])  # beyond the switch, with its mode held
    assert one.read("GetDerivatives", 3)[1] == pytest.approx(-2e4 * 0.01 - 9.81)
    signs = np.sign(one.read("GetEventIndicators", 2))
    assert one.call("EnterEventMode") == 0
    assert one.call("EnterContinuousTimeMode") == 0
    np.testing.assert_allclose(one.read("GetDerivatives", 3), [0, -9.81, 0])
    one.write_states([-0.01, 0.0, 0.0])
    assert list(np.sign(one.read("GetEventIndicators", 2))) != list(signs)


def test_states_are_saved_and_restored(tmp_path):
    one = Opened(unit("servo", tmp_path), tmp_path / "open")
    one.write_states([0.1, 0.2, 0.3])
    kept = ctypes.c_void_p()
    assert one.call("GetFMUstate", ctypes.byref(kept)) == 0
    one.write_states([0.0, 0.0, 0.0])
    assert one.call("SetFMUstate", kept) == 0
    np.testing.assert_array_equal(one.read("GetContinuousStates", 3), [0.1, 0.2, 0.3])
    assert one.call("FreeFMUstate", ctypes.byref(kept)) == 0
    assert kept.value is None


@pytest.mark.parametrize("name", ["ball", "double_pendulum"])
def test_sources_compile_without_warnings(name, tmp_path):
    with zipfile.ZipFile(unit(name, tmp_path)) as archive:
        archive.extractall(tmp_path)
    sources = sorted((tmp_path / "sources").glob("*.c"))
    assert [source.name for source in sources] == ["fmi2.c", "unit.c"]
    subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "-o", tmp_path / "x.so", *sources, "-lm"], check=True)


def test_the_same_system_gives_the_same_description(tmp_path, monkeypatch):
    monkeypatch.setattr(export, "_compile", lambda sources, binary: binary.write_bytes(b""))
    first, second = (
        zipfile.ZipFile(gs.export_fmu(gs.formulate(servo()), tmp_path / f"{i}.fmu")).read("modelDescription.xml")
        for i in range(2)
    )
    assert first == second


# --- refusals --------------------------------------------------------------------------------------------------------


def test_refusals(tmp_path, monkeypatch):
    system = gs.formulate(servo())
    gs.export_fmu(system, tmp_path / "servo.fmu")
    with pytest.raises(GyrostatError, match=r"servo\.fmu exists already"):
        gs.export_fmu(system, tmp_path / "servo.fmu")
    model = servo()
    model.add(gs.State("v", equation="v - a", initial=0))
    with pytest.raises(
        GyrostatError, match=r"Model 'servo' has algebraic states \(v\), which FMI 2\.0 has no place for"
    ):
        gs.export_fmu(gs.formulate(model), tmp_path / "other.fmu")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(GyrostatError, match=r"An FMU needs a C compiler, and there is none\. Install gcc or clang\."):
        gs.export_fmu(system, tmp_path / "other.fmu")
    assert not (tmp_path / "other.fmu").exists()


def test_export_command(tmp_path):
    file = str(EXAMPLES / "double_pendulum.yaml")
    result = CliRunner().invoke(app, ["export", file, "--to", "fmu", "--out", str(tmp_path / "dp.fmu")])
    assert result.exit_code == 0, result.output
    assert zipfile.is_zipfile(tmp_path / "dp.fmu")
