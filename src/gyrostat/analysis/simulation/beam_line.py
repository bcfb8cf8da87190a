"""Beams along their length: places, deflections, curvatures and section moments at given rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import LaterModule
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.signals.beam_signals import Section
from gyrostat.signals.section_force import SectionForce
from gyrostat.signals.signal import AXES
from gyrostat.system import System

if TYPE_CHECKING:
    import xarray
else:
    xarray = LaterModule("xarray")

PLACES = 33
"""The number of places along a beam where none is given."""


@dataclass(frozen=True, eq=False)
class BeamLine:
    """A beam at N rows and K distances x from its root; the length of the beam is that of the first row."""

    system: System
    recorded: Recorded
    name: str
    x: Floats

    @staticmethod
    def of(system: System, recorded: Recorded, name: str, x: Sequence[float] | None = None) -> BeamLine:
        """Return a beam by name; without distances at places from the root to the tip."""
        arms = system.station_arms
        if name not in arms:
            hint = did_you_mean(name, arms) if arms else "The model has no beams."
            raise StateError(f"There is no beam {name!r}. {hint}")
        line = BeamLine(system, recorded, name, np.zeros(0))
        length = float(line.value(arms[name].beam.length))
        places = np.linspace(0.0, length, PLACES) if x is None else np.asarray(x, dtype=float).reshape(-1)
        if not ((places >= 0) & (places <= length * (1 + 1e-12))).all():
            raise StateError(f"Beam {name!r} is {length:g} m long. Give distances from 0 to its length.")
        return replace(line, x=places)

    @cached_property
    def value(self) -> Any:
        """Evaluator of formulas at the parameters of the first row."""
        model = self.system.model
        numbers = self.recorded.rows[0, self.system.row.parameters].tolist()
        return model.evaluator(dict(zip(model.parameters, numbers, strict=True)))

    def _arms(self) -> list[StationArm]:
        arm = self.system.station_arms[self.name]
        return [replace(arm, at=Formula.of(float(x))) for x in self.x]

    @cached_property
    def local(self) -> Floats:
        """Positions of the axis in the root frame, shape (N, K, 3)."""
        arms, count = self._arms(), len(self.recorded.rows)
        q = [
            self.recorded.quantity(f"{self.name}.{label}") for label in self.system.station_arms[self.name].beam.labels
        ]
        found = np.empty((count, len(arms), 3))
        for k, arm in enumerate(arms):
            for i, component in enumerate(arm.pose(q, self.value).r_PC_P):
                found[:, k, i] = component
        return found

    @cached_property
    def world(self) -> Floats:
        """Positions of the axis in world axes, shape (N, K, 3)."""
        R_WB, r_WB = self.recorded.body_rotations(self.name), self.recorded.position(End(self.name)).T
        found: Floats = r_WB[:, None, :] + np.einsum("nij,nkj->nki", R_WB, self.local)
        return found

    @cached_property
    def curvatures(self) -> Floats:
        """Twist and curvatures by loads, in the axes of the sections, shape (N, K, 3)."""
        return self._along("strain")

    @cached_property
    def moments(self) -> Floats:
        """Section moments, in the axes of the sections, shape (N, K, 3)."""
        return self._along("loads")

    @cached_property
    def forces(self) -> Floats:
        """Normal and shear forces, in the axes of the sections, shape (N, K, 3)."""
        arms = self.system.model.joints.values()
        stations = tuple(arm for arm in arms if isinstance(arm, StationArm) and arm.parent.body == self.name)
        found = np.empty((len(self.recorded.rows), len(self.x), 3))
        for k, arm in enumerate(self._arms()):
            for i, component in enumerate(SectionForce(arm, stations, self.system.model.gravity).at(self.recorded)):
                found[:, k, i] = component
        return found

    def _along(self, quantity: str) -> Floats:
        found = np.empty((len(self.recorded.rows), len(self.x), 3))
        for k, arm in enumerate(self._arms()):
            for i, component in enumerate(getattr(Section(arm), quantity)(self.recorded)[1:]):
                found[:, k, i] = component
        return found

    def dataset(self) -> xarray.Dataset:
        """Return positions, deflections, curvatures, section moments and forces over time and distance."""
        straight = np.stack([self.x, 0 * self.x, 0 * self.x], axis=1)
        parts = {
            "position": ("m", "position of the axis, in world axes", self.world),
            "deflection": ("m", "deflection, in the axes of the root", self.local - straight),
            "curvature": ("1/m", "twist and curvatures by loads, in the axes of the sections", self.curvatures),
            "section_moment": ("N·m", "section moment, in the axes of the sections", self.moments),
            "section_force": ("N", "normal and shear forces, in the axes of the sections", self.forces),
        }
        return xarray.Dataset(
            {
                name: (("time", "x", "axis"), values, {"units": unit, "long_name": text})
                for name, (unit, text, values) in parts.items()
            },
            coords={
                "time": ("time", self.recorded.time(), {"units": "s", "long_name": "time"}),
                "x": ("x", self.x, {"units": "m", "long_name": "distance from the root"}),
                "axis": list(AXES),
            },
            attrs={"beam": self.name},
        )
