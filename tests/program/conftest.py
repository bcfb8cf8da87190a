"""Programs in tests never touch the user's own cache."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import casadi
import pytest


@pytest.fixture(scope="session", autouse=True)
def _session_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    previous = os.environ.get("GYROSTAT_CACHE_DIR")
    os.environ["GYROSTAT_CACHE_DIR"] = str(tmp_path_factory.mktemp("programs"))
    yield
    if previous is None:
        del os.environ["GYROSTAT_CACHE_DIR"]
    else:
        os.environ["GYROSTAT_CACHE_DIR"] = previous


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
