"""FMUs: contents, the interface by ctypes, agreement with simulations in fmpy, derivatives, events, refusals."""

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
from campaign import campaign
from robots import files
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError
from gyrostat.io.fmu import export, platforms
from gyrostat.model.formula import Formula

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


def bouncing() -> gs.Model:
    """Return a ball that bounces with a restitution; its speed of approach is set at each touch."""
    model = gs.Model("bouncing", gravity=(0, 0, -9.81))
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("z", "ground", "ball", axis="z", initial=0.6))
    law = gs.HuntCrossley(1e5, restitution=0.7)
    model.add(gs.Contact("touch", "ball", "ground", law, shape_a=gs.shapes.Sphere(0.1), shape_b=gs.shapes.Plane()))
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
    "bouncing": bouncing,
    **{
        name: lambda name=name: gs.Model.load(EXAMPLES / f"{name}.yaml")
        for name in ("double_pendulum", "four_bar", "gyrostat_satellite")
    },
}
DURATION = {"four_bar": 0.2}  # its crank makes 66 turns in a second
INPUTS = {"servo": {"target": 0.6}, "double_pendulum": {"motor": 0.3}, "four_bar": {"motor": 0.1}}


def unit(name: str, folder: Path, **choices: Any) -> Path:
    return gs.export_fmu(gs.formulate(MODELS[name]()), folder / f"{name}.fmu", name="unit", **choices)


# --- in fmpy ---------------------------------------------------------------------------------------------------------


def compare(fmpy: Any, name: str, path: Path, kind: str, *, within: float = 1e-8) -> None:
    """Compare the motion of a unit in fmpy with that of the package."""
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
            str(path),
            stop_time=duration,
            output_interval=duration / 100,
            relative_tolerance=1e-12 if kind == "ModelExchange" else 1e-10,  # fmpy's integrator needs more
            start_values=values,
            fmi_type=kind,
        )
    for state in (*system.coordinate_names, *system.speed_names, *system.state_names):
        series = np.interp(ours.time, theirs["time"], theirs[state])
        largest = max(1.0, np.abs(ours[state].values).max())
        np.testing.assert_allclose(series, ours[state].values, rtol=0, atol=within * largest)


@pytest.mark.parametrize("name", MODELS)
def test_fmpy_finds_no_fault_and_gets_the_same_motion(name, fmpy, tmp_path):
    path = unit(name, tmp_path)
    assert fmpy.validation.validate_fmu(str(path)) == []
    compare(fmpy, name, path, "ModelExchange")
    compare(fmpy, name, path, "CoSimulation")


@pytest.mark.parametrize("name", ["ball", "bouncing", "double_pendulum"])
def test_fmi3_in_fmpy(name, fmpy, tmp_path):
    path = unit(name, tmp_path, version="3.0")
    assert fmpy.validation.validate_fmu(str(path)) == []
    compare(fmpy, name, path, "ModelExchange")
    compare(fmpy, name, path, "CoSimulation")


@pytest.mark.parametrize("name", ["servo", "bouncing", "four_bar"])
def test_stiff_co_simulation(name, fmpy, tmp_path):
    path = unit(name, tmp_path, kind="co-simulation", integrator=gs.Rodas5P(rtol=1e-9, atol=1e-11))
    assert fmpy.validation.validate_fmu(str(path)) == []
    compare(fmpy, name, path, "CoSimulation")


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("name", ["four_bar", "gyrostat_satellite"])
def test_units_stay_on_their_constraints(name, kind, fmpy, tmp_path):
    """With loose tolerances the state stays on the constraints, and Euler parameters at unit length."""
    path, system = unit(name, tmp_path, integrator=gs.DOP853(rtol=1e-5, atol=1e-7)), gs.formulate(MODELS[name]())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        run = fmpy.simulate_fmu(str(path), stop_time=0.5, output_interval=0.01, relative_tolerance=1e-5, fmi_type=kind)
    last = run[-1]
    q, u = ([last[state] for state in names] for names in (system.coordinate_names, system.speed_names))
    if system.constraints:
        given = {"t": 0.5, "q": q, "u": u, "z": [], "parameters": system.parameter_values(), "inputs": [0.0]}
        found = system.program("constraints").evaluate(given)
        assert max(np.abs(found[name]).max() for name in ("residuals", "speeds")) < 1e-7
    for first in system.coordinates.euler_parameters.values():
        assert np.linalg.norm(q[first : first + 4]) == pytest.approx(1, abs=1e-8)


ARM = "robots/kinova_description/robots/kinova.urdf"
HUMANOID = "robots/g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf"


@campaign([HUMANOID, ARM], "name", few=[ARM])
def test_robots(name, fmpy, tmp_path):
    """An arm, and a humanoid with 43 joints, whose source takes half a minute to compile."""
    if name not in files():
        pytest.skip("peer 'example-robot-data' is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        system = gs.formulate(gs.load_urdf(files()[name], actuators=False))
    assert len(system.coordinate_names) == {HUMANOID: 43, ARM: 6}[name]
    path = gs.export_fmu(system, tmp_path / "robot.fmu")
    assert fmpy.validation.validate_fmu(str(path)) == []
    ours = gs.simulate(system, 0.1, step=0.1, integrator=gs.DOP853(rtol=1e-11, atol=1e-12), progress=False)
    for kind in ("ModelExchange", "CoSimulation"):
        theirs = fmpy.simulate_fmu(
            str(path), stop_time=0.1, output_interval=0.001, relative_tolerance=1e-12, fmi_type=kind
        )
        for state in (*system.coordinate_names, *system.speed_names):
            assert theirs[state][-1] == pytest.approx(ours[state].values[-1], rel=1e-8, abs=1e-8)


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

    def directional(self, unknown: list[int], known: list[int], seed: Any) -> Any:
        sizes = [ctypes.c_size_t(len(places)) for places in (unknown, known)]
        first, second = ((ctypes.c_uint * len(places))(*places) for places in (unknown, known))
        seeds, found = (ctypes.c_double * len(known))(*seed), np.full(len(unknown), np.nan)
        target = found.ctypes.data_as(ctypes.c_void_p)
        assert self.call("GetDirectionalDerivative", first, sizes[0], second, sizes[1], seeds, target) == 0
        return found

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


def test_kinds(tmp_path):
    for kind, tags, possible in (
        ("model-exchange", ["ModelExchange"], [0]),
        ("co-simulation", ["CoSimulation"], [1]),
        ("both", ["ModelExchange", "CoSimulation"], [0, 1]),
    ):
        one = Opened(unit("servo", tmp_path, kind=kind, force=True), tmp_path / kind)
        found = [tag for tag in ("ModelExchange", "CoSimulation") if one.description.find(tag) is not None]
        assert found == tags
        assert [number for number in (0, 1) if one.instantiate(one.guid, kind=number) is not None] == possible


def test_directional_derivatives(tmp_path):
    """By states and inputs, compared with differences, also of a motor that is held at its greatest voltage."""
    one = Opened(unit("servo", tmp_path), tmp_path / "open")
    names = [variable.get("name") for variable in one.description.iter("ScalarVariable")]
    known = [names.index(name) for name in ("a", "a.rate", "motor.current", "target")]
    unknown = [names.index(name) for name in ("der(a)", "der(a.rate)", "der(motor.current)", "a")]
    for target in (0.25, 5.0):
        start = np.array([0.2, -0.3, 0.4, target])

        def rates(values):
            one.write_states(values[:3])
            one.real("SetReal", known[3], values[3])
            return np.array([one.real("GetReal", place)[1] for place in unknown])

        for j in range(4):
            seed = np.eye(4)[j]
            expected = (rates(start + 1e-6 * seed) - rates(start - 1e-6 * seed)) / 2e-6
            rates(start)
            np.testing.assert_allclose(one.directional(unknown, known, seed), expected, rtol=1e-6, atol=1e-6)
    one.instance = ctypes.c_void_p(one.instantiate(one.guid))
    references, values = (ctypes.c_uint * 1)(names.index("m")), (ctypes.c_double * 1)(1.0)
    size = ctypes.c_size_t(1)
    assert one.call("GetDirectionalDerivative", references, size, references, size, values, values) == 3  # a parameter


def test_speeds_of_approach_are_set_at_touch(tmp_path):
    one = Opened(unit("bouncing", tmp_path), tmp_path / "open")
    one.write_states([0.2, -2.0, 0.0])
    assert one.call("EnterContinuousTimeMode") == 0
    one.write_states([0.1 - 1e-9, -3.0, 0.0])
    assert one.call("EnterEventMode") == 0
    info = (ctypes.c_int * 8)()
    assert one.call("NewDiscreteStates", info) == 0
    assert info[3] == 1  # values of continuous states have changed
    np.testing.assert_allclose(one.read("GetContinuousStates", 3), [0.1 - 1e-9, -3.0, 3.0])
    assert one.call("NewDiscreteStates", info) == 0
    assert info[3] == 0


def test_inputs_change_within_steps(tmp_path):
    """A mass pushed by a force that grows by 2 N/s, in one step: x = t³/3, the output's derivative t²."""
    model = gs.Model("mass")
    model.add(gs.Body("mass", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.Actuator("push", "x"))
    for integrator in (gs.DOP853(), gs.RKF45(), gs.Rodas5P()):
        path = gs.export_fmu(gs.formulate(model), tmp_path / "mass.fmu", name="unit", integrator=integrator, force=True)
        one = Opened(path, tmp_path / type(integrator).__name__)
        one.instance = ctypes.c_void_p(one.instantiate(one.guid, kind=1))
        places, orders, rates = (ctypes.c_uint * 1)(5), (ctypes.c_int * 1)(1), (ctypes.c_double * 1)(2.0)
        assert one.call("SetRealInputDerivatives", places, ctypes.c_size_t(1), orders, rates) == 0
        assert one.call("DoStep", ctypes.c_double(0.0), ctypes.c_double(1.5), 0) == 0
        assert one.real("GetReal", 1)[1] == pytest.approx(1.5**3 / 3, rel=1e-7)
        assert one.real("GetReal", 0)[1] == 1.5
        places[0] = 1
        assert one.call("GetRealOutputDerivatives", places, ctypes.c_size_t(1), orders, rates) == 0
        assert rates[0] == pytest.approx(1.5**2, rel=1e-7)
        assert one.call("SetRealInputDerivatives", places, ctypes.c_size_t(1), orders, rates) == 3  # no input


@campaign(list(platforms.PLATFORMS), "name", few=["linux64", "darwin64"])
def test_binaries_of_other_platforms(name, tmp_path):
    if not platforms.PLATFORMS[name].is_this:
        pytest.importorskip("ziglang", reason="peer 'ziglang' is not installed")
    path = unit("servo", tmp_path, platforms=[name])
    with zipfile.ZipFile(path) as archive:
        (file,) = (file for file in archive.namelist() if file.startswith("binaries/"))
        content = archive.read(file)
    place, suffix, machine = {
        "linux64": ("linux64", "so", content[18:20] == b"\x3e\x00"),
        "win64": ("win64", "dll", content[int.from_bytes(content[60:64], "little") :][:6] == b"PE\0\0\x64\x86"),
        "darwin64": ("darwin64", "dylib", content[4:8] == b"\x07\x00\x00\x01"),
    }[name]
    assert file == f"binaries/{place}/unit.{suffix}"
    assert machine, "not x86-64"
    assert b"fmi2DoStep" in content


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


@pytest.mark.parametrize(("name", "version"), [("ball", "2.0"), ("double_pendulum", "2.0"), ("ball", "3.0")])
def test_sources_compile_without_warnings(name, version, tmp_path):
    with zipfile.ZipFile(unit(name, tmp_path, version=version)) as archive:
        archive.extractall(tmp_path)
    sources = sorted((tmp_path / "sources").glob("*.c"))
    assert [source.name for source in sources] == [
        f"fmu-fmi{version[0]}.c",
        "fmu-instance.c",
        "fmu-integration.c",
        "fmu-projection.c",
        "fmu-unit.c",
        "unit.c",
    ]
    subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "-o", tmp_path / "x.so", *sources, "-lm"], check=True)


def test_the_same_system_gives_the_same_description(tmp_path, monkeypatch):
    monkeypatch.setattr(export, "compile_library", lambda target, sources, binary: binary.write_bytes(b""))
    first, second = (
        zipfile.ZipFile(gs.export_fmu(gs.formulate(servo()), tmp_path / f"{i}.fmu")).read("modelDescription.xml")
        for i in range(2)
    )
    assert first == second


# --- outputs ---------------------------------------------------------------------------------------------------------

OUTPUTS = ["rod.y", "2*motor.current + a", "a.acc", "a", "motor.torque", "where(a > 0.1, target*a, 0)"]
"""A place, formulas, an acceleration and a load of the servo, and a state, which is an output in any case."""


def output_formulas(system: gs.System) -> Any:
    """Return the values of the outputs at states and targets, from the package's own programs."""
    formulas = {name: Formula.of(name) for name in OUTPUTS if name != "a"}
    program, parameters = system.signal_values(formulas), system.parameter_values(None)

    def values(y: Any) -> Any:
        return program.loop(np.concatenate([[0.0], y[:3], parameters, y[3:]])[None])[0]

    return values


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_outputs_in_fmpy(version, fmpy, tmp_path):
    path = unit("servo", tmp_path, outputs=OUTPUTS, version=version)
    assert fmpy.validation.validate_fmu(str(path)) == []
    own = [name for name in OUTPUTS if name != "a"]
    values = output_formulas(gs.formulate(servo()))
    for kind in ("ModelExchange", "CoSimulation"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            found = fmpy.simulate_fmu(
                str(path), stop_time=0.5, output_interval=0.1, start_values={"target": 0.6}, fmi_type=kind
            )
        assert set(own) < set(found.dtype.names)
        for row in found:
            expected = values([row["a"], row["a.rate"], row["motor.current"], 0.6])
            np.testing.assert_allclose([row[name] for name in own], expected, rtol=1e-9, atol=1e-9)


def test_outputs_and_their_derivatives(tmp_path):
    """Directional derivatives and rates are those of the values, by differences."""
    one = Opened(unit("servo", tmp_path, outputs=OUTPUTS), tmp_path / "open")
    names = [variable.get("name") for variable in one.description.iter("ScalarVariable")]
    own = [names.index(name) for name in OUTPUTS if name != "a"]
    known = [names.index(name) for name in ("a", "a.rate", "motor.current", "target")]
    unknowns = [int(each.get("index")) - 1 for each in one.description.iter("Unknown")]
    assert all(unknowns.count(place) == 2 for place in own), "outputs, and unknown at the start"
    values, start = output_formulas(gs.formulate(servo())), np.array([0.2, -0.3, 0.4, 0.25])

    def move(y: Any) -> None:
        one.write_states(y[:3])
        one.real("SetReal", known[3], y[3])

    move(start)
    found = [one.real("GetReal", place)[1] for place in own]
    np.testing.assert_allclose(found, values(start), rtol=1e-12, atol=1e-14)
    for j in range(4):
        seed = np.eye(4)[j]
        expected = (values(start + 1e-6 * seed) - values(start - 1e-6 * seed)) / 2e-6
        np.testing.assert_allclose(one.directional(own, known, seed), expected, rtol=1e-6, atol=1e-6)
    size, places, orders = ctypes.c_size_t(len(own)), (ctypes.c_uint * len(own))(*own), (ctypes.c_int * len(own))()
    slope = np.array([*one.read("GetDerivatives", 3), 0.7])  # of the states and the target
    rates = np.full(len(own), np.nan)
    assert one.call("SetRealInputDerivatives", (ctypes.c_uint * 1)(known[3]), ctypes.c_size_t(1),
                    (ctypes.c_int * 1)(1), (ctypes.c_double * 1)(0.7)) == 0  # fmt: skip
    orders[:] = [1] * len(own)
    assert one.call("GetRealOutputDerivatives", places, size, orders, rates.ctypes.data_as(ctypes.c_void_p)) == 0
    expected = (values(start + 1e-6 * slope) - values(start - 1e-6 * slope)) / 2e-6
    np.testing.assert_allclose(rates, expected, rtol=1e-6, atol=1e-6)
    assert one.real("SetReal", own[0], 1)[0] == 3  # outputs cannot be set
    one.write_states([np.nan] * 3)
    assert one.real("GetReal", own[0])[0] == 2  # to be discarded


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (["rod.why"], r"rod\.why"),
        (["target"], r"The output 'target' has the name of a variable of the unit, in inputs\. Leave it out"),
        ("rod.y", r"outputs='rod\.y' is no list of signals\. Write outputs=\['rod\.y'\]\."),
        ([3], r"The output 3 of an FMU is no text\. Write a signal or a formula\."),
    ],
)
def test_wrong_outputs(outputs, message, tmp_path):
    with pytest.raises(GyrostatError, match=message):
        unit("servo", tmp_path, outputs=outputs)


# --- refusals --------------------------------------------------------------------------------------------------------


def test_refusals(tmp_path, monkeypatch):
    system = gs.formulate(servo())
    gs.export_fmu(system, tmp_path / "servo.fmu")
    with pytest.raises(GyrostatError, match=r"servo\.fmu exists already"):
        gs.export_fmu(system, tmp_path / "servo.fmu")
    model = servo()
    model.add(gs.State("v", equation="v - a", initial=0))
    with pytest.raises(GyrostatError, match=r"Model 'servo' has algebraic states \(v\), which FMI has no place for"):
        gs.export_fmu(gs.formulate(model), tmp_path / "other.fmu")
    for arguments, message in (
        ({"kind": "import"}, r"kind='import' is not known\. Use 'model-exchange', 'co-simulation', 'both'\."),
        ({"integrator": gs.RK4(0.1)}, r"An FMU cannot integrate by RK4\(.*\. It controls its steps itself: use one of"),
        ({"version": "1.0"}, r"version='1\.0' of FMI is not known\. Use '2\.0' or '3\.0'\."),
        ({"platforms": ["win32"]}, r"Platform 'win32' is not known\. Did you mean 'win64'\?"),
        ({"platforms": "win64"}, r"platforms='win64' is no list of platforms\. Write platforms=\['linux64'"),
    ):
        with pytest.raises(GyrostatError, match=message):
            gs.export_fmu(system, tmp_path / "other.fmu", **arguments)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(platforms.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(GyrostatError, match=r"An FMU needs a C compiler, and there is none\. Install gcc or clang, or"):
        gs.export_fmu(system, tmp_path / "other.fmu")
    with pytest.raises(GyrostatError, match=r"Binaries for win64 need the compiler of ziglang\. Install it: pip"):
        gs.export_fmu(system, tmp_path / "other.fmu", platforms=["win64"])
    assert not (tmp_path / "other.fmu").exists()


def test_laws_tables_delays_and_samples_are_left_to_the_importing_tool(tmp_path, monkeypatch):
    monkeypatch.setattr(export, "compile_library", lambda target, sources, binary: binary.write_bytes(b""))
    model = servo()
    model.replace(gs.Input("target", law="0.6*sin(t)"))
    message = r"laws and tables are not part of a unit; connect these inputs, which are zero otherwise: target\."
    with pytest.warns(gs.GyrostatWarning, match=message):
        gs.export_fmu(gs.formulate(model), tmp_path / "law.fmu")
    for block in (gs.Delay("late", "a", 0.1), gs.Sampled("held", 0.01, "-a")):
        model = servo()
        model.add(block)
        message = (
            rf"Model 'servo' has sampled blocks or delays \('{block.name}'\), which an FMU does not contain\. Repl"
        )
        with pytest.raises(GyrostatError, match=message):
            gs.export_fmu(gs.formulate(model), tmp_path / "block.fmu")


def test_export_command(tmp_path):
    file = str(EXAMPLES / "double_pendulum.yaml")
    call = ["export", file, "--to", "fmu", "--out", str(tmp_path / "dp.fmu"), "--output", "bar2.tip.x"]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 0, result.output
    with zipfile.ZipFile(tmp_path / "dp.fmu") as archive:
        assert b'name="bar2.tip.x"' in archive.read("modelDescription.xml")
