"""Plots of trajectories: outputs over time, phase portraits, energies and reactions, by name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import PictureError, StateError
from gyrostat.model.names import did_you_mean
from gyrostat.pictures.figures import Curve, Mark, Panel, draw_panels
from gyrostat.pictures.symbol_text import math_words
from gyrostat.shown.output_labels import OutputLabels, quantity, with_unit

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

THIS_RUN = "this run"
"""The name of a trajectory among others that it is compared with."""

_TIME = "time (s)"
_COORDINATE_LIMIT = 40


def plot(
    trajectory: Trajectory,
    names: Sequence[str],
    *,
    compare: Mapping[str, Trajectory] | None,
    path: str | os.PathLike[str] | None,
    dark: bool,
    events: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot outputs over time, a panel for each unit; without names all coordinates."""
    chosen = tuple(names) or default_names(trajectory)
    runs = compared_runs(trajectory, compare)
    labels = OutputLabels(trajectory.system)
    marks = event_marks(trajectory) if events else ()
    found = {name: {run: one[name] for run, one in runs.items()} for name in dict.fromkeys(chosen)}
    panels = []
    for unit, members in by_unit({name: arrays[next(iter(runs))] for name, arrays in found.items()}).items():
        curves: list[Curve] = []
        for name in members:
            curves += _curves(labels.math(name), found[name], first=_colours(curves), alone=len(members) == 1)
        heading = quantity(unit, [labels.math(name) for name in members])
        panels.append(Panel(_TIME, with_unit(heading, unit), curves, marks))
    return draw_panels(panels, title=trajectory.system.model.name, dark=dark, path=path, axes=axes)


def plot_against(
    trajectory: Trajectory,
    names: Sequence[str],
    against: str,
    *,
    compare: Mapping[str, Trajectory] | None,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot outputs against another one, a panel for each unit; a dot is where a run begins."""
    runs = compared_runs(trajectory, compare)
    labels = OutputLabels(trajectory.system)
    abscissas = {run: one[against] for run, one in runs.items()}
    first = abscissas[THIS_RUN]
    if first.ndim != 1:
        raise PictureError(f"{against!r} is a vector. Plot against one of its components, such as {against + '.x'!r}.")
    chosen = [name for name in names or default_names(trajectory) if name != against]
    found = {name: {run: one[name] for run, one in runs.items()} for name in dict.fromkeys(chosen)}
    panels = []
    for unit, members in by_unit({name: arrays[THIS_RUN] for name, arrays in found.items()}).items():
        curves: list[Curve] = []
        for name in members:
            made = _curves(labels.math(name), found[name], first=_colours(curves), alone=len(members) == 1)
            each = len(made) // len(runs)
            for k, curve in enumerate(made):
                x = np.asarray(list(abscissas.values())[k // each].values)
                curves.append(replace(curve, x=x))
        heading = quantity(unit, [labels.math(name) for name in members])
        panels.append(
            Panel(
                with_unit(labels.math(against), first.attrs["units"]),
                with_unit(heading, unit),
                curves,
                points=[(float(curve.x[0]), float(curve.y[0])) for curve in curves],
                equal=unit == first.attrs["units"],
            )
        )
    title = trajectory.system.model.name
    return draw_panels(panels, title=title, share_x=False, dark=dark, path=path, axes=axes)


def plot_phase(
    trajectory: Trajectory,
    names: Sequence[str],
    *,
    compare: Mapping[str, Trajectory] | None,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot rates against coordinates, a panel for each coordinate; a dot is where a run begins."""
    runs = compared_runs(trajectory, compare)
    labels = OutputLabels(trajectory.system)
    known = list(trajectory.system.coordinates.measures)
    panels = []
    for name in names or default_names(trajectory):
        if name not in known:
            raise StateError(f"There is no coordinate {name!r} with a phase portrait. {did_you_mean(name, known)}")
        curves = [
            Curve(math_words(run), one[name].values, one[f"{name}.rate"].values, colour=i, dash=i)
            for i, (run, one) in enumerate(runs.items())
        ]
        x, y = trajectory[name], trajectory[f"{name}.rate"]
        panels.append(
            Panel(
                with_unit(labels.math(name), x.attrs["units"]),
                with_unit(labels.math(f"{name}.rate"), y.attrs["units"]),
                curves,
                points=[(curve.x[0], curve.y[0]) for curve in curves],
            )
        )
    title = trajectory.system.model.name
    return draw_panels(panels, title=title, share_x=False, dark=dark, path=path, axes=axes)


def plot_energy(
    trajectory: Trajectory, *, path: str | os.PathLike[str] | None, dark: bool, events: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot energies and works in one panel and the residual of the energy balance in another."""
    energy = trajectory.energy()
    time = energy["time"].values
    marks = event_marks(trajectory) if events else ()
    shown: dict[str, Any] = {name: energy[name].values for name in ("kinetic", "potential", "total")}
    for name in ("dissipated", "supplied"):
        if energy[name].values.any():
            shown[name] = energy[name].values.sum(axis=1)
    if energy["impacts"].values.any():
        shown["lost in impacts"] = energy["impacts"].values
    curves = [Curve(name, time, values, colour=i) for i, (name, values) in enumerate(shown.items())]
    balance = [Curve("balance", time, energy["balance"].values, colour=7)]
    panels = [Panel(_TIME, "energy (J)", curves, marks), Panel(_TIME, "balance (J)", balance, marks)]
    return draw_panels(panels, title=trajectory.system.model.name, dark=dark, path=path, axes=axes)


def plot_reaction(
    trajectory: Trajectory,
    joint: str,
    *,
    compare: Mapping[str, Trajectory] | None,
    path: str | os.PathLike[str] | None,
    dark: bool,
    events: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot force and moment in a joint, in world axes."""
    runs = compared_runs(trajectory, compare)
    found = {run: one.reaction(joint) for run, one in runs.items()}
    marks = event_marks(trajectory) if events else ()
    panels = []
    for name in ("force", "moment"):
        arrays = {run: one[name] for run, one in found.items()}
        unit = next(iter(arrays.values())).attrs["units"]
        curves = _curves(name, arrays, first=0, alone=True)
        panels.append(Panel(_TIME, with_unit(f"{name} in {math_words(joint)}", unit), curves, marks))
    return draw_panels(panels, title=trajectory.system.model.name, dark=dark, path=path, axes=axes)


def default_names(trajectory: Trajectory) -> tuple[str, ...]:
    """Return the names of the coordinates, up to a number that a legend can show."""
    names = tuple(trajectory.system.coordinates.measures)
    if not names:
        raise PictureError(
            f"Model {trajectory.system.model.name!r} has no coordinates to plot. Name outputs: trajectory.names."
        )
    return names[:_COORDINATE_LIMIT]


def by_unit(arrays: Mapping[str, xarray.DataArray]) -> dict[str, list[str]]:
    """Return names by their unit, in the order in which units are first met."""
    groups: dict[str, list[str]] = {}
    for name, array in arrays.items():
        groups.setdefault(array.attrs["units"], []).append(name)
    return groups


def components(array: xarray.DataArray) -> dict[str, Any]:
    """Return the components of an output, each (N,), by label; a number has one without a label."""
    if array.ndim == 1:
        return {"": array.values}
    return {str(label): array.values[:, i] for i, label in enumerate(array[array.dims[1]].values)}


def event_marks(trajectory: Trajectory) -> tuple[Mark, ...]:
    """Return the events that happened as marks on the time axis."""
    return tuple(Mark(one.time, one.event) for one in trajectory.events)


def compared_runs(trajectory: Trajectory, compare: Mapping[str, Trajectory] | None) -> dict[str, Trajectory]:
    """Return the trajectory and those that it is compared with, by name."""
    for name, other in (compare or {}).items():
        if not isinstance(other, Trajectory):
            raise PictureError(f"{name!r} in compare is {other!r:.60}, not a trajectory. Give trajectories by name.")
    if compare and THIS_RUN in compare:
        raise PictureError(f"{THIS_RUN!r} in compare is the name of the trajectory itself. Choose another name.")
    return {THIS_RUN: trajectory, **(compare or {})}


def _curves(label: str, arrays: Mapping[str, xarray.DataArray], first: int, alone: bool) -> list[Curve]:
    """Return the curves of one output: a colour for each component, a dash for each run."""
    curves = []
    for dash, (run, array) in enumerate(arrays.items()):
        time = np.asarray(array["time"].values)
        for i, (component, values) in enumerate(components(array).items()):
            parts = [component if alone and component else f"{label} {component}".strip()]
            if len(arrays) > 1:
                parts.append(math_words(run))
            curves.append(Curve(", ".join(parts), time, values, colour=first + i, dash=dash))
    return curves


def _colours(curves: list[Curve]) -> int:
    """Return the next unused colour."""
    return max((curve.colour for curve in curves), default=-1) + 1
