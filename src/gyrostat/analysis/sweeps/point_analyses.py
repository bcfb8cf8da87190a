"""Equilibria, modes and kinematics at every point of a sweep."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
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
    from gyrostat.analysis.variations.operating_point import OperatingPoint
else:
    (linearize,) = later("gyrostat.analysis.linear", "linearize")
    (equilibrium,) = later("gyrostat.analysis.operating", "equilibrium")
    (kinematics,) = later("gyrostat.analysis.simulation", "kinematics")


@dataclass(frozen=True, eq=False)
class EquilibriumAnalysis(PointAnalysis):
    """The static equilibrium at every point, as `gs.equilibrium` finds it.

    `outputs` are names, by default all coordinates. `stable` is 1 where the equilibrium is known to be stable, else 0.
    Swept initial values are guesses.
    """

    guess: Mapping[str, object] = field(default_factory=dict)
    outputs: Iterable[str] = field(default=(), kw_only=True)
    inputs: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "outputs", tuple(self.outputs))

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the outputs at the equilibrium."""
        point = equilibrium_at(system, values, self.guess, self.inputs, self.parameters)
        names = tuple(self.outputs) or (*system.coordinate_names, *system.state_names)
        stable = point.stability is not None and point.stability.stable
        return {**{f"equilibrium({name})": point[name] for name in names}, "stable": float(stable)}

    def runs_foreign_code(self) -> bool:
        """Return False: no functions of the user are called."""
        return False

    def plain(self) -> Any:
        """Return the settings as plain data."""
        return {"analysis": "equilibrium", **plain_settings(self)}


def equilibrium_at(
    system: System,
    values: PointValues,
    guess: Mapping[str, object],
    inputs: Mapping[str, object],
    parameters: Mapping[str, object],
) -> OperatingPoint:
    """Return the equilibrium at a point, whose values override those of the analysis."""
    return equilibrium.equilibrium(
        system,
        {**guess, **values.initial},
        inputs={**inputs, **values.inputs},
        parameters={**parameters, **values.parameters},
    )


@dataclass(frozen=True, eq=False)
class ModalAnalysis(PointAnalysis):
    """The eigenvalues of the linearization about the equilibrium at every point, as `gs.linearize` gives them.

    `real` and `imaginary` part (1/s), `frequency` (Hz) and `damping_ratio` have the dimension `eigenvalue`, in
    ascending order of frequency, with both eigenvalues of each complex pair. Swept initial values are guesses of the
    equilibrium.
    """

    guess: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the eigenvalues."""
        import xarray

        point = equilibrium_at(system, values, self.guess, self.inputs, self.parameters)
        modes = linearize.linearize(system, point, parameters={**self.parameters, **values.parameters}).modes()
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
        """Return False: no functions of the user are called."""
        return False

    def plain(self) -> Any:
        """Return the settings as plain data."""
        return {"analysis": "modes", **plain_settings(self)}


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
