"""A branch: a sequence of equilibria or steady motions over a parameter, an input or a speed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.variations.operating_point import OperatingKind, OperatingPoint
from gyrostat.coordinates.arguments import Floats
from gyrostat.lazy import later
from gyrostat.results.text_table import NotebookText

if TYPE_CHECKING:
    from gyrostat.shown import branch_plots
else:
    (branch_plots,) = later("gyrostat.shown", "branch_plots")

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes


_PLURALS = {
    OperatingKind.EQUILIBRIUM: "equilibria",
    OperatingKind.STEADY_MOTION: "steady motions",
    OperatingKind.INSTANT: "instants",
}


class TurnKind(Enum):
    """Kinds of special points of a branch."""

    FOLD = "fold"
    """The branch turns back."""
    STABILITY = "stability changes"


@dataclass(frozen=True, eq=False)
class Turn:
    """A special point of a branch."""

    kind: TurnKind
    value: float
    """The value of the parameter."""
    point: OperatingPoint


@dataclass(frozen=True, eq=False)
class Branch(NotebookText):
    """Operating points in order, and where folds and changes of stability lie between them."""

    over: str
    points: tuple[OperatingPoint, ...]
    turns: tuple[Turn, ...]
    ended: str = ""
    """The reason for an early end; empty otherwise."""

    @property
    def values(self) -> Floats:
        """The values of the parameter."""
        return np.array([value_of(point, self.over) for point in self.points])

    @property
    def folds(self) -> tuple[Turn, ...]:
        """The points at which the branch turns back."""
        return tuple(turn for turn in self.turns if turn.kind is TurnKind.FOLD)

    @property
    def stability_changes(self) -> tuple[Turn, ...]:
        """The points at which stability changes."""
        return tuple(turn for turn in self.turns if turn.kind is TurnKind.STABILITY)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, place: int) -> OperatingPoint:
        return self.points[place]

    def dataset(self, *names: str) -> xarray.Dataset:
        """Return outputs by name along the branch, with stability and the largest real part of eigenvalues.

        Without names all coordinates, speeds and inputs are given. A vector has its axis, or its components.
        """
        import xarray

        system = self.points[0].system
        chosen = names or (*system.coordinate_names, *system.speed_names, *system.inputs)
        columns: dict[str, xarray.DataArray | tuple[str, Floats | list[str]]] = {}
        for name in chosen:
            values = np.array([point[name] for point in self.points])
            columns[name] = xarray.DataArray(values, dims=("point", "axis")[: values.ndim])
        columns["stability"] = ("point", [_verdict(point) for point in self.points])
        columns["growth"] = ("point", np.array([_growth(point) for point in self.points]))
        attributes = {"model": system.model.name, "over": self.over}
        label = self.over if self.over not in columns else f"over {self.over}"
        return xarray.Dataset(columns, coords={label: ("point", self.values)}, attrs=attributes)

    def plot(
        self,
        *names: str,
        path: str | PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot numbers by name along the branch, stable parts as solid lines, others dashed; return the axes.

        Without names the coordinates are plotted that change. Folds and changes of stability are marked.
        """
        return branch_plots.plot_branch(self, names, path=path, dark=dark, axes=axes)

    def __str__(self) -> str:
        values = self.values
        lines = [
            f"Branch of {_PLURALS[self.points[0].kind]} of {self.points[0].system.model.name!r} over {self.over}: "
            f"{values[0]:.6g} … {values[-1]:.6g}, {len(self)} points",
            *(f"  {turn.kind.value} at {self.over} = {turn.value:.6g}" for turn in self.turns),
        ]
        pieces = [_verdict(point) for point in self.points]
        starts = [0, *(i for i in range(1, len(pieces)) if pieces[i] != pieces[i - 1]), len(pieces)]
        for first, end in pairwise(starts):
            lines.append(f"  {values[first]:.6g} … {values[end - 1]:.6g}: {pieces[first]}")
        return "\n".join([*lines, *([f"  {self.ended}"] if self.ended else [])])


def value_of(point: OperatingPoint, name: str) -> float:
    """Return a parameter, an input or a speed at an operating point."""
    if name in point.inputs:
        return point.inputs[name]
    if name in point.system.model.parameters:
        return point.system.model.values(point.parameters)[name]
    return float(point[name])


def _verdict(point: OperatingPoint) -> str:
    return point.stability.verdict.value if point.stability is not None else ""


def _growth(point: OperatingPoint) -> float:
    """Return the largest real part of the eigenvalues (1/s)."""
    values = point.stability.eigenvalues if point.stability is not None else np.zeros(0)
    return float(values.real.max()) if len(values) else 0.0
