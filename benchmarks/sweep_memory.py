"""A fresh process that sweeps a grid of points into a store: prints its peak memory (MB) and seconds as JSON.

python benchmarks/sweep_memory.py POINTS
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from memory import peak_bytes
from models import bar_pendulum

import gyrostat as gs

if __name__ == "__main__":
    side = round(int(sys.argv[1]) ** 0.5)
    system = gs.formulate(bar_pendulum())
    angles = np.linspace(-1.0, 1.0, side)
    first, second = system.coordinate_names
    analysis = gs.Simulation(0.1, integrator=gs.RK4(step=0.01), outputs=[gs.Last(first), gs.Last(second)])
    with tempfile.TemporaryDirectory(prefix="gyrostat-sweep-") as folder:
        began = perf_counter()
        found = gs.sweep(
            system, {first: angles, second: angles}, analysis, store=Path(folder) / "s.zarr", workers=1, progress=False
        )
        seconds = perf_counter() - began
        print(json.dumps({"megabytes": peak_bytes() / 2**20, "seconds": seconds, "points": found.plan.size}))
