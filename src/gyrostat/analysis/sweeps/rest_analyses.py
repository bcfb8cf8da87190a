"""Equilibria and modes at every point of a sweep."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.sweeps.analysis import PieceBuilder, PointAnalysis, Solver
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece, Points, PointValues
from gyrostat.analysis.sweeps.requests import plain_settings
from gyrostat.analysis.sweeps.starts import Starts
from gyrostat.analysis.sweeps.targets import TargetKind, Targets
from gyrostat.coordinates.arguments import Floats
from gyrostat.lazy import later
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.linear import linearize
    from gyrostat.analysis.operating import equilibrium, many_equilibria
    from gyrostat.analysis.operating.many_equilibria import ManyEquilibria
    from gyrostat.analysis.variations import many_spectra
    from gyrostat.analysis.variations.operating_point import OperatingPoint
else:
    (linearize,) = later("gyrostat.analysis.linear", "linearize")
    equilibrium, many_equilibria = later("gyrostat.analysis.operating", "equilibrium", "many_equilibria")
    (many_spectra,) = later("gyrostat.analysis.variations", "many_spectra")


@dataclass(frozen=True, eq=False)
class RestAnalysis(PointAnalysis):
    """An analysis of the static equilibrium at every point, as `gs.equilibrium` finds it.

    Points are analysed together where the mechanism and the values allow it: see `many_equilibria`. All others, and
    those where this finds no regular equilibrium, are analysed one by one, so that reasons of failures are the same.
    """

    guess: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)

    @abstractmethod
    def at_many(self, system: System, found: ManyEquilibria) -> Mapping[str, Floats]:
        """Return the results of all points by name, NaN at points that must be analysed by themselves."""

    def equilibrium_at(self, system: System, values: PointValues) -> OperatingPoint:
        """Return the equilibrium at a point, whose values override those of the analysis."""
        return equilibrium.equilibrium(
            system,
            {**self.guess, **values.initial},
            inputs={**self.inputs, **values.inputs},
            parameters={**self.parameters, **values.parameters},
        )

    def solver(self, system: System, targets: Targets, layout: Layout) -> Solver:
        """Return the function that analyses some points."""
        one_by_one = super().solver(system, targets, layout)
        if not self._are_plain(system, targets):
            return one_by_one
        numbers = {name: float(value) for name, value in self.inputs.items() if isinstance(value, int | float)}
        starts = Starts(system, targets, self.guess, self.parameters, InputPlan(numbers), 0.0)
        distance = equilibrium.INITIAL_DISTANCE
        if self.guess or targets.names(TargetKind.INITIAL):
            distance = equilibrium.GUESS_DISTANCE

        def solve(points: Points) -> Piece:
            if any(column.dtype.kind == "U" for column in points.columns.values()):
                return one_by_one(points)
            builder = PieceBuilder(points, layout)
            rows = starts.rows(PieceBuilder(points, Layout(())))
            rows[:, system.row.u] = 0.0
            found = self.at_many(system, many_equilibria.ManyEquilibria.near(system, rows, distance))
            done = np.all([np.isfinite(values.reshape(points.count, -1)).all(axis=1) for values in found.values()], 0)
            for name, values in found.items():
                builder.values[name][done] = values[done]
            for place in np.flatnonzero(~done):
                self.solve_one(builder, int(place), system, targets)
            return builder.piece()

        return solve

    def _are_plain(self, system: System, targets: Targets) -> bool:
        """Tell whether points can be analysed together: guesses are coordinates, inputs are numbers."""
        coordinates = set(system.coordinate_names)
        guessed = {*self.guess, *targets.names(TargetKind.INITIAL)}
        numbers = all(isinstance(value, (int, float)) for value in self.inputs.values())
        known = set(self.inputs) <= set(system.inputs)
        return guessed <= coordinates and numbers and known and many_equilibria.allows_many(system)

    def runs_foreign_code(self) -> bool:
        """Return False: no functions of the user are called."""
        return False


@dataclass(frozen=True, eq=False)
class EquilibriumAnalysis(RestAnalysis):
    """The static equilibrium at every point, as `gs.equilibrium` finds it.

    `outputs` are names, by default all coordinates. `stable` is 1 where the equilibrium is known to be stable, else 0.
    Swept initial values are guesses.
    """

    outputs: Iterable[str] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "outputs", tuple(self.outputs))

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the outputs at the equilibrium."""
        point = self.equilibrium_at(system, values)
        stable = point.stability is not None and point.stability.stable
        return {**{f"equilibrium({name})": point[name] for name in self._names(system)}, "stable": float(stable)}

    def at_many(self, system: System, found: ManyEquilibria) -> Mapping[str, Floats]:
        """Return the outputs at all equilibria."""
        stable = np.full(len(found.rows), np.nan)
        stable[found.solved] = many_spectra.stable_at_rest(
            *(part[found.solved] for part in (found.mass, found.by_position, found.by_speed))
        )
        outputs = Outputs(system, found.rows[found.solved])
        results = {"stable": stable}
        for name in self._names(system):
            values = outputs.values(name)
            results[f"equilibrium({name})"] = np.full((len(found.rows), *values.shape[1:]), np.nan)
            results[f"equilibrium({name})"][found.solved] = values
        return results

    def _names(self, system: System) -> tuple[str, ...]:
        return tuple(self.outputs) or (*system.coordinate_names, *system.state_names)

    def plain(self) -> Any:
        """Return the settings as plain data."""
        settings = plain_settings(self)
        order = ("guess", "outputs", "inputs", "parameters")  # stores have digests of this order
        return {"analysis": "equilibrium", **{name: settings[name] for name in order}}


@dataclass(frozen=True, eq=False)
class ModalAnalysis(RestAnalysis):
    """The eigenvalues of the linearization about the equilibrium at every point, as `gs.linearize` gives them.

    `real` and `imaginary` part (1/s), `frequency` (Hz) and `damping_ratio` have the dimension `eigenvalue`, in
    ascending order of frequency, with both eigenvalues of each complex pair. Swept initial values are guesses of the
    equilibrium.
    """

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the eigenvalues."""
        import xarray

        point = self.equilibrium_at(system, values)
        modes = linearize.linearize(system, point, parameters={**self.parameters, **values.parameters}).modes()
        return {
            name: xarray.DataArray(column, dims="eigenvalue", attrs={"units": unit, "long_name": words})
            for (name, unit, words), column in zip(_COLUMNS, _columns(modes.eigenvalues), strict=True)
        }

    def at_many(self, system: System, found: ManyEquilibria) -> Mapping[str, Floats]:
        """Return the eigenvalues at all equilibria."""
        columns = _columns(many_spectra.eigenvalues_at_rest(found.by_position, found.by_speed))
        results = {name: column for (name, _, _), column in zip(_COLUMNS, columns, strict=True)}
        for column in columns:
            column[~found.solved] = np.nan
        return results

    def plain(self) -> Any:
        """Return the settings as plain data."""
        return {"analysis": "modes", **plain_settings(self)}


_COLUMNS = (
    ("real", "1/s", "real part of the eigenvalue"),
    ("imaginary", "1/s", "imaginary part of the eigenvalue"),
    ("frequency", "Hz", "damped frequency"),
    ("damping_ratio", "1", "damping ratio"),
)
"""Names, units and descriptions of the variables of modes."""


def _columns(found: NDArray[np.complex128]) -> tuple[Floats, ...]:
    """Return the variables of modes from eigenvalues on the last axis, which are brought in order of frequency."""
    order = np.lexsort((found.imag, found.real, np.abs(found.imag).round(12)), axis=-1)
    found = np.take_along_axis(found, order, axis=-1)
    size = np.abs(found)
    ratios = np.divide(-found.real, size, out=np.zeros(found.shape), where=size > 0)
    return found.real.copy(), found.imag.copy(), np.abs(found.imag) / (2 * np.pi), ratios
