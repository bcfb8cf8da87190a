"""This machine without LLVM: known processors, programs from the cache, and the way back where something refuses."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import casadi
import llvmlite.binding as llvm
import numpy as np
import pytest

from gyrostat.program import Program, code_memory, compile_program, host_target
from gyrostat.program import host as host_module
from gyrostat.program.code_memory import CodeMemory, available
from gyrostat.program.object_file import PAGE
from gyrostat.program.processor import processor_identity

HERE = pytest.mark.skipif(not available(), reason="processors are asked directly on x86-64 under Linux only")

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


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Forget what this process knows about the machine."""
    remembered = (host_module.host, host_module.host_target, host_module.keep_host, host_module._record_key)
    for function in remembered:
        function.cache_clear()
    yield
    for function in remembered:
        function.cache_clear()


@HERE
def test_a_cached_program_needs_neither_casadi_nor_llvm(tmp_path: Path) -> None:
    compiled = answer(fresh_process(tmp_path))
    assert compiled[1] == ["casadi", "llvmlite"]
    assert answer(fresh_process(tmp_path)) == (compiled[0], [])


@HERE
def test_processes_that_start_together(tmp_path: Path) -> None:
    together = [fresh_process(tmp_path) for _ in range(2)]
    first, second = (answer(process) for process in together)
    assert first[0] == second[0]
    assert answer(fresh_process(tmp_path)) == (first[0], [])
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".program"]


@HERE
def test_a_damaged_description_is_asked_for_again_and_replaced(tmp_path: Path) -> None:
    expected = answer(fresh_process(tmp_path))[0]
    described = [path for path in tmp_path.iterdir() if b'"triple"' in path.read_bytes()]
    assert len(described) == 1
    intact = described[0].read_bytes()
    described[0].write_bytes(intact.replace(b"+", b"-", 1) if b"+" in intact else intact[:-1])
    assert answer(fresh_process(tmp_path)) == (expected, ["llvmlite"])
    assert described[0].read_bytes() == intact
    assert answer(fresh_process(tmp_path)) == (expected, [])


@HERE
def test_what_is_kept_is_what_llvm_says(cache_path: Path, forgotten: None) -> None:
    asked = host_module.host()
    assert not cache_path.exists()
    host_module.keep_host()
    assert len(list(cache_path.iterdir())) == 1
    host_module.host.cache_clear()
    assert host_module.host() == asked == host_module._asked_host()
    assert host_target().features == llvm.get_host_cpu_features().flatten()
    assert (asked.triple, asked.cpu) == (llvm.get_process_triple(), llvm.get_host_cpu_name())


@HERE
def test_another_processor_or_library_has_another_description(
    cache_path: Path, forgotten: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {host_module._record_key()}
    monkeypatch.setattr(host_module, "processor_identity", lambda: "another")
    host_module._record_key.cache_clear()
    keys.add(host_module._record_key())
    monkeypatch.setattr(host_module, "_llvmlite_identity", lambda: ["0.1", 1, 2])
    host_module._record_key.cache_clear()
    keys.add(host_module._record_key())
    assert len(keys) == 3
    assert None not in keys
    monkeypatch.setattr(host_module, "processor_identity", lambda: None)
    host_module._record_key.cache_clear()
    assert host_module._record_key() is None
    host_module.keep_host()
    assert not cache_path.exists()
    assert host_module.host() == host_module._asked_host()


@HERE
def test_every_core_gives_the_same_identity() -> None:
    identity, cores = processor_identity(), os.sched_getaffinity(0)
    assert identity
    try:
        for core in cores:
            os.sched_setaffinity(0, {core})
            assert processor_identity() == identity
    finally:
        os.sched_setaffinity(0, cores)


def test_llvmlite_that_is_not_there_has_no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "find_spec", lambda name: None)
    assert host_module._llvmlite_identity() is None


class Refusing:
    """A C library that refuses one function."""

    def __init__(self, name: str) -> None:
        self.honest = code_memory._functions()
        self.name = name

    def __getattr__(self, name: str) -> object:
        return (
            (lambda *_: -1 if name == "mprotect" else ctypes.c_void_p(-1).value)
            if name == self.name
            else getattr(self.honest, name)
        )

    def __getitem__(self, name: str) -> object:
        return self.honest[name]


@HERE
@pytest.mark.parametrize("function", ["mmap", "mprotect"])
def test_where_the_system_refuses_llvm_loads(
    function: str, pendulum: casadi.Function, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.random.default_rng(0).normal(size=(9, 5))
    expected: Program = compile_program(pendulum)
    refusing = Refusing(function)
    monkeypatch.setattr(code_memory, "_functions", lambda: refusing)
    with pytest.raises(OSError, match="the system"):
        CodeMemory(PAGE).write(np.zeros(PAGE, np.uint8).ctypes.data, code_size=PAGE)
    assert processor_identity() is None
    program = compile_program(pendulum)
    assert "ExecutionEngine" in type(program._engine._native._engine).__name__
    np.testing.assert_array_equal(program.loop(rows), expected.loop(rows))
    np.testing.assert_array_equal(program.batch(rows), expected.batch(rows))


def test_elsewhere_llvm_loads(pendulum: casadi.Function, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "plan9")
    assert not available()
    assert processor_identity() is None
    program = compile_program(pendulum, cache=False)
    assert "ExecutionEngine" in type(program._engine._native._engine).__name__
