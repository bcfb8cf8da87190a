"""Readings: quantities that are shown while the pointer is on an object."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.pictures.scene.checks import Floats, float_array


@dataclass(frozen=True, eq=False)
class Reading:
    """A quantity over time (N,) with its label and unit, such as Reading("tension", "N", values)."""

    label: str
    unit: str
    values: Floats

    def __post_init__(self) -> None:
        values = float_array(f"Reading {self.label!r}", "values", self.values, (None,))
        object.__setattr__(self, "values", values)
