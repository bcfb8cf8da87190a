"""The watch on the energy of points that are integrated together: it finds those that need a closer look.

Of these the motion is computed again, individually, and `note_on_energy` decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.simulation.energy_drift import DRIFT_LIMIT
from gyrostat.analysis.simulation.energy_law import EnergyLaws, energy_laws
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.finished_segment import closed_segment
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats

_SAMPLES = 9
"""The number of output times at which the energy of a damped motion is computed."""


@dataclass(frozen=True, eq=False)
class EnergyScreen:
    """Watches motions without constraints, events and Python functions over the same output times."""

    problem: Problem
    plan: InputPlan
    """The inputs that are not swept."""
    swept: tuple[str, ...]
    """The inputs that are swept: numbers of each point."""
    grid: Floats
    stops: Floats

    def segment(self, row: Floats) -> Segment:
        """Return the segment of the motion that begins with a row of x."""
        system = self.problem.system
        parameters, inputs = row[system.row.parameters].tolist(), row[system.row.inputs].tolist()
        known = dict(zip(system.model.parameters, parameters, strict=True))
        plan = self.plan
        if self.swept:
            numbers = {name: inputs[system.inputs.index(name)] for name in self.swept}
            plan = plan.changed(InputPlan(numbers))
        return Segment(float(self.grid[0]), float(self.grid[-1]), known, plan, stops=self.stops)

    def laws(self, rows: Floats) -> EnergyLaws:
        """Return the laws of the energies of the motions that begin with some rows of x."""
        system, layout = self.problem.system, self.problem.system.row
        columns = dict(zip(system.model.parameters, rows[:, layout.parameters].T, strict=True))
        acting = {name: rows[:, layout.inputs.start + system.inputs.index(name)] for name in self.swept}
        return energy_laws(system, self.plan, columns, acting, len(rows))

    def note(self, run: Run, row: Floats) -> str | None:
        """Return a note on the energy of a run that has just been made from a row of x."""
        start = row[self.problem.system.row.state]
        segment = closed_segment(self.segment(row), run, start)
        states = self.problem.system.row.split(np.vstack((start, run.y)))
        return note_on_energy(Motion(self.problem, self.grid[[0, -1]], states, segments=[segment]))

    def suspects(self, rows: Floats, states: Floats, steps: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the motions whose energy is not obviously what it must be, (motions, times, size of y).

        Of motions under loads that do work nothing is known here: these are not among them.
        """
        system, laws = self.problem.system, self.laws(rows)
        (known,) = np.nonzero(~laws.supplied)
        if not len(known):
            return known
        falling = laws.falling[known]
        count = _SAMPLES if falling.any() else 2
        places = np.unique(np.linspace(0, len(self.grid) - 1, count).astype(int))
        trials = np.repeat(rows[known][:, None, :], len(places), axis=1)
        trials[:, :, system.row.state] = states[known][:, places]
        energies = system.ready_program("energy").loop(trials.reshape(-1, trials.shape[2]))
        energies = energies.reshape(len(known), len(places), -1)
        kinetic, total = energies[:, :, 0].max(axis=1), energies.sum(axis=2)
        drift = np.abs(total - total[:, :1]).max(axis=1)
        drift[falling] = (total - np.minimum.accumulate(total, axis=1)).max(axis=1)[falling]
        allowed = self._allowed * np.where(self._adaptive, steps[known], 1) * kinetic
        found: NDArray[np.intp] = known[~(drift <= allowed)]
        return found

    @property
    def _adaptive(self) -> bool:
        integrator = self.problem.integrator
        return hasattr(integrator, "rtol") and getattr(integrator, "step", None) is None

    @property
    def _allowed(self) -> float:
        """The drift that needs no closer look: of each step, or of all fixed steps, in terms of the kinetic energy."""
        return float(getattr(self.problem.integrator, "rtol", DRIFT_LIMIT)) if self._adaptive else DRIFT_LIMIT
