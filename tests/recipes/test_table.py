"""The table of recipes: every entry can be formed, and reading it needs no module of formulas."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from gyrostat.recipes.table import RECIPES, FormedIn

EXAMPLE = Path(__file__).parents[2] / "examples" / "double_pendulum.yaml"
FAMILIES = {entry.outputs.module for entry in RECIPES.values() if isinstance(entry.outputs, FormedIn)}
CACHED = f"""
import json, sys
import gyrostat as gs
system = gs.formulate(gs.Model.load({str(EXAMPLE)!r}))
gs.simulate(system, duration=0.1)
system.mass_matrix(system.initial_coordinates)
print(json.dumps(list(sys.modules)))
"""


@pytest.mark.parametrize("name", RECIPES)
def test_every_entry_names_a_function_of_its_module(name: str) -> None:
    formed = RECIPES[name].outputs
    assert isinstance(formed, FormedIn)
    assert formed.name == name
    assert callable(getattr(import_module(f"gyrostat.recipes.{formed.module}"), f"form_{name}"))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_function_that_forms_outputs_has_an_entry(family: str) -> None:
    functions = [name for name in vars(import_module(f"gyrostat.recipes.{family}")) if name.startswith("form_")]
    assert all(RECIPES[name.removeprefix("form_")].outputs == FormedIn(family, name[5:]) for name in functions)


def test_a_cached_script_imports_no_formulas_and_no_slow_packages(tmp_path: Path) -> None:
    def modules() -> set[str]:
        environment = {**os.environ, "GYROSTAT_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", CACHED], capture_output=True, text=True, check=True, timeout=300, env=environment
        )
        return set(json.loads(done.stdout))

    assert "casadi" in modules()
    cached = modules()
    assert not {"casadi", "sympy", "flint", "xarray", "matplotlib"} & cached
    formulas = {f"gyrostat.recipes.{family}" for family in (*FAMILIES, "tracing")}
    assert not (formulas | {"gyrostat.scalar.traced", "gyrostat.equations.dynamics"}) & cached
    assert not any(name.startswith(("gyrostat.written.", "gyrostat.scalar.exact")) for name in cached)
