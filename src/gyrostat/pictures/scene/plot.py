"""Plots beside the animation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.checks import Floats, float_array


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
