"""Grains in a bucket of triangles: the cost of a particle-step beside YADE, processor time on one thread."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import grain_models as models
import numpy as np

import gyrostat as gs

TARGET = 0.25
_SCRIPT = Path(__file__).parents[1] / "peers" / "yade_grains.py"


@dataclass(frozen=True)
class GrainRow:
    """The cost of grains: seconds of processor time for each particle and step."""

    grains: int
    own: float
    contacts: float
    """Contacts for each grain, of gyrostat."""
    peer: float | None
    """None where YADE is not installed."""
    peer_contacts: float = 0.0

    @property
    def ratio(self) -> float | None:
        """Own cost by that of the peer."""
        return None if self.peer is None else self.own / self.peer


def compare_grains(counts: tuple[int, ...], *, steps: int, rounds: int) -> list[GrainRow]:
    """Return the cost for some numbers of grains; medians over rounds."""
    return [_row(count, steps, rounds) for count in counts]


def _row(count: int, steps: int, rounds: int) -> GrainRow:
    system = gs.formulate(models.model(count))
    run = gs.simulate(system, models.SETTLED, step=models.SETTLED)
    times = []
    for _ in range(rounds):
        began = time.process_time()
        run = gs.simulate(system, steps * models.step(), step=steps * models.step(), initial=run)
        times.append((time.process_time() - began) / (count * steps))
    contacts = float(run["grains.touching"][-1]) / count
    peer = _yade(count, steps, rounds)
    if peer is None:
        return GrainRow(count, float(np.median(times)), contacts, None)
    return GrainRow(count, float(np.median(times)), contacts, *peer)


def _yade(count: int, steps: int, rounds: int) -> tuple[float, float] | None:
    """Return YADE's cost and its contacts for each grain."""
    program = shutil.which("yade")
    if program is None:
        return None
    places, width, height = models.lattice(count)
    corners, faces = models.bucket(width, height)
    given = {
        "density": models.DENSITY, "stiffness": models.STIFFNESS, "radius": models.RADIUS, "mu": models.MU,
        "gravity": models.GRAVITY, "places": places.tolist(), "corners": corners.tolist(),
        "triangles": faces.tolist(), "step": models.step(), "settled": models.SETTLED, "steps": steps,
        "rounds": rounds,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "numbers.json")
        file.write_text(json.dumps(given), encoding="utf-8")
        command = [program, "-n", "-x", "-j1", str(_SCRIPT), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    found = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("seconds")]
    if not found:
        raise RuntimeError(f"YADE: {done.stderr.strip()[-200:]}")
    return float(np.median([float(s) for s, _ in found])) / (count * steps), float(found[-1][1]) / count
