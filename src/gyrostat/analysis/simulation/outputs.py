"""Outputs: the signals of a system at given states as labelled arrays, and sets of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule, later
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.signals import AXES, Signal
from gyrostat.system import System

if TYPE_CHECKING:
    import xarray

    from gyrostat.closing import indeterminacy
else:
    xarray = LaterModule("xarray")
    (indeterminacy,) = later("gyrostat.closing", "indeterminacy")


_VECTOR = {"axis": AXES}
"""The axis of a vector's components, with its labels."""

_TIME = {"units": "s", "long_name": "time"}
_Axes = tuple[tuple[str, tuple[str, ...]], ...]
_SHARED_TIMES_LIMIT = 1024
"""Up to so many output times, labels are shared with other motions that have the same."""


def _labels(times: Floats, axes: _Axes) -> xarray.DataArray:
    """Return an array with the labels of time and axes; copies share their indices, which cannot be changed."""
    if len(times) > _SHARED_TIMES_LIMIT:
        return _new_labels(times, axes)
    return _shared_labels(times.tobytes(), axes)


@lru_cache(maxsize=32)
def _shared_labels(times: bytes, axes: _Axes) -> xarray.DataArray:
    return _new_labels(np.frombuffer(times), axes)


def _new_labels(times: Floats, axes: _Axes) -> xarray.DataArray:
    named: dict[str, Any] = {"time": ("time", times, _TIME)}
    named |= {axis: (axis, np.array(labels)) for axis, labels in axes}
    nothing = np.broadcast_to(np.nan, (len(times), *(len(labels) for _, labels in axes)))
    return xarray.DataArray(nothing, coords=named, dims=list(named))


class Outputs:
    """All outputs of a system at given states: rows of t, q, u, z, parameters, inputs."""

    def __init__(self, system: System, rows: Floats, recorded: Recorded | None = None) -> None:
        self._system, self.recorded = system, recorded or Recorded(system, rows)
        self._labels: dict[_Axes, xarray.DataArray] = {}

    def __getitem__(self, name: str) -> xarray.DataArray:
        return self._labelled(self._system.signal_table[name])

    def values(self, name: str) -> Floats:
        """Return the values of an output, shape (N,) or (N, number of components)."""
        return self._values(self._system.signal_table[name])

    def _values(self, signal: Signal) -> Floats:
        """Return the values of a signal, shape (N,) or (N, number of components)."""
        count = len(self.recorded.rows)
        with np.errstate(all="ignore"):  # outside the domain of a function a formula is not-a-number
            found = signal.form(self.recorded)
        if isinstance(found, np.ndarray) and found.shape == (len(signal.labels), count) and self.recorded.forget(found):
            return found.T
        parts = found if signal.labels else (found,)
        columns = [np.broadcast_to(np.asarray(part, dtype=float), count) for part in parts]
        return np.stack(columns, axis=-1) if signal.labels else columns[0]

    @property
    def time(self) -> xarray.DataArray:
        """The times, as a labelled coordinate."""
        return xarray.DataArray(self.recorded.time(), dims="time", attrs=_TIME)

    def _labelled(self, signal: Signal, name: str = "") -> xarray.DataArray:
        """Return a signal over time, under its own name or another."""
        axes = {} if signal.dimension is None else {signal.dimension: signal.labels}
        values = self._values(signal)
        if signal.is_matrix:
            axes, values = {"row": AXES, "column": AXES}, values.reshape(-1, 3, 3)
        return self._array(name or signal.name, values, signal.unit, signal.description, axes)

    def _array(
        self,
        name: str,
        values: Floats,
        unit: str,
        description: str,
        axes: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> xarray.DataArray:
        key = tuple(axes.items())
        if key not in self._labels:
            self._labels[key] = _labels(self.recorded.time(), key)
        found = self._labels[key].copy(deep=False, data=values)
        found.name, found.attrs = name, {"units": unit, "long_name": description}
        return found

    # --- sets of outputs ----------------------------------------------------------------------------------------

    def reaction(self, joint: str) -> xarray.Dataset:
        """Return force and moment in a joint."""
        joints = self._system.loaded_joints
        if joint not in joints:
            raise StateError(f"There is no joint {joint!r} to have a reaction. {did_you_mean(joint, joints)}")
        table = self._system.signal_table
        parts = {part: self._labelled(table[f"{joint}.reaction.{part}"], part) for part in ("force", "moment")}
        return xarray.Dataset(parts, attrs={"joint": joint, **self._indeterminate(joint)})

    def _indeterminate(self, joint: str) -> dict[str, str]:
        """Return a sentence on the statically indeterminate parts of a joint's load, if there are any."""
        components = self._indeterminate_loads.get(joint)
        if not components:
            return {}
        return {
            "indeterminate": f"{', '.join(components)} of joint {joint!r} do not follow from the motion: constraints "
            "are redundant. The loads given are one of many solutions."
        }

    @cached_property
    def _indeterminate_loads(self) -> dict[str, tuple[str, ...]]:
        """The statically indeterminate components of joints' loads: at the beginning, middle or end of the motion."""
        if not self._system.constrained:
            return {}
        found: dict[str, set[str]] = {}
        layout, names, rows = self._system.row, self._system.model.parameters, self.recorded.rows
        for i in {0, len(rows) // 2, len(rows) - 1}:
            row = rows[i]
            values = dict(zip(names, row[layout.parameters].tolist(), strict=True))
            open_loads = indeterminacy.indeterminate_loads(self._system, row[layout.q], float(row[TIME]), values)
            for name, parts in open_loads.items():
                found.setdefault(name, set()).update(parts)
        order = indeterminacy.COMPONENTS
        return {name: tuple(part for part in order if part in parts) for name, parts in found.items()}

    def driver_load(self, coordinate: str) -> xarray.DataArray:
        """Return the load of a driver."""
        driven = list(self._system.coordinates.all_driven)
        if coordinate not in driven:
            hint = did_you_mean(coordinate, driven) if driven else "The model has no driven coordinates."
            raise StateError(f"The coordinate {coordinate!r} is not driven. {hint}")
        unit = "N" if self._system.coordinates.measures[coordinate] == "length" else "N·m"
        values = self.recorded.driver_load(coordinate)
        return self._array(coordinate, values, unit, f"load of the driver of {coordinate}")

    def constraint(self, name: str) -> xarray.Dataset:
        """Return the loads of a constraint component, or of a joint that closes a loop, by direction."""
        rows = [row for row in self._system.constraints if row.owner == name]
        if not rows:
            known = dict.fromkeys(row.owner for row in self._system.constraints)
            hint = did_you_mean(name, known) if known else "The system has no constraints."
            raise StateError(f"There is no constraint {name!r} with a load. {hint}")
        table = self._system.signal_table
        arrays = {row.label: self._labelled(table[row.name], row.label) for row in rows}
        return xarray.Dataset(arrays, attrs={"constraint": name})

    def residuals(self) -> xarray.Dataset:
        """Return the largest residuals of the constraints, in position and in speed."""
        system = self._system
        none = np.zeros((len(self.recorded.rows), 0))
        found = self.recorded.found("constraints") if system.constrained else {"residuals": none}
        parts = {
            "position": ("m or rad", "largest residual of position", found["residuals"]),
            "speed": ("m/s or rad/s", "largest residual of speed", found.get("speeds", none)),
        }
        return xarray.Dataset(
            {
                name: self._array(name, np.abs(values).max(axis=1, initial=0.0), unit, description)
                for name, (unit, description, values) in parts.items()
            },
            attrs={"constraints": [row.name for row in system.constraints]},
        )

    def momentum(self, about: tuple[float, float, float]) -> xarray.Dataset:
        """Return momenta and the mass centre."""
        found = self.recorded.found("momentum")
        linear, angular = found["linear"], found["angular"]
        angular = angular - np.cross(np.asarray(about, dtype=float), linear)
        return xarray.Dataset(
            {
                "linear": self._array("linear", linear, "kg·m/s", "linear momentum", _VECTOR),
                "angular": self._array("angular", angular, "kg·m²/s", f"angular momentum about {about}", _VECTOR),
                "mass_centre": self._array("mass_centre", found["moment"] / found["mass"], "m", "mass centre", _VECTOR),
            }
        )
