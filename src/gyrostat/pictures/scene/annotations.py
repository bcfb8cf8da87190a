"""Annotations of a scene: traces of points, plots beside the animation, and readings at the pointer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.checks import Floats, check_colour, finite, float_array


@dataclass(frozen=True, eq=False)
class ScenePath:
    """The trace of a point (3,), in body axes, of a body; in the body's colour unless another is given."""

    name: str
    body: str
    point: Floats = field(default_factory=lambda: np.zeros(3))
    colour: str | None = None
    run: str = ""

    def __post_init__(self) -> None:
        item = f"Path {self.name!r}"
        point = float_array(item, "components of the point", self.point, (3,))
        finite(item, "the components of the point", point)
        check_colour(item, self.colour)
        object.__setattr__(self, "point", point)


@dataclass(frozen=True, eq=False)
class Plot:
    """Curves over time in one diagram: each of `series` is (N,), by name. Values that are not finite leave gaps."""

    label: str
    unit: str
    series: Mapping[str, Floats]

    def __post_init__(self) -> None:
        item = f"Plot {self.label!r}"
        if not self.series:
            raise PictureError(f"{item} has no series; give at least one, by name.")
        held = {name: float_array(f"{item}, series {name!r}", "values", y, (None,)) for name, y in self.series.items()}
        object.__setattr__(self, "series", MappingProxyType(held))


@dataclass(frozen=True, eq=False)
class Reading:
    """A quantity over time (N,), shown while the pointer is on its owner: Reading("tension", "N", values)."""

    label: str
    unit: str
    values: Floats

    def __post_init__(self) -> None:
        values = float_array(f"Reading {self.label!r}", "values", self.values, (None,))
        object.__setattr__(self, "values", values)


@dataclass(frozen=True)
class ColourScale:
    """The quantity by which bodies are coloured, from the value at tone 0 to that at tone 1."""

    label: str
    unit: str
    low: float
    high: float
