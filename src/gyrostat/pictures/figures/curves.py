"""The contents of a figure: panels of labelled curves, and marks of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import PictureError


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve: y (N,) over x (N,). `colour` and `dash` are numbers; values that are not finite leave a gap."""

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    colour: int = 0
    dash: int = 0
    marker: str = ""
    """A marker of matplotlib at every point; the line is left out then."""

    def __post_init__(self) -> None:
        if self.x.ndim != 1 or self.x.shape != self.y.shape:
            raise PictureError(f"Curve {self.label!r}: {self.y.shape} values over {self.x.shape} places; give as many.")
        if not len(self.x):
            raise PictureError(f"Curve {self.label!r} has no points: there is nothing to plot.")


@dataclass(frozen=True, eq=False)
class Band:
    """A filled region between two curves over x (N,)."""

    label: str
    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    colour: int = 0


@dataclass(frozen=True)
class Mark:
    """An event at a position on the x axis."""

    x: float
    label: str


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves that share axes; labels are matplotlib's text, with units."""

    x_label: str
    y_label: str
    curves: Sequence[Curve]
    marks: Sequence[Mark] = field(default=())
    points: Sequence[tuple[float, float]] = field(default=())
    """Places that get a dot, such as where a curve begins."""
    bands: Sequence[Band] = field(default=())
    equal: bool = False
    """Whether both axes have one scale, as for a path in space."""
    log_x: bool = False
    log_y: bool = False
