"""The values of a system's parameters for one call, in order and checked."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Parameters
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.system.changed_masses import ChangedMasses


class ParameterValues:
    """What has coordinates has a model, and that has parameters."""

    coordinates: Coordinates

    def parameter_values(self, parameters: Parameters = None) -> Floats:
        """Return the values of all parameters in order, some of them changed; none may make a mass negative."""
        return self._with(parameters) if parameters else self._own_parameters.copy()

    @cached_property
    def _own_parameters(self) -> Floats:
        return self._with(None)

    def _with(self, parameters: Parameters) -> Floats:
        model = self.changed_masses.model
        known = model.values(parameters)
        missing = [name for name in model.parameters if name not in known]
        if missing:
            raise StateError(f"Parameter {missing[0]!r} has no value. Give one: parameters={{{missing[0]!r}: …}}.")
        if parameters:
            self.changed_masses.demand(known)
        return np.array([known[name] for name in model.parameters], dtype=float)

    @cached_property
    def changed_masses(self) -> ChangedMasses:
        """The bodies whose masses follow from parameters, for checks of changed values."""
        return ChangedMasses(self.coordinates.topology.model)
