"""Fixtures of tests of programs: the optimisation of users, and caches of single tests."""

from __future__ import annotations

from pathlib import Path

import casadi
import pytest

from gyrostat.program.optimisation import LIMIT


@pytest.fixture(autouse=True)
def _level_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile at the level of users: these tests compare last bits."""
    monkeypatch.delenv(LIMIT, raising=False)


@pytest.fixture
def cache_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    path = tmp_path / "cache"
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(path))
    return path


@pytest.fixture
def pendulum() -> casadi.Function:
    """A small function with a column, a matrix, a scalar and a parameter among its ports."""
    q, u, k = casadi.SX.sym("q", 2), casadi.SX.sym("u", 2), casadi.SX.sym("k")
    a = casadi.vertcat(casadi.sin(q[0]) * u[1] - k * q[0], casadi.cos(q[0]) * casadi.exp(-(u[0] ** 2)) + q[1])
    return casadi.Function("pendulum", [q, u, k], [a, casadi.mtimes(a, u.T)], ["q", "u", "k"], ["a", "W"])
