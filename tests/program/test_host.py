"""The host as LLVM describes it, and programs that a fresh process loads from the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import casadi
import llvmlite
import llvmlite.binding as llvm
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import generate, host_target
from gyrostat.program.host import llvm_versions
from gyrostat.program.native import LoadedObject

PROGRAM = """
import json, sys
import numpy as np
from gyrostat.program import load_or_compile

def build():
    import casadi
    x = casadi.SX.sym("x", 2)
    return casadi.Function("f", [x], [x[0] * casadi.sin(x[1]) + casadi.tan(x[0])], ["x"], ["y"])

program = load_or_compile("a recipe", build)
found = program.evaluate({"x": [2.0, 0.5]})["y"].tolist() + program.batch(np.full((9, 2), 0.25)).ravel().tolist()
del program
print(json.dumps([found, [name for name in ("casadi", "llvmlite") if name in sys.modules]]))
"""


def fresh_process(cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "GYROSTAT_CACHE_DIR": str(cache)}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, env=environment)


def answer(process: subprocess.Popen[str]) -> tuple[list[float], list[str]]:
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    found, imported = json.loads(text)
    return found, imported


def test_a_cached_program_does_not_import_casadi(tmp_path: Path) -> None:
    compiled = answer(fresh_process(tmp_path))
    assert compiled[1] == ["casadi", "llvmlite"]
    assert answer(fresh_process(tmp_path)) == (compiled[0], ["llvmlite"])


def test_processes_that_start_together(tmp_path: Path) -> None:
    together = [fresh_process(tmp_path) for _ in range(2)]
    first, second = (answer(process) for process in together)
    assert first[0] == second[0]
    assert answer(fresh_process(tmp_path)) == (first[0], ["llvmlite"])
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".program"]


def test_the_host_is_described_by_llvm() -> None:
    target = host_target()
    assert target.features == llvm.get_host_cpu_features().flatten()
    assert (target.triple, target.cpu) == (llvm.get_process_triple(), llvm.get_host_cpu_name())
    assert llvm_versions() == (llvmlite.__version__, ".".join(map(str, llvm.llvm_version_info)))


def test_a_function_that_is_missing_is_named() -> None:
    x = casadi.SX.sym("x")
    module = generate(casadi.Function("f", [x], [x * x]), host_target())
    with pytest.raises(ProgramError, match=r"compiled object has no function 'gyrostat_nothing'\. Clear the cache"):
        LoadedObject(module.code, host_target()).address("gyrostat_nothing")
