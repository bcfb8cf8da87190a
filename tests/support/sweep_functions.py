"""Analyses for tests of sweeps, importable by worker processes: slow ones, failing ones, deadly ones."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FLAG = "GYROSTAT_TEST_FLAG"
"""The environment variable with the file that marks that a worker has died."""


def square(parameters: dict[str, float]) -> float:
    """Return m1², at once."""
    return parameters["m1"] ** 2


def slow_square(parameters: dict[str, float]) -> float:
    """Return m1² after a while."""
    time.sleep(0.02)
    return parameters["m1"] ** 2


def picky_square(parameters: dict[str, float]) -> float:
    """Return m1², but not of 5."""
    if parameters["m1"] == 5.0:
        raise ZeroDivisionError("five is not allowed")
    return parameters["m1"] ** 2


def _die() -> None:
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    time.sleep(60)


def dies_once(parameters: dict[str, float]) -> float:
    """Return m1²; the first process that comes to 20 is killed."""
    flag = Path(os.environ[FLAG])
    if parameters["m1"] == 20.0 and not flag.exists():
        flag.touch()
        _die()
    return slow_square(parameters)


def dies_at_seven(parameters: dict[str, float]) -> dict[str, Any]:
    """Return m1²; every process that comes to 7 is killed."""
    if parameters["m1"] == 7.0:
        _die()
    return {"square": parameters["m1"] ** 2}


def sleeps_if_heavy(t: float, state: Mapping[str, float]) -> float:
    """Return the load of a motor; with m2 above 1.5 the call takes minutes."""
    if state["m2"] > 1.5:
        time.sleep(300)
    return 0.1
