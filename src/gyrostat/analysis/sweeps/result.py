"""The result of a sweep: one labelled dataset with the status of every point."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.sweeps.layout import REASON, STATUS, Label, Layout
from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import Failure, PointNote, PointStatus
from gyrostat.analysis.sweeps.store import Store
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.names import counted, did_you_mean
from gyrostat.once import cached_property
from gyrostat.results.text_table import monospaced

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.sweeps import sensitivity
    from gyrostat.shown import sweep_plots, sweep_statistics
else:
    (sensitivity,) = later("gyrostat.analysis.sweeps", "sensitivity")
    sweep_plots, sweep_statistics = later("gyrostat.shown", "sweep_plots", "sweep_statistics")

_LINE_LIMIT = 5


@dataclass(frozen=True, eq=False)
class Sweep:
    """The result of a sweep: `sweep["a1"]` is an xarray array over the swept names.

    Points that failed, or were not run, are NaN in all variables; `dataset["status"]` distinguishes them
    (`PointStatus`), `dataset["reason"]` has the reasons, and notes on points that are done.
    """

    title: str
    plan: Plan
    layout: Layout
    labels: dict[str, Label]
    store: Store
    reused: int = 0
    """Number of points that the store already had."""
    seconds: float = 0.0

    @cached_property
    def dataset(self) -> xarray.Dataset:
        """All variables; those of a store are read lazily."""
        import xarray

        dims = self.plan.dims
        found: dict[str, Any] = {
            one.name: xarray.Variable((*dims, *one.dims), self.store.values(one.name), one.attributes)
            for one in self.layout.variables
        }
        meanings = " ".join(one.name.lower() for one in PointStatus)
        flags = {"flag_values": [int(one) for one in PointStatus], "flag_meanings": meanings}
        found[STATUS] = xarray.Variable(dims, self._status, flags)
        reasons = np.full(self.plan.size, "", dtype=object)
        for number, text in self._reasons.items():
            reasons[number] = text
        meaning = {"long_name": "why a point failed, or a note on its result"}
        found[REASON] = xarray.Variable(dims, reasons.reshape(self.plan.shape), meaning)
        coordinates = {
            name: xarray.Variable((label.dim,), label.values, dict(label.attributes))
            for name, label in self.labels.items()
        }
        return xarray.Dataset(found, coords=coordinates, attrs={"title": self.title})

    @cached_property
    def _status(self) -> Any:
        return self.store.status()

    @cached_property
    def _reasons(self) -> dict[int, str]:
        return self.store.reasons()

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return a variable by name."""
        if name not in self.dataset:
            raise StateError(f"The sweep has no variable {name!r}. {did_you_mean(name, self.names)}")
        return self.dataset[name]

    @property
    def names(self) -> list[str]:
        """The names of the variables."""
        return [one.name for one in self.layout.variables]

    @cached_property
    def failures(self) -> tuple[Failure, ...]:
        """The points that failed: number, values by name, and reason."""
        return tuple(Failure(*described) for described in self._described(PointStatus.FAILED))

    @cached_property
    def notes(self) -> tuple[PointNote, ...]:
        """Notes on the results of points that are done, such as a drift of the energy that nothing explains."""
        return tuple(PointNote(*described) for described in self._described(PointStatus.DONE))

    def _described(self, status: PointStatus) -> Iterator[tuple[int, dict[str, Any], str]]:
        """Yield number, values by name and text of the points that have a text and a status."""
        found = self._status.ravel()
        for number, text in self._reasons.items():
            if found[number] == status:
                yield number, self.plan.points(number, number + 1).at(0), text

    @property
    def complete(self) -> bool:
        """Whether every point was run, with or without success."""
        return bool((self._status != PointStatus.NOT_RUN).all())

    def count(self, status: PointStatus) -> int:
        """Return the number of points with a status."""
        return int((self._status == status).sum())

    def plot(
        self,
        *names: str,
        path: str | os.PathLike[str] | None = None,
        log: bool = False,
        dark: bool = False,
        axes: Any = None,
        **at: float | str,
    ) -> tuple[Axes, ...]:
        """Plot variables over the swept names: curves over one axis, maps over two, points over samples.

        Further axes are fixed by `at`, at their nearest value: plot("bar.tip", axis="y"). With `log` the scale of
        values is logarithmic. Return the axes.
        """
        return sweep_plots.plot_sweep(self, names, at=at, path=path, log=log, dark=dark, axes=axes)

    def plot_histogram(
        self,
        *names: str,
        bins: int | None = None,
        path: str | os.PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Axes, ...]:
        """Plot how often values of variables occur among all points, a panel for each, with mean and quantiles.

        The lines are the mean and the 5 % and 95 % quantiles. Return the axes.
        """
        return sweep_statistics.plot_histograms(self, names, bins=bins, path=path, dark=dark, axes=axes)

    def plot_bands(
        self,
        *names: str,
        over: str | None = None,
        path: str | os.PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
        **at: float | str,
    ) -> tuple[Axes, ...]:
        """Plot the median and the bands that hold 50 % and 90 % of all points, over one axis.

        `over` is an axis of the variables, such as time or a swept name; without it the first that is no sample.
        Further axes with labels are fixed by `at`. Return the axes.
        """
        return sweep_statistics.plot_bands(self, names, over, at=at, path=path, dark=dark, axes=axes)

    def sensitivity(self, name: str) -> xarray.Dataset:
        """Return the Sobol indices of a variable by each sampled name, for sweeps with points=gs.Saltelli(…).

        `first` is the share of the variance that a name explains by itself, `total` the share including its
        interactions; `first_error` and `total_error` are half the widths of 95 % confidence intervals.
        """
        return sensitivity.sobol_indices(self, name)

    def __str__(self) -> str:
        plan = self.plan
        done, failed, missing = (self.count(one) for one in (PointStatus.DONE, PointStatus.FAILED, PointStatus.NOT_RUN))
        extent = ", ".join(f"{axis.dim} ({axis.size})" for axis in plan.axes)
        state = f"{done} done, {failed} failed, {missing} not run"
        lines = [f"Sweep of {self.title!r} over {extent}: {counted(plan.size, 'point', 'points')}, {state}"]
        if self.reused:
            lines.append(f"  {counted(self.reused, 'point was', 'points were')} in the store already")
        lines += [f"  {one.name} {list(one.dims) if one.dims else ''}".rstrip() for one in self.layout.variables]
        lines += [f"  failed: {failure}" for failure in self.failures[:_LINE_LIMIT]]
        if failed > _LINE_LIMIT:
            lines.append(f"  … {failed - _LINE_LIMIT} more failures: sweep.failures")
        lines += [f"  note: {note}" for note in self.notes[:_LINE_LIMIT]]
        if len(self.notes) > _LINE_LIMIT:
            lines.append(f"  … {len(self.notes) - _LINE_LIMIT} more notes: sweep.notes")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return monospaced(str(self))
