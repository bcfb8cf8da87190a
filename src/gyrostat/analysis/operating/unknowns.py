"""Names that an operating point is asked for with: chosen speeds, fixed coordinates, and what is solved for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System


def starting_values(
    system: System, names: Sequence[str], inputs: Mapping[str, float], parameters: Mapping[str, object]
) -> Floats:
    """Return the values that inputs and parameters begin with; unknown names are errors."""
    known = system.model.values(dict(parameters))
    values = []
    for name in names:
        if name not in inputs and name not in known:
            have = [*inputs, *system.model.parameters, *system.speed_names]
            raise StateError(f"There is nothing called {name!r} to solve for. {did_you_mean(name, have)}")
        values.append(inputs[name] if name in inputs else known[name])
    return np.array(values, dtype=float)


def refuse_names(system: System, speeds: Mapping[str, object] | None, fixed: Mapping[str, object] | None) -> None:
    """Raise an error for chosen speeds that are none, and fixed coordinates that are none."""
    coordinates = system.coordinates
    rates = [*system.speed_names, *(name for name in coordinates.chord_of if name.endswith(".rate"))]
    for name in speeds or {}:
        if name.removesuffix(".rate") in coordinates.all_driven:
            raise StateError(f"The speed {name!r} cannot be chosen: its driver gives it. Leave it out.")
        if name not in rates:
            raise StateError(f"There is no speed {name!r} to choose. {did_you_mean(name, rates)}")
    positions = [*system.coordinate_names, *(name for name in coordinates.chord_of if not name.endswith(".rate"))]
    for name in fixed or {}:
        if name.removesuffix(".rate") in coordinates.all_driven:
            raise StateError(f"The coordinate {name!r} cannot be fixed: it is driven. Leave it out.")
        if name not in positions:
            raise StateError(f"There is no coordinate {name!r} to fix. {did_you_mean(name, positions)}")
