"""Tests of the limit that the environment sets to LLVM's optimisation."""

from __future__ import annotations

from pathlib import Path

import casadi
import pytest

from gyrostat.errors import ProgramError
from gyrostat.program import compile as compilation
from gyrostat.program.optimisation import LIMIT, limited


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
