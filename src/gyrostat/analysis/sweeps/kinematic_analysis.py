"""Kinematically driven motions at every point of a sweep."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from gyrostat.analysis.sweeps.analysis import PointAnalysis
from gyrostat.analysis.sweeps.points import PointValues
from gyrostat.analysis.sweeps.requests import Request, plain_settings, read_requests
from gyrostat.analysis.sweeps.summaries import OutputSummary, RunSummary
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.program.warning import GyrostatWarning
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.linear import linearize
    from gyrostat.analysis.operating import equilibrium
    from gyrostat.analysis.simulation import kinematics
    from gyrostat.analysis.simulation.trajectory import Trajectory
else:
    (linearize,) = later("gyrostat.analysis.linear", "linearize")
    (equilibrium,) = later("gyrostat.analysis.operating", "equilibrium")
    (kinematics,) = later("gyrostat.analysis.simulation", "kinematics")


@dataclass(frozen=True, eq=False)
class KinematicAnalysis(PointAnalysis):
    """The kinematically driven motion at every point, as `gs.kinematics` finds it.

    `outputs` are as in `gs.Simulation`: names, summaries such as "maximum(h4)", functions of the trajectory. Swept
    initial values are guesses of the initial position.
    """

    duration: float | None = None
    step: float | None = field(default=None, kw_only=True)
    times: ArrayLike | None = field(default=None, kw_only=True)
    outputs: Mapping[str, object] | Iterable[object] = field(default=(), kw_only=True)
    guess: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.outputs, (str, Mapping)):
            object.__setattr__(self, "outputs", tuple(self.outputs))

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the requested outputs of the motion."""
        if values.inputs:
            raise StateError(
                f"A kinematic analysis does not depend on the input {next(iter(values.inputs))!r}. Leave it out."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GyrostatWarning)
            trajectory = kinematics.kinematics(
                system,
                self.duration,
                step=self.step,
                times=self.times,
                guess={**self.guess, **values.initial},
                parameters={**self.parameters, **values.parameters},
            )
        if not trajectory.status.success:
            status = trajectory.status
            raise StateError(f"{status.outcome.value}, t = {status.time:g} s: {status.message}")
        return {name: _measured(trajectory, one) for name, one in read_requests(self.outputs, system).items()}

    def plain(self) -> Any:
        """Return the settings as plain data."""
        return {"analysis": "kinematics", **plain_settings(self)}


def _measured(trajectory: Trajectory, request: Request) -> Any:
    if isinstance(request, str):
        return trajectory[request]
    if isinstance(request, OutputSummary):
        array = trajectory[request.output]
        values = request.of(trajectory.time, array.values[None])[0]
        return array.isel(time=0, drop=True).copy(data=values)
    if isinstance(request, RunSummary):
        return request.of(trajectory.events, trajectory.status)
    return request(trajectory)
