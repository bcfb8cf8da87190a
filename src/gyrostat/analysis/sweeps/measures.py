"""Variables of a sweep from the states of runs; many runs at a time where the values are the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.sweeps.layout import Layout, ResultVariable
from gyrostat.analysis.sweeps.requests import Requests, output_of
from gyrostat.analysis.sweeps.summaries import OutputSummary, RunSummary
from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.signals import AXES
from gyrostat.once import cached_property
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class Measures:
    """The requested outputs, and their places in states and rows."""

    system: System
    requests: Requests

    def layout(self, grid: Floats) -> Layout:
        """Return the variables of outputs and summaries, without those of functions; unknown outputs are errors."""
        found, labels = [], {}
        for name, request in self.requests.items():
            if isinstance(request, RunSummary):
                found.append(ResultVariable(name, (), (), request.unit, request.description))
                continue
            output = output_of(request)
            if output is None:
                continue
            kind, component = self._kinds.kind_of(output)
            own = () if component else kind.labels
            dims, shape = ((_dimension(own),), (len(own),)) if own else ((), ())
            description = f"{component} of {kind.description}" if component else kind.description
            if isinstance(request, OutputSummary):
                description = f"{request.phrase} {description}"
            else:
                dims, shape = ("time", *dims), (len(grid), *shape)
                labels["time"] = grid
            if own:
                labels[_dimension(own)] = np.array(own)
            found.append(ResultVariable(name, dims, shape, kind.unit, description))
        return Layout(tuple(found), labels)

    @cached_property
    def _kinds(self) -> Outputs:
        return Outputs(self.system, np.zeros((1, self._width)))

    @cached_property
    def _width(self) -> int:
        coordinates, model = self.system.coordinates, self.system.model
        return 1 + coordinates.n_q + coordinates.n_u + len(model.parameters) + len(self.system.inputs)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The requested outputs."""
        return tuple(dict.fromkeys(filter(None, map(output_of, self.requests.values()))))

    @cached_property
    def columns(self) -> dict[str, int]:
        """Index in the state y of each output that is a coordinate or a speed."""
        coordinates = self.system.coordinates
        sides = {name: coordinates.place_of[name] for name in self.outputs if name in coordinates.place_of}
        return {name: place + (0 if side == "q" else coordinates.n_q) for name, (side, place) in sides.items()}

    @property
    def of_states(self) -> bool:
        """Whether all outputs are coordinates and speeds."""
        return len(self.columns) == len(self.outputs)

    @cached_property
    def joinable(self) -> bool:
        """Whether runs can be concatenated; not with quaternions, whose sign follows from the previous row."""
        kinds = (self._kinds.kind_of(name)[0] for name in self.outputs)
        return all(not kind.labels or kind.labels == AXES for kind in kinds)

    def values_of_states(self, states: Floats) -> dict[str, Floats]:
        """Return outputs, (runs, times), from states, (runs, times, size of y)."""
        return {name: states[:, :, place] for name, place in self.columns.items()}

    def values_of_rows(self, rows: Floats) -> dict[str, Floats]:
        """Return outputs, (runs, times, …), from rows of t, q, u, parameters, inputs, (runs, times, width)."""
        runs, times, width = rows.shape
        outputs = Outputs(self.system, rows.reshape(runs * times, width))
        found = {name: _values(outputs, name) for name in self.outputs}
        return {name: values.reshape(runs, times, *values.shape[1:]) for name, values in found.items()}

    def variables(self, times: Floats, values: dict[str, Floats], grid: Floats) -> Iterable[tuple[str, Floats]]:
        """Yield variables by name, (runs, …), from outputs at times; NaN at times that a run has not reached."""
        reached = min(len(times), len(grid))
        reached -= bool(times[reached - 1] != grid[reached - 1])  # an event's time is no output time
        for name, request in self.requests.items():
            output = output_of(request)
            if output is None:
                continue
            if isinstance(request, OutputSummary):
                yield name, request.of(times, values[output])
                continue
            known = values[output][:, :reached]
            whole = np.full((len(known), len(grid), *known.shape[2:]), np.nan)
            whole[:, :reached] = known
            yield name, whole


def _values(outputs: Outputs, name: str) -> Floats:
    kind, component = outputs.kind_of(name)
    values = kind.values()
    return values[:, kind.labels.index(component)] if component else values


def _dimension(labels: Sequence[str]) -> str:
    """Return the name of the axis of a vector's components."""
    return "axis" if tuple(labels) == AXES else "component"
