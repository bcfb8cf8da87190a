"""The eigenvalues of small motions at every point of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.analysis.sweeps.equilibrium_analysis import equilibrium_at
from gyrostat.analysis.sweeps.point_analysis import PointAnalysis
from gyrostat.analysis.sweeps.point_values import PointValues
from gyrostat.analysis.sweeps.settings import plain_settings
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class ModalAnalysis(PointAnalysis):
    """The eigenvalues of small motions about the equilibrium at every point, as `gs.linearize` gives them.

    `real` and `imaginary` part (1/s), `frequency` (Hz) and `damping_ratio` go along `eigenvalue`, from the lowest
    frequency up, both of each pair. Initial values that are swept are guesses of the equilibrium.
    """

    guess: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the eigenvalues."""
        import xarray

        from gyrostat.analysis.linear.linearize import linearize

        point = equilibrium_at(system, values, self.guess, self.inputs, self.parameters)
        modes = linearize(system, point, parameters={**self.parameters, **values.parameters}).modes()
        found = modes.eigenvalues
        found = found[np.lexsort((found.imag, found.real, np.abs(found.imag).round(12)))]
        size = np.abs(found)
        ratios = np.divide(-found.real, size, out=np.zeros(len(found)), where=size > 0)
        columns = {
            "real": (found.real, "1/s", "real part of the eigenvalue"),
            "imaginary": (found.imag, "1/s", "imaginary part of the eigenvalue"),
            "frequency": (np.abs(found.imag) / (2 * np.pi), "Hz", "damped frequency"),
            "damping_ratio": (ratios, "1", "damping ratio"),
        }
        return {
            name: xarray.DataArray(column, dims="eigenvalue", attrs={"units": unit, "long_name": words})
            for name, (column, unit, words) in columns.items()
        }

    def runs_foreign_code(self) -> bool:
        """There are no functions of the user."""
        return False

    def plain(self) -> Any:
        """Return the settings as plain data."""
        return {"analysis": "modes", **plain_settings(self)}
