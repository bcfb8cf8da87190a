"""Python modules of systems: they need no gyrostat, give its numbers, and JAX differentiates and compiles them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported_models import EXAMPLES, MODELS, servo
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError

ALL = ("mass_matrix", "energy", "poses", "inverse_dynamics", "constraints")


def module(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), found)
    return found


@pytest.fixture
def jax() -> Any:
    found = pytest.importorskip("jax", reason="peer 'jax' is not installed")
    found.config.update("jax_enable_x64", True)
    return found


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("language", ["python", "numpy", "jax"])
def test_numbers_are_those_of_the_package(name, language, tmp_path, request):
    if language == "jax":
        request.getfixturevalue("jax")
    system = gs.formulate(MODELS[name]())
    text = module(gs.export_python(system, tmp_path / "system.py", language=language, functions=ALL))
    q, u, z, parameters = text["initial"]()
    u = [speed + 0.3 for speed in u]
    inputs = [0.7] * len(system.inputs)
    given = [np.array(part, dtype=float) for part in (q, u, z, parameters, inputs)]
    for recipe in ("rates", "mass_matrix", "energy", "poses", "constraints"):
        function = system.casadi_function(recipe)
        expected = function(0.0, *given)
        expected = expected if isinstance(expected, tuple | list) else [expected]
        found = text[recipe](0.0, *given)
        found = found if isinstance(found, tuple) else (found,)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(np.asarray(one).ravel(), np.asarray(other).ravel(), rtol=1e-12, atol=1e-12)
    M = np.asarray(text["mass_matrix"](0.0, *given), dtype=float)
    assert M.reshape(len(u), len(u)).shape == (len(u), len(u))


def test_jax_differentiates_compiles_and_maps(jax, tmp_path):
    system = gs.formulate(MODELS["double_pendulum"]())
    text = module(gs.export_python(system, tmp_path / "system.py", language="jax"))
    q, u, z, parameters = (jax.numpy.array(part) for part in text["initial"]())
    q, u = q + 0.3, u + 0.2

    def accelerations(q):
        return text["rates"](0.0, q, u, z, parameters, jax.numpy.zeros(1))[1]

    derivatives = system.forward_dynamics_derivatives(np.asarray(q), np.asarray(u))
    np.testing.assert_allclose(jax.jacobian(accelerations)(q), derivatives["q"], rtol=1e-10)
    many = jax.jit(jax.vmap(accelerations))(jax.numpy.stack([q, 2 * q]))
    np.testing.assert_allclose(many[1], accelerations(2 * q), rtol=1e-12)


def test_the_module_needs_no_gyrostat(tmp_path):
    path = gs.export_python(gs.formulate(MODELS["double_pendulum"]()), tmp_path / "pendulum.py")
    code = "import sys, pendulum as p; q, u, z, c = p.initial(); p.rates(0, q, u, z, c, [0]); "
    code += "assert not {'gyrostat', 'numpy', 'casadi'} & set(sys.modules)"
    subprocess.run([sys.executable, "-S", "-c", code], cwd=path.parent, env={}, check=True)


@pytest.mark.parametrize("name", ['"""; import os; """', "a\\", "{x}", "'", 'end"'])
def test_names_of_models_are_no_code(name, tmp_path):
    model = servo()
    hostile = gs.Model(name, gravity=model.gravity, parameters={"m": 2, "l": 0.5})
    for component in model.components.values():
        if component.name != "ground":
            hostile.add(component)
    text = module(gs.export_python(gs.formulate(hostile), tmp_path / "system.py"))
    assert "os" not in text
    assert text["__doc__"].startswith("Equations of motion of ")


def test_refusals_and_command(tmp_path):
    system = gs.formulate(servo())
    with pytest.raises(GyrostatError, match=r"language='fortran' is not known\. Use 'python', 'numpy', 'jax'\."):
        gs.export_python(system, tmp_path / "x.py", language="fortran")
    with pytest.raises(GyrostatError, match=r"There is no function 'mass' to export\."):
        gs.export_python(system, tmp_path / "x.py", functions=["mass"])
    arguments = ["export", str(EXAMPLES / "double_pendulum.yaml"), "--to", "jax", "--out", str(tmp_path / "dp.py")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "import jax.numpy as jnp" in (tmp_path / "dp.py").read_text()
    with pytest.raises(GyrostatError, match=r"dp\.py exists already"):
        gs.export_python(system, tmp_path / "dp.py")
