"""The recorded motion of grains: positions and velocities at output times, and the state to continue from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.lazy import LaterModule
from gyrostat.results.sealed_file import FileVariable

if TYPE_CHECKING:
    import xarray
else:
    xarray = LaterModule("xarray")

Singles = NDArray[np.float32]
_PARTS = ("positions", "velocities")
_STATE = "grains/"


@dataclass(frozen=True, eq=False)
class GrainRecord:
    """Grains over time. Positions and velocities are kept in single precision."""

    name: str
    radii: Floats
    masses: Floats
    times: Floats
    positions: Singles
    """Shape (times, n, 3), in world axes."""
    velocities: Singles
    state: Mapping[str, Floats]
    """All that is needed to continue from the end."""

    def dataset(self) -> xarray.Dataset:
        """Return positions and velocities over time, and radii and masses, labelled."""
        over = ("time", "grain", "axis")
        return xarray.Dataset(
            {
                "position": (over, self.positions, {"units": "m"}),
                "velocity": (over, self.velocities, {"units": "m/s"}),
                "radius": ("grain", self.radii, {"units": "m"}),
                "mass": ("grain", self.masses, {"units": "kg"}),
            },
            coords={"time": self.times, "axis": ["x", "y", "z"]},
            attrs={"grains": self.name},
        )

    def at(self, times: Floats) -> Singles:
        """Return positions at other times, linear between those recorded."""
        place = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, max(len(self.times) - 2, 0))
        after = np.minimum(place + 1, len(self.times) - 1)
        span = np.where(after > place, self.times[after] - self.times[place], 1.0)
        share = np.clip((times - self.times[place]) / span, 0.0, 1.0)[:, None, None].astype(np.float32)
        found: Singles = (1 - share) * self.positions[place] + share * self.positions[after]
        return found

    def variables(self) -> dict[str, FileVariable]:
        """Return the variables of a result file."""
        name = _stored(self.name)
        dims = f"{name}-time", f"{name}-grain"
        found = {
            f"{name}-{part}": FileVariable((*dims, "axis"), getattr(self, part), {"grains": self.name})
            for part in _PARTS
        }
        found[f"{name}-time"] = FileVariable(dims[:1], self.times, {"units": "s"})
        found[f"{name}-radii"] = FileVariable(dims[1:], self.radii, {"units": "m"})
        found[f"{name}-masses"] = FileVariable(dims[1:], self.masses, {"units": "kg"})
        return found

    def arrays(self) -> dict[str, Floats]:
        """Return the arrays of a result file from which a motion continues."""
        return {f"{_STATE}{self.name}/{key}": array for key, array in self.state.items()}

    @staticmethod
    def read(name: str, variables: Mapping[str, NDArray[Any]], run: Mapping[str, Floats]) -> GrainRecord:
        """Return the record of a result file."""
        stored, own = _stored(name), f"{_STATE}{name}/"
        state = {key.removeprefix(own): array for key, array in run.items() if key.startswith(own)}
        radii, masses, times, positions, velocities = (
            variables[f"{stored}-{part}"] for part in ("radii", "masses", "time", *_PARTS)
        )
        return GrainRecord(name, radii, masses, times, positions, velocities, state)


def _stored(name: str) -> str:
    """Return a name of ASCII characters that no output has."""
    return "grains-" + name.encode("ascii", "xmlcharrefreplace").decode()
