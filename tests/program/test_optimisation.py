"""Tests of the limit that the environment sets to LLVM's optimisation."""

from __future__ import annotations

from pathlib import Path

import casadi
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import compile as compilation
from gyrostat.program.host import host_target
from gyrostat.program.optimisation import LIMIT, limited
from gyrostat.program.store import fetch_module


@pytest.mark.parametrize(("limit", "level"), [("", 2), ("0", 0), ("1", 1), ("3", 2)])
def test_the_environment_lowers_the_level(monkeypatch: pytest.MonkeyPatch, limit: str, level: int) -> None:
    monkeypatch.setenv(LIMIT, limit)
    assert limited(2) == level


def test_a_level_that_llvm_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, "fast")
    with pytest.raises(ProgramError, match=r"GYROSTAT_OPTIMISATION is 'fast'; it must be 0, 1, 2 or 3, or unset"):
        limited(2)


def test_programs_of_two_levels_are_kept_side_by_side(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A limit must not hand out, nor replace, code of the other level."""
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(tmp_path))
    built = []

    def build() -> casadi.Function:
        built.append(1)
        x = casadi.SX.sym("x")
        return casadi.Function("f", [x], [casadi.sin(x) * x], ["x"], ["y"])

    for limit, times in (("0", 1), ("", 2), ("0", 2), ("2", 2)):
        monkeypatch.setenv(LIMIT, limit)
        compilation.load_or_compile("two levels", build)
        assert len(built) == times


def test_kernels_of_two_levels_are_kept_side_by_side(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """At level 0 they are simplified only: a call stays a call."""
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(tmp_path))
    square = "define internal double @square(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}"
    fourth = "\n".join(f"  %{to} = call double @square(double %{of})" for of, to in ("xy", "yz"))
    text = f"{square}\ndefine double @fourth(double %x) {{\n{fourth}\n  ret double %z\n}}\n"
    written = []

    def write() -> str:
        written.append(1)
        return text

    codes = []
    for limit, times in (("0", 1), ("", 2), ("0", 2), ("3", 2)):
        monkeypatch.setenv(LIMIT, limit)
        codes.append(fetch_module("fourth power", write, host_target()))
        assert len(written) == times
    assert (b"square" in codes[0], b"square" in codes[1]) == (True, False)
    assert codes[2:] == codes[:2]
