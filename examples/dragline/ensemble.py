"""Statistics of dumping over an ensemble of cycles: after a slack rope has snapped tight, runs part.

python -m examples.dragline.ensemble       prints means and standard errors of two ensembles with different tolerances
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

import gyrostat as gs

from . import cycle
from .machine import machine

PLACE = "rigging.bucket.float.x"
AFTER = 53.0
"""Time from which on loads count: the empty bucket is pulled back (s)."""
MEASURES = ("largest hoist tension (kN)", "largest drag tension (kN)", "mean hoist tension (kN)", "highest bucket (m)")


@dataclass(frozen=True)
class Statistics:
    """Means and standard errors of the measures, and the spread of the bucket's last place (m)."""

    means: np.ndarray
    errors: np.ndarray
    spread: float

    def differ(self, other: Statistics) -> np.ndarray:
        """Return the differences of the means in terms of their standard errors."""
        return np.asarray(np.abs(self.means - other.means) / np.hypot(self.errors, other.errors))


def measured(run: gs.Trajectory) -> list[float]:
    """Return the measures of a cycle after the dump."""
    after = run.time > AFTER
    hoist, drag = (run[f"{rope}.tension"].values[after] / 1e3 for rope in ("hoist", "drag"))
    return [hoist.max(), drag.max(), hoist.mean(), run["rigging.bucket.float.z"].values[after].max()]


def statistics(system: gs.System, count: int = 10, rtol: float = 1e-6, shift: float = 1e-6) -> Statistics:
    """Return the statistics of cycles whose first positions of the bucket differ by a shift (m)."""
    start = dict(cycle.first_state(system))
    runs = [
        cycle.run(system, gs.DOP853(rtol, rtol), initial={**start, PLACE: start[PLACE] + i * shift}, duration=70.0)
        for i in range(count)
    ]
    values = np.array([measured(run) for run in runs])
    last = [float(run[PLACE].values[-1]) for run in runs]
    return Statistics(values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(count), float(np.ptp(last)))


def main() -> None:
    """Print both ensembles."""
    warnings.simplefilter("ignore", gs.GyrostatWarning)
    system = gs.formulate(machine())
    found = {rtol: statistics(system, rtol=rtol) for rtol in (1e-6, 1e-7)}
    for rtol, one in found.items():
        print(f"rtol {rtol:g}: places at the end differ by {one.spread:.2g} m")
        for name, mean, error in zip(MEASURES, one.means, one.errors, strict=True):
            print(f"  {name}: {mean:.1f} ± {error:.1f}")
    print("differences in standard errors:", found[1e-6].differ(found[1e-7]).round(1).tolist())


if __name__ == "__main__":
    main()
