"""LLVM without llvmlite's binding module: the same code from the same cache, and the way back where it is unknown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import pytest

from gyrostat.program import host_target, llvm_library
from gyrostat.program.llvm_library import LlvmLibrary, open_library

LIBRARY = os.path.join(os.path.dirname(llvmlite.__file__), "binding", "libllvmlite.so")
HERE = pytest.mark.skipif(
    sys.platform != "linux" or not llvmlite.__version__.startswith(llvm_library._COMPARED),
    reason="only llvmlite's versions that were compared, on Linux, are called directly",
)

PROGRAM = """
import json, sys
from gyrostat.program import load_or_compile

def build():
    import casadi
    x = casadi.SX.sym("x", 2)
    return casadi.Function("f", [x], [x[0] * casadi.sin(x[1])], ["x"], ["y"])

program = load_or_compile("a recipe", build)
found = program.evaluate({"x": [2.0, 0.5]})["y"].tolist()
del program
print(json.dumps([found, "casadi" in sys.modules, "llvmlite.binding" in sys.modules]))
"""


def _fresh_process(cache: Path) -> tuple[list[float], bool, bool]:
    environment = {**os.environ, "GYROSTAT_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    found, compiled, imported = json.loads(done.stdout)
    return found, compiled, imported


@HERE
def test_a_cached_program_is_loaded_without_the_binding_module(tmp_path: Path) -> None:
    compiled, loaded = _fresh_process(tmp_path), _fresh_process(tmp_path)
    assert compiled[1:] == (True, True)
    assert loaded == (compiled[0], False, False)


@HERE
def test_both_ways_name_the_same_processor_and_version() -> None:
    library = LlvmLibrary(LIBRARY)
    triple, name, features = library.host()
    assert (triple, name) == (llvm.get_process_triple(), llvm.get_host_cpu_name())
    assert features == dict(llvm.get_host_cpu_features())
    assert library.version == ".".join(str(part) for part in llvm.llvm_version_info)
    assert host_target().features == llvm.get_host_cpu_features().flatten()


@HERE
def test_unknown_targets_are_refused() -> None:
    with pytest.raises(RuntimeError, match="nonsense"):
        LlvmLibrary(LIBRARY).load(b"", "nonsense-triple", "", "")


def test_an_imported_binding_module_is_used() -> None:
    assert "llvmlite.binding" in sys.modules
    assert open_library() is None


@HERE
def test_other_versions_and_broken_libraries_are_left_to_llvmlite(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "llvmlite.binding")
    assert open_library() is not None
    monkeypatch.setattr(llvm_library, "_COMPARED", ("0.1.",))
    assert open_library() is None
    monkeypatch.undo()
    monkeypatch.delitem(sys.modules, "llvmlite.binding")
    monkeypatch.setattr(llvmlite, "__file__", str(tmp_path / "__init__.py"))
    assert open_library() is None
