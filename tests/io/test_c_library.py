"""C libraries: they compile without warnings, give the package's numbers, keep no state, and are documented."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError
from gyrostat.io.c_library import parts

EXAMPLES = Path(__file__).parents[2] / "examples"
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-ffp-contract=off")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
Floats = ctypes.POINTER(ctypes.c_double)


def compiled(system: gs.System, folder: Path, **choices: Any) -> Any:
    """Return a library of a system, compiled with all warnings as errors."""
    files = gs.export_c(system, folder, name="lib", **choices)
    subprocess.run(["gcc", *FLAGS, "-shared", "-fPIC", "-o", folder / "lib.so", folder / "lib.c", "-lm"], check=True)
    assert [file.name for file in files] == ["lib.h", "lib.c", "CMakeLists.txt", "example.c"]
    return ctypes.CDLL(str(folder / "lib.so"))


def call(function: Any, t: float, *arrays: Any, sizes: tuple[int, ...]) -> list[Any]:
    """Return the outputs of a function, which is given arrays."""
    outputs = [np.full(size, np.nan) for size in sizes]
    given = [np.ascontiguousarray(array, dtype=float) for array in arrays]
    pointers = [array.ctypes.data_as(Floats) for array in (*given, *outputs)]
    function.restype = None
    function(ctypes.c_double(t), *pointers)
    return outputs


def servo() -> gs.Model:
    """Return a hinged bar with a motor, whose current is a state, and a law with conditions."""
    model = gs.Model("servo: δ", gravity=(0, -9.81, 0), parameters={"m": 2, "double": 0.5})
    model.add(gs.Body("bar", gs.rod("m", "double", along="y"), points={"top": (0, "double/2", 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top", initial=0.4))
    model.add(gs.DCMotor("motor", "a", 1.2, 0.1, 0.05, voltage="where(a > 0.1, min(5, road), -5) + abs(a.rate)"))
    model.add(gs.Input("road"))
    return model


MODELS = {
    "servo": servo,
    **{
        name: lambda name=name: gs.Model.load(EXAMPLES / f"{name}.yaml")
        for name in ("double_pendulum", "four_bar", "gyrostat_satellite", "rolling_disc")
    },
}


@needs_gcc
@pytest.mark.parametrize("longest", [parts.LONGEST_PART, 2])
@pytest.mark.parametrize("name", MODELS)
def test_numbers_are_those_of_the_package(name, longest, tmp_path, monkeypatch):
    """Also where functions are so long that they are written in parts."""
    monkeypatch.setattr(parts, "LONGEST_PART", longest)
    system = gs.formulate(MODELS[name]())
    library = compiled(system, tmp_path, functions=("mass_matrix", "energy", "poses", "inverse_dynamics"))
    assert ("lib_rates_part2" in (tmp_path / "lib.c").read_text()) == (longest == 2)
    n_q, n_u, n_z = len(system.coordinate_names), len(system.speed_names), len(system.state_names)
    parameters = np.array(list(system.model.values().values()))
    random = np.random.default_rng(2)
    q, u, z, inputs, udot = (random.uniform(0.1, 0.5, size) for size in (n_q, n_u, n_z, len(system.inputs), n_u))
    state = (q, u, z, parameters, inputs)
    rates = np.concatenate(call(library.lib_rates, 0.3, *state, sizes=(n_q, n_u, *([n_z] if n_z else []))))
    values = [np.asarray(out).ravel() for out in np.atleast_1d(_parts(system.casadi_function("rates"), 0.3, *state))]
    np.testing.assert_allclose(rates, np.concatenate(values), rtol=1e-10, atol=1e-10)
    (M,) = call(library.lib_mass_matrix, 0.3, *state, sizes=(n_u * n_u,))
    np.testing.assert_allclose(M.reshape(n_u, n_u), system.mass_matrix(q), rtol=1e-12, atol=1e-12)
    (loads,) = call(library.lib_inverse_dynamics, 0.3, *state, udot, sizes=(n_u,))
    np.testing.assert_allclose(
        loads, np.asarray(system.casadi_function("inverse_dynamics")(0.3, *state, udot)).ravel(), rtol=1e-10, atol=1e-10
    )
    rotations, positions = call(library.lib_poses, 0.3, *state, sizes=(9 * len(system.bodies), 3 * len(system.bodies)))
    found = system.poses(q, t=0.3)
    np.testing.assert_allclose(rotations.reshape(-1, 3, 3), found.rotations, atol=1e-12)
    np.testing.assert_allclose(positions.reshape(-1, 3), found.positions, atol=1e-12)


def _parts(function: Any, *arguments: Any) -> Any:
    parts = np.empty(function.n_out(), dtype=object)
    parts[:] = [np.asarray(out) for out in function(*arguments)]
    return parts


@needs_gcc
def test_matrices_are_stored_row_by_row(tmp_path):
    system = gs.formulate(MODELS["four_bar"]())
    library = compiled(system, tmp_path, functions=("constraints",))
    state = (np.array([0.7, -0.3, 1.0]), np.ones(3), [], list(system.model.values().values()), [0.0])
    outputs = _parts(system.casadi_function("constraints"), 0.0, *state)
    found = call(library.lib_constraints, 0.0, *state, sizes=tuple(out.size for out in outputs))
    assert outputs[2].shape == (2, 3)
    np.testing.assert_allclose(found[2].reshape(2, 3), outputs[2], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found[0], outputs[0].ravel(), rtol=1e-12, atol=1e-15)


@needs_gcc
def test_initial_values(tmp_path):
    system = gs.formulate(MODELS["four_bar"]())
    library = compiled(system, tmp_path)
    q, u, z, parameters = (np.full(size, np.nan) for size in (3, 3, 1, len(system.model.parameters)))
    library.lib_initial.restype = None
    library.lib_initial(*(array.ctypes.data_as(Floats) for array in (q, u, z, parameters)))
    assembled = gs.assemble(system)
    np.testing.assert_array_equal(q, assembled.q)
    np.testing.assert_array_equal(u, assembled.u)
    np.testing.assert_array_equal(parameters, list(system.model.values().values()))


@needs_gcc
def test_the_library_has_no_state_and_no_allocation(tmp_path):
    compiled(gs.formulate(servo()), tmp_path)
    subprocess.run(["gcc", *FLAGS, "-c", "-o", tmp_path / "lib.o", tmp_path / "lib.c"], check=True)
    symbols = subprocess.run(["nm", tmp_path / "lib.o"], check=True, capture_output=True, text=True).stdout
    kinds = {line.split()[-2] for line in symbols.splitlines()}
    assert kinds <= {"T", "U", "r"}, symbols  # functions, those of the mathematical library, constants; no data
    called = {line.split()[-1] for line in symbols.splitlines() if " U " in line}
    assert called <= {"sin", "cos", "sincos", "fmin", "_GLOBAL_OFFSET_TABLE_"}


@needs_gcc
@pytest.mark.parametrize("name", ["servo", "double_pendulum"])
def test_the_example_runs(name, tmp_path):
    system = gs.formulate(MODELS[name]())
    gs.export_c(system, tmp_path, name="lib")
    files = [tmp_path / "example.c", tmp_path / "lib.c"]
    subprocess.run(["gcc", *FLAGS, "-o", tmp_path / "example", *files, "-lm"], check=True)
    printed = subprocess.run([tmp_path / "example"], check=True, capture_output=True, text=True).stdout
    np.testing.assert_allclose(np.array(printed.split(), dtype=float), after_a_second(system), rtol=1e-9, atol=1e-9)


def after_a_second(system: gs.System) -> Any:
    """Return the state after 1000 steps of the classical Runge-Kutta method."""
    function, start = system.casadi_function("rates"), gs.assemble(system)
    sizes = np.cumsum([len(start.q), len(start.u)])
    given = list(system.model.values().values()), np.zeros(len(system.inputs))

    def rates(t: float, y: Any) -> Any:
        return np.concatenate([np.asarray(out).ravel() for out in function(t, *np.split(y, sizes), *given)])

    y, h = np.concatenate([start.q, start.u, start.z]), 1e-3
    for t in h * np.arange(1000):
        k1 = rates(t, y)
        k2 = rates(t + h / 2, y + h / 2 * k1)
        k3 = rates(t + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(t + h, y + h * k3))
    return y


@needs_gcc
@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_cmake_builds_library_and_example(tmp_path):
    gs.export_c(gs.formulate(servo()), tmp_path, name="lib")
    for arguments in (["-S", tmp_path, "-B", tmp_path / "build"], ["--build", tmp_path / "build"]):
        subprocess.run(["cmake", *arguments], check=True, capture_output=True)
    assert (tmp_path / "build" / "lib_example").exists()


@needs_gcc
def test_the_header_serves_c_plus_plus(tmp_path):
    gs.export_c(gs.formulate(servo()), tmp_path, name="lib")
    (tmp_path / "use.cpp").write_text('#include "lib.h"\nint main() { return LIB_N_Q - 1; }\n')
    subprocess.run(["gcc", "-xc++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", tmp_path / "use.cpp"], check=True)


def test_the_header_documents_the_arrays(tmp_path):
    gs.export_c(gs.formulate(servo()), tmp_path)
    header = (tmp_path / "servo.h").read_text()
    for text in (
        "Equations of motion of 'servo: δ'.",
        "q: [0] a",
        "z: [0] motor.current",
        "parameters: [0] m, [1] double",
        "inputs: [0] road",
        "#define SERVO_N_Z 1",
        "/* Outputs: qdot[1], udot[1], zdot[1]. */",
        "Bodies of poses, 3 x 3 rotations and positions in world axes: bar.",
    ):
        assert text in header


def test_what_cannot_be_exported(tmp_path):
    system = gs.formulate(servo())
    with pytest.raises(GyrostatError, match=r"There is no function 'energies' to export\. Did you mean 'energy'\?"):
        gs.export_c(system, tmp_path, functions=["energies"])
    gs.export_c(system, tmp_path)
    with pytest.raises(
        GyrostatError, match=r"servo\.h exists already\. Choose another name, or replace it by force=True"
    ):
        gs.export_c(system, tmp_path)
    gs.export_c(system, tmp_path, force=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(GyrostatError, match="cannot be made"):
        gs.export_c(system, tmp_path / "file")


@pytest.mark.parametrize(("name", "file"), [("2 bars", "model_2_bars"), ("δ", "model"), ("A*/b", "a_b")])
def test_names_of_models(name, file, tmp_path):
    model = gs.Model(name)
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a", "ground", "b"))
    assert gs.export_c(gs.formulate(model), tmp_path)[0].name == f"{file}.h"
    header = (tmp_path / f"{file}.h").read_text()
    assert header.count("/*") == header.count("*/")  # no comment is ended by the name


def bouncing(contact: Any) -> gs.Model:
    """Return a ball above a floor, and another one above it on a slide of its own."""
    model = gs.Model("bouncing", gravity=(0, 0, -9.81))
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Prismatic("z", "ground", "ball", axis="z", initial=1))
    model.add(gs.Body("other", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("x", ("ground", (0, 0, 5)), "other", axis="x"))
    model.add(contact)
    return model


SURFACES = {"shape_a": gs.shapes.Sphere(0.1), "shape_b": gs.shapes.Plane()}


@pytest.mark.parametrize(
    "contact",
    [
        gs.RigidContact("touch", "ball", "ground", 0.3, **SURFACES),
        gs.Contacts("touch", among=["ball", "other"], normal=gs.KelvinVoigt(1e5, 1)),
    ],
)
@pytest.mark.parametrize("export", [gs.export_c, gs.export_fmu])
def test_contacts_whose_loads_are_no_functions_are_refused(contact, export, tmp_path):
    system = gs.formulate(bouncing(contact))
    message = r"has contacts or grains whose loads only a simulation .* \('touch'\)\. Replace them by gs\.Contact"
    with pytest.raises(GyrostatError, match=message):
        export(system, tmp_path / "out")


def test_the_header_names_states_that_jump(tmp_path):
    contact = gs.Contact("touch", "ball", "ground", gs.HuntCrossley(1e5, restitution=0.7), **SURFACES)
    files = gs.export_c(gs.formulate(bouncing(contact)), tmp_path, name="lib")
    assert "The states touch.approach jump where bodies touch, which no function here does." in files[0].read_text()


def test_the_header_names_what_is_left_to_the_caller(tmp_path):
    model = servo()
    model.replace(gs.Input("road", law="sin(t)"))
    model.add(gs.Delay("late", "a", 0.1))
    model.add(gs.Sampled("held", 0.01, "-a", memory={"sum": 0}, update={"sum": "held.sum + a"}))
    header = " ".join(gs.export_c(gs.formulate(model), tmp_path, name="lib")[0].read_text().split())
    for text in (
        "The states held, held.sum are set at sample times, which no function here does.",
        "The inputs late are delayed signals, which no function here records.",
        "Laws and tables of the model that no function here evaluates: road.",
    ):
        assert text in header


def test_export_command(tmp_path):
    file = str(EXAMPLES / "double_pendulum.yaml")
    result = CliRunner().invoke(app, ["export", file, "--to", "c", "--out", str(tmp_path / "c"), "--name", "dp"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "c" / "dp.c").exists()
    failed = CliRunner().invoke(app, ["export", file, "--to", "ada", "--out", str(tmp_path)])
    assert "--to 'ada' is not known. Use c, fmu, python, numpy, jax, matlab, csv" in str(failed.exception)
