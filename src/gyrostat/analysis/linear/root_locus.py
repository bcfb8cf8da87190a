"""Eigenvalues over a parameter, followed by name through crossings: root loci, Campbell diagrams, speed sweeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.linearize import linearize
from gyrostat.analysis.linear.stability_limits import StabilityLimits
from gyrostat.analysis.variations.operating_point import At
from gyrostat.analysis.variations.reduction import Basis
from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule, later
from gyrostat.model import Model
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText, complex_text, spread_indices, text_table
from gyrostat.system import System, system_of

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from scipy import optimize

    from gyrostat.shown import linear_plots
else:
    optimize = LaterModule("scipy.optimize")
    xarray = LaterModule("xarray")
    (linear_plots,) = later("gyrostat.shown", "linear_plots")

Where: TypeAlias = At | Callable[[Mapping[str, float]], At]
"""An operating point, or a function that finds it from the parameters that are varied."""

_SMALLEST_SIMILARITY = 0.7
"""The least similarity of neighbouring shapes; below it, intermediate values are examined too."""
_DISTANCE_RATIO = 0.4
"""An eigenvalue this much nearer than any other is the continuation, regardless of its shape."""
_DEPTH = 6


_BISECTIONS = 40
"""Bisections by which a break point is found."""
_BREAK_POINT_OFFSETS = (0.002, 0.01, 0.04, 0.12, 0.3, 0.6)
"""Distances of further values from a break point, as parts of the step."""
_ROW_LIMIT, _MODE_LIMIT = 12, 8
"""Largest numbers of values and of modes that are printed."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All eigenvalues at one value of the parameter, with right and left vectors as columns."""

    value: float
    eigenvalues: Complexes
    right: Complexes
    left: Complexes

    @staticmethod
    def of(value: float, linear: LinearModel) -> Snapshot:
        """Return the eigenvalues of a linear model, both of each pair, and zeros as often as they occur."""
        values: list[complex] = []
        rights: list[Complexes] = []
        lefts: list[Complexes] = []
        modes = linear.modes()
        zeros = [mode for mode in modes if mode.eigenvalue == 0]
        for i in range(zeros[0].multiplicity if zeros else 0):
            one = zeros[min(i, len(zeros) - 1)]
            values.append(0.0)
            rights.append(one.right)
            lefts.append(one.left)
        for mode in modes:
            if mode.eigenvalue == 0:
                continue
            values.append(mode.eigenvalue)
            rights.append(mode.right)
            lefts.append(mode.left)
            if mode.eigenvalue.imag:
                values.append(mode.eigenvalue.conjugate())
                rights.append(mode.right.conj())
                lefts.append(mode.left.conj())
        return Snapshot(value, np.array(values, dtype=complex), _unit(rights), _unit(lefts))

    def ordered(self, places: Sequence[int]) -> Snapshot:
        """Return the same in another order."""
        chosen = list(places)
        return Snapshot(self.value, self.eigenvalues[chosen], self.right[:, chosen], self.left[:, chosen])


@dataclass(frozen=True, eq=False)
class RootLocus(NotebookText):
    """Eigenvalues over a parameter: `eigenvalues` has the dimensions value and mode, whose names follow each motion.

    Both of a pair are there, for they may part into two real ones.
    """

    parameter: str
    eigenvalues: xarray.DataArray
    _linear_at: Callable[[float], LinearModel] = field(repr=False)
    unit: str = ""
    """The unit of the parameter, where the model states it."""

    def __str__(self) -> str:
        values, names = self.values, self.names[:_MODE_LIMIT]
        rows = [
            [f"{values[k]:.5g}", *(complex_text(self.eigenvalues.values[k, i]) for i in range(len(names)))]
            for k in spread_indices(len(values), _ROW_LIMIT)
        ]
        lines = [f"Eigenvalues in 1/s over {self.parameter}, {len(values)} values"]
        lines += [f"  {line}" for line in text_table([self.parameter, *names], rows)]
        if len(self.names) > _MODE_LIMIT:
            lines.append(f"  … {len(self.names) - _MODE_LIMIT} more modes: locus.eigenvalues")
        return "\n".join(lines)

    @property
    def values(self) -> Floats:
        """The values of the parameter."""
        return np.asarray(self.eigenvalues["value"].values, dtype=float)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the modes."""
        return tuple(str(name) for name in self.eigenvalues["mode"].values)

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return the eigenvalue of a mode over the parameter."""
        if name not in self.names:
            raise StateError(f"There is no mode {name!r}. {did_you_mean(name, self.names)}")
        return self.eigenvalues.sel(mode=name)

    def renamed(self, names: Mapping[str, str]) -> RootLocus:
        """Return the same with other names of modes: {"3": "weave"}."""
        for name in names:
            self[name]
        new = [names.get(name, name) for name in self.names]
        return replace(self, eigenvalues=self.eigenvalues.assign_coords(mode=new))

    @cached_property
    def motions(self) -> tuple[str, ...]:
        """For each mode the coordinate that moves most at the first value."""
        modes = list(self.at(float(self.values[0])).modes())
        found = []
        for value in self.eigenvalues.values[0]:
            distances = [abs(mode.eigenvalue - complex(value.real, abs(value.imag))) for mode in modes]
            near = modes[int(np.argmin(distances))]
            found.append(str(near.shape["coordinate"].values[int(np.argmax(near.magnitude.values))]))
        return tuple(found)

    def refined(self) -> RootLocus:
        """Return the same with further values about break points, where two eigenvalues meet and part at right angles.

        Between two values across a break point eigenvalues change as the square root of the distance from it: further
        values on both sides let a plot follow them.
        """
        found = dict(zip(self.values.tolist(), self.eigenvalues.values, strict=True))
        for k in range(len(self.values) - 1):
            before, after = self.eigenvalues.values[k], self.eigenvalues.values[k + 1]
            if _real_count(before) != _real_count(after):
                found |= self._about_break(k)
        values = np.array(sorted(found) if self.values[0] <= self.values[-1] else sorted(found, reverse=True))
        rows = np.array([found[value] for value in values.tolist()])
        labelled = xarray.DataArray(rows, coords={"value": values, "mode": list(self.names)}, dims=("value", "mode"))
        return replace(self, eigenvalues=labelled)

    def _about_break(self, k: int) -> dict[float, Complexes]:
        """Return the eigenvalues by values close to a break point after the k-th value, in the orders of both sides."""
        low, high = float(self.values[k]), float(self.values[k + 1])
        left, right = low, high
        count = _real_count(self.eigenvalues.values[k])
        for _ in range(_BISECTIONS):
            middle = 0.5 * (left + right)
            same = _real_count(Snapshot.of(middle, self.at(middle)).eigenvalues) == count
            left, right = (middle, right) if same else (left, middle)
        found = {}
        for side, end, number in ((left, low, k), (right, high, k + 1)):
            last = self.eigenvalues.values[number]
            for part in (*_BREAK_POINT_OFFSETS[::-1], 0.0):
                value = side + part * (end - side)
                now = Snapshot.of(value, self.at(value)).eigenvalues
                last = now[_nearest_order(last, now)]
                found[value] = last
        return found

    def at(self, value: float) -> LinearModel:
        """Return the linear model at a value of the parameter."""
        return self._linear_at(value)

    def limits(self) -> dict[float, str]:
        """Return the values at which a mode begins or ceases to grow, to rounding, with the names of the modes.

        Its real part passes through zero there, or, in undamped systems, two eigenvalues meet on the imaginary axis.
        """

        def eigenvalues_at(value: float) -> Complexes:
            return Snapshot.of(value, self.at(value)).eigenvalues

        return StabilityLimits(self.values, self.names, self.eigenvalues.values, eigenvalues_at).found()

    def plot(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot the eigenvalues in the complex plane; a dot is where the parameter begins."""
        return linear_plots.plot_locus(self, path=path, dark=dark, axes=axes)

    def plot_over(
        self, *, path: str | PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> tuple[Axes, ...]:
        """Plot real and imaginary parts over the parameter: a speed sweep."""
        return linear_plots.plot_parts(self, path=path, dark=dark, axes=axes)

    def campbell(
        self,
        *,
        orders: Iterable[float] = (1.0,),
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot frequencies over the parameter, a speed of rotation in rad/s, with lines of its multiples.

        A parameter with another unit has no such lines: give orders=().
        """
        return linear_plots.plot_campbell(self, tuple(orders), path=path, dark=dark, axes=axes)


def root_locus(
    system: System | Model,
    over: Mapping[str, ArrayLike],
    at: Where | None = None,
    *,
    coordinates: Sequence[str] | Basis | None = None,
    parameters: Mapping[str, object] | None = None,
) -> RootLocus:
    """Return the eigenvalues over values of one parameter, each followed by name.

    `at` is the operating point, or a function that returns it for {parameter: value}; values by name may be formulas
    over parameters. Neighbouring values are matched by the similarity of shapes and by extrapolated eigenvalues; where
    that is not clear, intermediate values are evaluated.
    """
    system = system_of(system)
    name, values = _one_parameter(system, over)
    chosen = system

    def linear_at(value: float) -> LinearModel:
        changed = {name: float(value)}
        point = at(changed) if callable(at) else at
        return linearize(chosen, point, parameters={**(parameters or {}), **changed}, coordinates=coordinates)

    def snapshot(value: float) -> Snapshot:
        return Snapshot.of(value, linear_at(value))

    steps = [snapshot(float(values[0]))]
    for value in values[1:]:
        previous = steps[-2] if len(steps) > 1 else None
        steps.append(_followed(previous, steps[-1], snapshot(float(value)), snapshot, _DEPTH))
    labelled = _labelled(values, np.array([step.eigenvalues for step in steps]))
    return RootLocus(name, labelled, linear_at, system.model.parameters[name].unit)


def _one_parameter(system: System, over: Mapping[str, ArrayLike]) -> tuple[str, Floats]:
    if not isinstance(over, Mapping) or len(over) != 1:
        raise StateError("A root locus is over one parameter: over={'m': [1, 2, 3]}.")
    ((name, given),) = over.items()
    if name not in system.model.parameters:
        hint = did_you_mean(name, list(system.model.parameters)) if system.model.parameters else "It has none."
        raise StateError(f"The model has no parameter {name!r} to vary. {hint}")
    try:
        values = np.atleast_1d(np.asarray(given, dtype=float))
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise StateError(f"The values of {name!r} must be at least two finite numbers.")
    return name, values


def _followed(
    previous: Snapshot | None, last: Snapshot, new: Snapshot, snapshot: Callable[[float], Snapshot], depth: int
) -> Snapshot:
    """Return the new eigenvalues in the order of the last ones; unclear steps are halved."""
    if len(new.eigenvalues) != len(last.eigenvalues):
        raise StateError(
            f"The number of states changes between {last.value:g} and {new.value:g}: constraints begin or cease to "
            "follow from others. Make a root locus on either side of that."
        )
    places, alike = _matched(previous, last, new)
    if alike >= _SMALLEST_SIMILARITY or not depth:
        return new.ordered(places)
    middle = _followed(previous, last, snapshot(0.5 * (last.value + new.value)), snapshot, depth - 1)
    return _followed(last, middle, new, snapshot, depth - 1)


def _matched(previous: Snapshot | None, last: Snapshot, new: Snapshot) -> tuple[list[int], float]:
    """Return which new eigenvalue continues each of the last ones, and the least similarity where it decides."""
    expected = last.eigenvalues
    if previous is not None and last.value != previous.value:
        slope = (last.eigenvalues - previous.eigenvalues) / (last.value - previous.value)
        expected = expected + slope * (new.value - last.value)
    size = max(float(np.abs(new.eigenvalues).max(initial=0.0)), 1e-300)
    apart = np.abs(expected[:, None] - new.eigenvalues[None, :])
    local = np.maximum(np.abs(expected)[:, None], 1e-3 * size)
    alike = np.abs(last.right.conj().T @ new.right) * np.abs(last.left.conj().T @ new.left)
    cost = np.minimum(apart / local, 2.0) + (1.0 - np.sqrt(alike))
    _, places = optimize.linear_sum_assignment(cost)
    rows = np.arange(len(places))
    chosen, near = np.sqrt(alike)[rows, places], apart[rows, places]
    others = apart.copy()
    others[rows, places] = np.inf
    unclear = (near > 0.02 * local[:, 0]) & (near > _DISTANCE_RATIO * others.min(axis=1, initial=np.inf))
    return [int(place) for place in places], float(chosen[unclear].min(initial=1.0))


def _real_count(eigenvalues: Complexes) -> int:
    """Return the number of real eigenvalues."""
    return int((np.abs(eigenvalues.imag) <= 1e-9 * np.maximum(1.0, np.abs(eigenvalues))).sum())


def _nearest_order(last: Complexes, new: Complexes) -> list[int]:
    """Return the order of new eigenvalues in which they are nearest to the last ones."""
    _, places = optimize.linear_sum_assignment(np.abs(last[:, None] - new[None, :]))
    return [int(place) for place in places]


def _unit(columns: list[Complexes]) -> Complexes:
    array = np.array(columns, dtype=complex).T
    return np.asarray(array / np.maximum(np.linalg.norm(array, axis=0), 1e-300))


def _labelled(values: Floats, eigenvalues: Complexes) -> xarray.DataArray:
    names = [str(i) for i in range(eigenvalues.shape[1])]
    return xarray.DataArray(eigenvalues, coords={"value": values, "mode": names}, dims=("value", "mode"))
