"""From a cold `python` process to a finished simulation, with empty caches and with filled ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import time

from comparisons.fresh_process import installed_environment

TARGET = 1.5
"""Seconds from the start of the process to the end of the simulation, with filled caches."""
STAGES = {
    "python": "start Python",
    "import": "import gyrostat",
    "model": "build the model",
    "formulate": "formulate",
    "program": "program",
    "import_simulate": "import simulate",
    "kernels": "kernels",
    "integration": "integration",
    "around": "rest of simulate",
}
"""The stages in their order, with their headings."""
_SCRIPT = Path(__file__).parent.parent / "cold.py"


@dataclass(frozen=True)
class ColdRun:
    """Wall times from the start of a process to the end of a simulation, in all and by stages."""

    caches: str
    seconds: float
    stages: dict[str, float]
    target: float | None = None


def measure_cold_simulations(*, processes: int) -> list[ColdRun]:
    """Return the first run, and medians over those that follow."""
    with tempfile.TemporaryDirectory(prefix="gyrostat-cold-") as folder:
        environment = {**installed_environment(os.path.join(folder, "bytecode")), "GYROSTAT_CACHE_DIR": folder}
        first = _run(environment)
        others = [_run(environment) for _ in range(processes)]
    total = median(run.pop("total") for run in others)
    cached = {stage: median(run[stage] for run in others) for stage in STAGES}
    return [ColdRun("empty", first.pop("total"), first), ColdRun("filled", total, cached, TARGET)]


def _run(environment: dict[str, str]) -> dict[str, float]:
    began = time()
    done = subprocess.run([sys.executable, str(_SCRIPT)], capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    total = found.pop("done") - began
    return {"total": total, "python": total - sum(v for name, v in found.items()), **found}
