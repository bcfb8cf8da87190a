"""Without LLVM, programs run on CasADi's virtual machine."""

from __future__ import annotations

import builtins
import pickle
from collections.abc import Iterator
from typing import Any

import casadi
import numpy as np
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import GyrostatWarning, Program, compile_program, load_or_compile
from gyrostat.program import host as host_module

WARNING = r"LLVM is not available \(No module named 'llvmlite'\).*25 to 35 times slower.*pip install llvmlite"


@pytest.fixture
def without_llvm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    honest = builtins.__import__

    def refuse(name: str, *arguments: Any, **options: Any) -> Any:
        if name.split(".")[0] == "llvmlite":
            raise ImportError("No module named 'llvmlite'")
        return honest(name, *arguments, **options)

    for remembered in (host_module.host_target, host_module.llvm_versions, host_module.initialised_llvm):
        remembered.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    yield
    monkeypatch.undo()
    for remembered in (host_module.host_target, host_module.llvm_versions, host_module.initialised_llvm):
        remembered.cache_clear()


@pytest.fixture
def virtual(pendulum: casadi.Function, without_llvm: None) -> Program:
    with pytest.warns(GyrostatWarning, match=WARNING):
        return compile_program(pendulum)


def test_same_interface_and_values(virtual: Program, pendulum: casadi.Function) -> None:
    assert not virtual.native
    assert virtual.lanes == 1
    assert [port.name for port in virtual.inputs] == ["q", "u", "k"]
    values = {"q": [0.1, 0.2], "u": [0.3, 0.4], "k": 2.0}
    exact = pendulum(**values)
    found = virtual.evaluate(values)
    np.testing.assert_allclose(found["a"], np.array(exact["a"]).ravel())
    np.testing.assert_allclose(found["W"], np.array(exact["W"]))

    rows = np.random.default_rng(0).normal(size=(7, 5))
    looped = virtual.loop(rows)
    np.testing.assert_array_equal(virtual.batch(rows, threads=3), looped)
    inputs, outputs = virtual.input_buffer(), virtual.output_buffer()
    inputs.array[:] = rows[3]
    virtual(inputs, outputs)
    np.testing.assert_array_equal(outputs.array, looped[3])
    assert virtual.batch(np.zeros((0, 5))).shape == (0, 6)


def test_there_is_no_address(virtual: Program) -> None:
    with pytest.raises(ProgramError, match=r"'pendulum' runs on CasADi's virtual machine .*pip install llvmlite"):
        virtual.address  # noqa: B018


def test_pickle(virtual: Program) -> None:
    again = pickle.loads(pickle.dumps(virtual))
    rows = np.random.default_rng(0).normal(size=(3, 5))
    np.testing.assert_array_equal(again.loop(rows), virtual.loop(rows))


def test_recipe_is_built(pendulum: casadi.Function, without_llvm: None) -> None:
    with pytest.warns(GyrostatWarning, match=WARNING) as caught:
        program = load_or_compile("recipe", lambda: pendulum)
    assert len(caught) == 1
    assert not program.native


def test_empty_ports(without_llvm: None) -> None:
    x, empty = casadi.SX.sym("x"), casadi.SX.sym("e", 0)
    with pytest.warns(GyrostatWarning):
        program = compile_program(casadi.Function("f", [x, empty], [x + 1, empty], ["x", "e"], ["y", "n"]))
    np.testing.assert_array_equal(program.loop([[1.0], [2.0]]), [[2.0], [3.0]])


def test_failing_start_of_llvm_is_a_reason_too(pendulum: casadi.Function, monkeypatch: pytest.MonkeyPatch) -> None:
    import llvmlite.binding as llvm

    def fail() -> None:
        raise RuntimeError("no native target")

    for remembered in (host_module.host_target, host_module.llvm_versions, host_module.initialised_llvm):
        remembered.cache_clear()
    monkeypatch.setattr(llvm, "initialize_native_target", fail)
    with pytest.warns(GyrostatWarning, match=r"LLVM is not available \(no native target\)"):
        assert not compile_program(pendulum).native


def test_native_again_when_llvm_is_back(pendulum: casadi.Function) -> None:
    assert compile_program(pendulum).native
