"""Code for processors other than this one: it is generated, verified and written as object files."""

from __future__ import annotations

from dataclasses import replace

import casadi
import numpy as np
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import Target, compile_program, generate, host_target, make_target
from gyrostat.program.operation import BINARY_OPERATIONS, NAMES

TARGETS = [
    ("x86_64-unknown-linux-gnu", "x86-64", 2, False, b"\x7fELF"),
    ("x86_64-unknown-linux-gnu", "x86-64-v3", 4, True, b"\x7fELF"),
    ("x86_64-unknown-linux-gnu", "x86-64-v4", 8, True, b"\x7fELF"),
    ("x86_64-pc-windows-msvc", "x86-64-v3", 4, True, b"\x64\x86"),
    ("aarch64-unknown-linux-gnu", "generic", 2, True, b"\x7fELF"),
    ("arm64-apple-darwin22.0.0", "apple-m1", 2, True, b"\xcf\xfa\xed\xfe"),
]


def everything() -> casadi.Function:
    """One function with every operation, in one piece."""
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    values = []
    for name in NAMES:
        number = getattr(casadi, f"OP_{name.upper()}")
        values.append(casadi.SX.binary(number, x, y) if name in BINARY_OPERATIONS else casadi.SX.unary(number, x * y))
    return casadi.Function("everything", [x, y], [casadi.vertcat(*values)], ["x", "y"], ["v"])


@pytest.mark.parametrize(("triple", "cpu", "lanes", "fused", "magic"), TARGETS)
def test_code_is_generated_for(triple: str, cpu: str, lanes: int, fused: bool, magic: bytes) -> None:
    target = make_target(triple, cpu)
    assert (target.lanes, target.fused) == (lanes, fused)
    for width in (1, lanes):
        module = generate(everything(), target, lanes=width)  # verifies the IR
        assert module.code.startswith(magic)
        assert f'target triple = "{triple}"' in module.ir
        # Without the instruction each would be a slow call of the C library's function.
        assert ("@llvm.fma" in module.ir) == fused
        for symbol in ("evaluate", "loop") if width == 1 else ("batch",):
            assert f"gyrostat_{symbol}".encode() in module.code


def test_plain_x86_code_runs_and_agrees() -> None:
    host = host_target()
    if not host.triple.startswith("x86_64"):
        pytest.skip("the host is not an x86-64 processor")
    function = everything()
    plain = compile_program(function, target=make_target(host.triple, "x86-64"))
    best = compile_program(function)
    assert plain.lanes == 2
    rows = np.random.default_rng(2).uniform(0.1, 0.9, (21, 2))
    np.testing.assert_allclose(plain.loop(rows), best.loop(rows), rtol=1e-13)
    np.testing.assert_allclose(plain.batch(rows), best.batch(rows), rtol=1e-13)


def test_unknown_targets_are_refused() -> None:
    with pytest.raises(
        ProgramError, match=r"No target is known for 'riscv64-linux' with processor 'generic'\. Known: "
    ):
        make_target("riscv64-linux", "generic")
    with pytest.raises(ProgramError, match=r"with processor 'i386'"):
        make_target("x86_64-unknown-linux-gnu", "i386")


def test_which_targets_run_where() -> None:
    host = Target("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma", 4, True)
    assert host.runs_on(host)
    assert make_target(host.triple, "x86-64").runs_on(host)
    assert make_target(host.triple, "x86-64-v3").runs_on(host)
    assert not make_target(host.triple, "x86-64-v4").runs_on(host)
    assert not make_target("x86_64-apple-darwin", "x86-64").runs_on(host)
    assert not make_target("aarch64-unknown-linux-gnu", "generic").runs_on(host)
    arm = make_target("aarch64-unknown-linux-gnu", "neoverse-n1")
    assert make_target(arm.triple, "generic").runs_on(arm)
    assert not make_target(arm.triple, "neoverse-v2").runs_on(arm)
    assert not replace(host, cpu="skylake", features="+avx2,+fma,+adx").runs_on(host)
