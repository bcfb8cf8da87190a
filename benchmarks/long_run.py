"""Simulate a double pendulum with many outputs and print seconds and peak memory as JSON: long_run.py OUTPUTS."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import process_time

from memory import peak_bytes
from models import bar_pendulum

import gyrostat as gs

STEP = 1e-3


def main(outputs: int) -> None:
    """Time the simulation, a body's positions and the energies, after a short run has compiled everything."""
    system = gs.formulate(bar_pendulum())
    short = gs.simulate(system, duration=1.0, step=STEP, initial={"joint_bar1": 1.0})
    short["bar2"], short.energy()
    found: dict[str, float] = {}
    run = _timed(
        found, "simulate", lambda: gs.simulate(system, duration=outputs * STEP, step=STEP, initial=short.state)
    )
    _timed(found, "body", lambda: run["bar2"])
    _timed(found, "energy", run.energy)
    found["peak"] = peak_bytes()
    print(json.dumps(found))


def _timed(found: dict[str, float], name: str, run: Callable[[], gs.Trajectory]) -> gs.Trajectory:
    began = process_time()
    result = run()
    found[name] = process_time() - began
    return result


if __name__ == "__main__":
    main(int(sys.argv[1]))
