"""Variables of a sweep from the states of runs; many runs at a time where the values are the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.analysis.sweeps.layout import Layout, ResultVariable
from gyrostat.analysis.sweeps.requests import Requests, output_of
from gyrostat.analysis.sweeps.summaries import OutputSummary, RunSummary
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.signals import Level
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
            signal = self.system.signal_table[output]
            dims, shape = ((signal.dimension,), (len(signal.labels),)) if signal.dimension else ((), ())
            description = signal.description
            if isinstance(request, OutputSummary):
                description = f"{request.phrase} {description}"
            else:
                dims, shape = ("time", *dims), (len(grid), *shape)
                labels["time"] = grid
            if signal.dimension:
                labels[signal.dimension] = np.array(signal.labels)
            found.append(ResultVariable(name, dims, shape, signal.unit, description))
        return Layout(tuple(found), labels)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The requested outputs."""
        return tuple(dict.fromkeys(filter(None, map(output_of, self.requests.values()))))

    @cached_property
    def columns(self) -> dict[str, int]:
        """Index in the state y of each output that is a coordinate, a speed or a state."""
        places = {name: i for i, name in enumerate(self.system.coordinates.place_of)}
        return {name: places[name] for name in self.outputs if name in places}

    @property
    def of_states(self) -> bool:
        """Whether all outputs are entries of the state y."""
        return len(self.columns) == len(self.outputs)

    @cached_property
    def joinable(self) -> bool:
        """Whether runs can be concatenated; not with quaternions, whose sign follows from the previous row."""
        return all(self.system.signal_table[name].level < Level.COURSE for name in self.outputs)

    def values_of_states(self, states: Floats) -> dict[str, Floats]:
        """Return outputs, (runs, times), from states, (runs, times, size of y)."""
        return {name: states[:, :, place] for name, place in self.columns.items()}

    def values_of_rows(self, rows: Floats, recorded: Recorded | None = None) -> dict[str, Floats]:
        """Return outputs, (runs, times, …), from rows of t, q, u, z, parameters, inputs, (runs, times, width).

        `recorded` has the signals at these rows, where conditions of laws are known from the motion.
        """
        runs, times, width = rows.shape
        outputs = Outputs(self.system, rows.reshape(runs * times, width), recorded)
        found = {name: outputs.values(name) for name in self.outputs}
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
