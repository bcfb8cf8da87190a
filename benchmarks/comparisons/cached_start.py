"""Cached start: what a fresh process does until it has a program that another process has compiled."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from comparisons.fresh_process import installed_environment

TARGET = 20e-3
_START = Path(__file__).parent.parent / "start.py"
_STAGES = ("import", "model", "formulate", "load", "load_again")


@dataclass(frozen=True)
class Start:
    """Processor time of a fresh process: importing gyrostat, building a model, formulating it, loading the program.

    `load_again` is formulating and loading once more in the same process.
    """

    model: str
    stages: dict[str, float]


def measure_starts(models: Sequence[str], *, processes: int) -> list[Start]:
    """Return medians over fresh processes of all models in turn; one more of each fills the cache first."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in models}
    with tempfile.TemporaryDirectory(prefix="gyrostat-start-") as folder:
        environment = installed_environment(folder)
        for name in models:
            _start(name, environment)
        for _ in range(processes):
            for name in models:
                found = _start(name, environment)
                if not found["cached"]:
                    raise AssertionError(f"The program of {name} was not in the cache: the package's source changed.")
                runs[name].append(found)
    return [
        Start(name, {stage: median(run[stage] for run in found) for stage in _STAGES}) for name, found in runs.items()
    ]


def _start(model: str, environment: dict[str, str]) -> dict[str, float]:
    command = [sys.executable, str(_START), model]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found
