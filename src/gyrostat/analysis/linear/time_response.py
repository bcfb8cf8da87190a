"""Time response: motions of a linear model after deviations, steps and impulses, and nonlinear ones for comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.linear.frequency_response import place_of
from gyrostat.analysis.simulation.simulate import default_integrator, simulate
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule, later
from gyrostat.model.names import did_you_mean
from gyrostat.results.text_table import NotebookText, spread_indices, text_table

if TYPE_CHECKING:
    import xarray

    from gyrostat.shown import linear_plots
else:
    xarray = LaterModule("xarray")
    (linear_plots,) = later("gyrostat.shown", "linear_plots")

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.linear.linear_model import LinearModel

_INTERVALS = 500
_ROW_LIMIT, _COLUMN_LIMIT = 11, 8
"""Largest numbers of times and of outputs that are printed."""


@dataclass(frozen=True, eq=False)
class TimeResponse(NotebookText):
    """Deviations from the operating point over time: of states, and of outputs.

    Where the nonlinear system was simulated as well, `nonlinear` is its trajectory.
    """

    linear: LinearModel = field(repr=False)
    title: str
    states: xarray.DataArray
    outputs: xarray.DataArray
    nonlinear: Trajectory | None = None

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return the deviation of an output or a state over time."""
        for array, dim in ((self.outputs, "output"), (self.states, "state")):
            if name in array.coords[dim].values:
                return array.sel({dim: name})
        known = [*self.linear.outputs, *self.linear.states]
        raise StateError(f"The response has no output or state {name!r}. {did_you_mean(name, known)}")

    def __str__(self) -> str:
        names = (self.linear.outputs or self.linear.states)[:_COLUMN_LIMIT]
        time = self.states["time"].values
        rows = [
            [f"{time[k]:.4g}", *(f"{float(self[name].values[k]):.5g}" for name in names)]
            for k in spread_indices(len(time), _ROW_LIMIT)
        ]
        lines = [f"{self.title}: deviations over {time[-1]:g} s"]
        lines += [f"  {line}" for line in text_table(["t in s", *names], rows)]
        return "\n".join(lines)

    def plot(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot all outputs (states where there are none) over time, nonlinear ones dashed."""
        return linear_plots.plot_time_response(self, path=path, dark=dark, axes=axes)


def free_response(
    linear: LinearModel, initial: Mapping[str, float], duration: float, *, nonlinear: bool = False
) -> TimeResponse:
    """Return the motion from initial deviations of states by name."""
    start = np.zeros(len(linear.states))
    for name, value in initial.items():
        if name not in linear.states:
            raise StateError(f"There is no state {name!r}. {did_you_mean(name, linear.states)}")
        start[linear.states.index(name)] = value
    times = _times(duration)
    beside = _simulated(linear, times, displaced(linear, start), {}) if nonlinear else None
    return _response(linear, "free motion", times, start, None, beside)


def step_response(
    linear: LinearModel, input: str, duration: float, *, size: float = 1.0, nonlinear: bool = False
) -> TimeResponse:
    """Return the response to an input that is `size` more than at the operating point from the beginning."""
    acting = _acting(linear, input, size)
    times = _times(duration)
    start = np.zeros(len(linear.states))
    beside = None
    if nonlinear:
        _require_steppable(linear, input)
        beside = _simulated(linear, times, linear.point.state, {input: size})
    return _response(linear, f"step of {input}", times, start, acting, beside)


def impulse_response(
    linear: LinearModel, input: str, duration: float, *, size: float = 1.0, nonlinear: bool = False
) -> TimeResponse:
    """Return the response to an impulse of an input at the beginning, of `size` (its unit times seconds)."""
    _acting(linear, input, size)
    start = linear.form.B[:, linear.inputs.index(input)] * size
    times = _times(duration)
    beside = _simulated(linear, times, displaced(linear, start), {}) if nonlinear else None
    return _response(linear, f"impulse of {input}", times, start, None, beside)


def propagated(linear: LinearModel, times: Floats, start: Floats, acting: Floats | None) -> Floats:
    """Return the states at evenly spaced times (N, states), exactly: by matrix exponentials."""
    from scipy.linalg import expm

    form = linear.form
    n = len(form.A)
    push = np.zeros(n) if acting is None else form.B @ acting
    block = np.zeros((n + 1, n + 1))
    block[:n, :n], block[:n, n] = form.A, push
    advance = expm(block * (times[1] - times[0]))
    states = np.empty((len(times), n + 1))
    states[0] = np.append(start, 1.0)
    for i in range(1, len(times)):
        states[i] = advance @ states[i - 1]
    return states[:, :n]


def displaced(linear: LinearModel, deviation: Floats) -> dict[str, float]:
    """Return the state of the nonlinear system, by name, with small deviations of states; constraints are satisfied."""
    flow, point = linear.flow, linear.point
    vector = np.zeros(flow.theta.shape[1])
    names = flow.state_names
    for name, value in zip(linear.states, deviation, strict=True):
        if name in names:
            vector[names.index(name)] = value
    closer = Closer(point.system, point.t, point.parameters)
    q = closer.moved(point.q, flow.theta @ vector)
    u = point.u + flow.u @ vector
    if point.system.constrained:
        q, _ = closer.closed(q)
        u, _ = closer.admissible_speeds(q, u)
    return dict(zip(point.system.coordinates.place_of, [*q, *u, *(point.z + flow.z @ vector)], strict=True))


def _times(duration: float) -> Floats:
    if not np.isfinite(duration) or duration <= 0:
        raise StateError(f"The duration is {duration}; it must be a positive number of seconds.")
    return np.linspace(0.0, duration, _INTERVALS + 1)


def _acting(linear: LinearModel, input: str, size: float) -> Floats:
    place, _ = place_of(linear, input, linear.outputs[0]) if linear.outputs else (linear.inputs.index(input), 0)
    if not linear.form.proper:
        raise StateError(
            f"Outputs need rates of {input!r}, which a step or impulse does not have. Use the acceleration of the "
            f"driver as input: inputs=[{input + '.acc'!r}]."
        )
    acting = np.zeros(len(linear.inputs))
    acting[place] = size
    return acting


def _require_steppable(linear: LinearModel, input: str) -> None:
    channel = next(one for one in linear.channels.items if one.name == input)
    if channel.driver:
        raise StateError(
            f"A driver cannot jump: there is no nonlinear simulation of a step of {input!r}. Simulate a model whose "
            "driver has the desired motion."
        )


def _simulated(
    linear: LinearModel, times: Floats, state: Mapping[str, float], steps: Mapping[str, float]
) -> Trajectory:
    """Return the motion of the nonlinear system, with some inputs changed."""
    point = linear.channels.point
    inputs, parameters = dict(point.inputs), dict(point.parameters)
    for name, size in steps.items():
        place = next(one for one in linear.channels.items if one.name == name).places[0]
        if place in inputs:
            inputs[place] += size
        else:
            parameters[place] = point.system.model.values(parameters)[place] + size
    return simulate(
        point.system,
        times=point.t + times,
        initial=state,
        inputs=inputs,
        parameters=parameters,
        integrator=default_integrator(point.system, rtol=1e-10, atol=1e-12),
        progress=False,
    )


def _response(
    linear: LinearModel, title: str, times: Floats, start: Floats, acting: Floats | None, beside: Trajectory | None
) -> TimeResponse:
    states = propagated(linear, times, start, acting)
    direct = np.zeros(len(linear.outputs)) if acting is None else linear.form.D @ acting
    outputs = states @ linear.form.C.T + direct
    labelled_states = xarray.DataArray(
        states, coords={"time": times, "state": list(linear.states)}, dims=("time", "state")
    )
    labelled_outputs = xarray.DataArray(
        outputs, coords={"time": times, "output": list(linear.outputs)}, dims=("time", "output")
    )
    return TimeResponse(linear, title, labelled_states, labelled_outputs, beside)


def nonlinear_deviation(response: TimeResponse, name: str) -> Floats:
    """Return the deviation of an output of the nonlinear motion from its value at the operating point, over time."""
    assert response.nonlinear is not None, "used only where it was simulated"
    values = response.nonlinear[name].values
    return np.asarray(values - response.linear.output_values[name])


__all__ = [
    "TimeResponse",
    "displaced",
    "free_response",
    "impulse_response",
    "nonlinear_deviation",
    "propagated",
    "step_response",
]
